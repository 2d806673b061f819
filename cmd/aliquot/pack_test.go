package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// packText packs the given standard input.
func packText(t *testing.T, input, flags string) outcome {
	t.Helper()
	d := &desk{TB: t}
	return d.typeWith(input, append(strings.Fields("pack "+flags), "-")...)
}

func packAnswer(t *testing.T, input, flags string) (p packed) {
	t.Helper()
	o := packText(t, input, flags+" --json")
	if err := json.Unmarshal([]byte(o.out), &p); err != nil {
		t.Fatalf("%v: %+v", err, o)
	}
	want := exitLate
	if p.Feasible != nil {
		want = map[bool]int{true: exitDone, false: exitInfeasible}[*p.Feasible]
	}
	if o.code != want {
		t.Errorf("exit code %d, want %d: %+v", o.code, want, p)
	}
	return p
}

// fits is the answer if everything has a place.
func (p packed) fits() bool { return p.Feasible != nil && *p.Feasible }

const someTasks = "id,count,cpu,mem\nweb,5,0.5,0.2\nbatch,3,1,0.6\n"

func TestPackedTasksArePrintedWithYieldBoundAndGap(t *testing.T) {
	o := packText(t, someTasks, "--nodes 3 --mapping")
	seconds := regexp.MustCompile(`seconds \d+\.\d{6}`)
	if !seconds.MatchString(o.out) || o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	golden(t, "pack.txt", seconds.ReplaceAllString(o.out, "seconds S"))
}

func TestTasksWithoutRoomAreInfeasible(t *testing.T) {
	for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
		p := packAnswer(t, someTasks, "--nodes 2 --method "+method)
		if p.Feasible == nil || *p.Feasible || p.Yield != 0 || p.Bound != 0 || len(p.Dropped) != 0 || p.Tasks != 8 ||
			p.Nodes != 2 {
			t.Errorf("%s: %+v", method, p)
		}
	}
}

func TestEveryMethodStaysWithinTheBoundAndPortfolioIsBest(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,count,cpu,mem\n")
	for i := range 60 {
		fmt.Fprintf(&text, "g%d,2,0.%02d,0.%02d\n", i, 10+i*37%90, 5+i*53%40)
	}
	best := packAnswer(t, text.String(), "--nodes 32")
	if best.Accuracy != 0.001 || !best.fits() {
		t.Errorf("%+v", best)
	}
	for _, method := range []string{"mcb8", "FF/max", "BF/sum", "PP1/lex", "pp1/max", "CP2/max", "MCB8"} {
		p := packAnswer(t, text.String(), "--nodes 32 --method "+method)
		if p.Yield > best.Yield || p.Yield > p.Bound || p.Gap < 0 || !p.fits() {
			t.Errorf("%s: %+v, portfolio %v", method, p, best.Yield)
		}
		if strings.EqualFold(method, "mcb8") && p.Accuracy != 0.01 {
			t.Errorf("accuracy of mcb8 is %v", p.Accuracy)
		}
	}
}

func TestOfItemsWithPrioritiesTheLowestAreDropped(t *testing.T) {
	p := packAnswer(t, `{"nodes": [{"id": "big", "cpu": 2, "mem": 2}],
		"items": [{"id": "a", "cpu": 1, "mem": 1, "priority": 1}, {"id": "b", "cpu": 1, "mem": 1}, {"id": "c", "cpu": 1, "mem": 1, "priority": 2}]}`, "--mapping")
	if !p.fits() || len(p.Dropped) != 1 || p.Dropped[0] != "b" || p.Yield != 1 || p.Mapping[0].Nodes[0] != "big" ||
		len(p.Mapping[1].Nodes) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestWhatFitsOnNoNodeIsDroppedFirstWhateverItsPriority(t *testing.T) {
	for _, method := range []string{"mcb8", "portfolio"} {
		p := packAnswer(t,
			`{"nodes": [{"cpu": 1, "mem": 1}], "items": [{"id": "huge", "mem": 1.5, "priority": 9}, {"id": "low", "mem": 0.5}, {"id": "high", "mem": 0.6, "priority": 1}]}`, "--method "+method)
		if strings.Join(p.Dropped, " ") != "huge low" {
			t.Errorf("%s: %+v", method, p)
		}
	}
}

func TestDimensionsNodesAndRestrictionsComeFromJSON(t *testing.T) {
	p := packAnswer(t, `{
		"nodes": [{"id": "a", "count": 2, "cpu": 1, "mem": 1, "rigid": {"gpu": 1}, "fluid": {"net": 1}}, {"cpu": 4, "mem": 4}],
		"items": [
			{"id": "x", "cpu": 1, "mem": 0.1, "rigid": {"gpu": 1}},
			{"id": "y", "count": 2, "cpu": 0.5, "mem": 0.1, "fluid": {"net": {"slope": 0.5}}, "together": true},
			{"id": "z", "count": 2, "cpu": 1, "mem": 0.1, "allowed": ["n2"]},
			{"id": "w", "mem": 0.1, "allowed": ["a-1"]},
			{"id": "p", "cpu": 0.1, "mem": 0.1, "pinned": ["n2"]}]}`, "--mapping")
	nodes := func(i int) string { return strings.Join(p.Mapping[i].Nodes, " ") }
	if p.Yield != 1 || p.Nodes != 3 || p.Tasks != 7 || nodes(2) != "n2 n2" || nodes(3) != "a-1" || nodes(4) != "n2" ||
		p.Mapping[1].Nodes[0] != p.Mapping[1].Nodes[1] || p.Mapping[0].Nodes[0] == p.Mapping[1].Nodes[0] {
		t.Errorf("%+v", p)
	}
}

func TestWrongFlagsOfPackAreWrongUsage(t *testing.T) {
	for _, flags := range []string{"--nodes 0", "--nodes 2000000", "--accuracy 0.9", "--accuracy -1", "--method FFD",
		"--time-limit -1s"} {
		if o := packText(t, someTasks, flags); o.code != exitUsage {
			t.Errorf("%s: exit code %d, %s", flags, o.code, o.err)
		}
	}
	if o := packText(t, someTasks, "--nodes 1e9"); o.code != exitUsage ||
		o.err != "aliquot: --nodes is \"1e9\", must be a whole number in plain digits\nSee `aliquot pack --help`.\n" {
		t.Errorf("%+v", o)
	}
	if o := packText(t, someTasks, "--time-limit soon"); o.code != exitUsage ||
		!strings.HasPrefix(o.err, "aliquot: --time-limit is \"soon\", must be a time like 90s or 1h30m\n") {
		t.Errorf("%+v", o)
	}
	if o := packText(t, `{"nodes": [{"cpu": 1, "mem": 1}], "items": []}`, "--nodes 5"); o.code != exitUsage ||
		!strings.Contains(o.err, "lists 1") {
		t.Errorf("%+v", o)
	}
}

func TestExtremeInstancesHaveValidAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		yield    float64
		feasible bool
	}{
		"nobody":                    {"id,count,cpu,mem\n", 1, true},
		"who needs nothing":         {"id,count,cpu,mem\na,1000,0,0\n", 1, true},
		"a million alike":           {"id,count,cpu,mem\na,1000000,0.001,0.0001\n", 0.127992, true},
		"larger than a node":        {"id,count,cpu,mem\na,1,0.1,1.000001\n", 0, false},
		"more CPU than a node has":  {"id,count,cpu,mem\na,1,4,1\n", 0.25, true},
		"enormous":                  {"id,count,cpu,mem\na,1,1e9,0\n", 1e-9, true},
		"tenths that add up to one": {"id,count,cpu,mem\na,1280,0.1,0.1\n", 1, true},
		"a grain more than all":     {"id,count,cpu,mem\na,1280,0.1,0.1\nb,1,0,0.000000001\n", 0, false},
	} {
		for _, method := range []string{"mcb8", "portfolio"} {
			p := packAnswer(t, c.text, "--method "+method)
			if p.Feasible == nil || *p.Feasible != c.feasible || p.Yield < c.yield*0.97 || p.Yield > c.yield*1.0001 ||
				p.Yield > p.Bound*(1+1e-9) {
				t.Errorf("%s by %s: %+v, want yield %v", name, method, p, c.yield)
			}
		}
	}
}

func TestPictureShowsEveryTaskOnItsNode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.svg")
	if o := packText(t, strings.ReplaceAll(someTasks, "web", "<web>"), "--nodes 3 --picture "+path); o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(text), "<title>&lt;web&gt;</title>"); got != 5 ||
		strings.Count(string(text), "<text") != 3 {
		t.Errorf("%d of 5 tasks are drawn:\n%s", got, text)
	}
}

func TestWhereNothingIsMappedThePictureShowsEmptyNodes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.svg")
	if o := packText(t, someTasks, "--nodes 2 --picture "+path); o.code != exitInfeasible {
		t.Fatalf("%+v", o)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "<text") != 2 ||
		strings.Contains(string(text), "web") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestAPictureThatCannotBeDrawnIsRefusedBeforeTheSearch(t *testing.T) {
	if o := packText(t, someTasks, "--nodes 3 --picture /nowhere/nodes.svg"); o.code != exitUsage || o.out != "" ||
		!strings.Contains(o.err, "/nowhere/nodes.svg") {
		t.Errorf("%+v", o)
	}
	if o := packText(t, someTasks, "--nodes 3 --picture /dev/full"); o.code != exitFailed ||
		!strings.HasPrefix(o.out, "yield ") ||
		o.err != "aliquot: write /dev/full: write /dev/full: no space left on device\n" {
		t.Errorf("the answer is lost, or that there is no picture: %+v", o)
	}
}

func TestAPictureIsReplacedByAWholeOneOnly(t *testing.T) {
	path := textFile(t, "nodes.svg", "old")
	for what, o := range map[string]outcome{
		"unreadable":       packText(t, "id\n", "--picture "+path),
		"cut while read":   packText(t, someTasks, "--nodes 3 --time-limit 1ns --picture "+path),
		"into a folder":    packText(t, someTasks, "--nodes 3 --picture "+filepath.Dir(path)),
		"through the file": packText(t, someTasks, "--nodes 3 --picture "+path+"/nodes.svg"),
	} {
		if o.code == exitDone || content(t, path) != "old" {
			t.Errorf("%s: %+v", what, o)
		}
	}
	if o := packText(t, someTasks, "--nodes 3 --picture "+path); o.code != exitDone ||
		!strings.HasPrefix(content(t, path), "<svg") {
		t.Errorf("%+v", o)
	}
	if names := folder(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("left: %v", names)
	}
}

func TestAPictureIsNotDrawnOverTheInput(t *testing.T) {
	input := textFile(t, "tasks.csv", someTasks)
	link := filepath.Join(t.TempDir(), "link.csv")
	if err := os.Symlink(input, link); err != nil {
		t.Fatal(err)
	}
	d := &desk{TB: t}
	for _, picture := range []string{input, link, filepath.Dir(input) + "/./tasks.csv"} {
		if o := d.run("pack --nodes 3 --picture " + picture + " " + input); o.code != exitUsage || o.out != "" ||
			o.err != "aliquot: the picture would replace "+picture+", which is the input: name another file\n" {
			t.Errorf("%+v", o)
		}
	}
	in, err := os.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, wrong strings.Builder
	a := &app{in: in, out: &out, err: &wrong, env: func(string) (string, bool) { return "", false }}
	if code := a.run(t.Context(), []string{"pack", "--picture", input, "-"}); code != exitUsage ||
		content(t, input) != someTasks {
		t.Errorf("from standard input: exit code %d, %s", code, wrong.String())
	}
}

func TestANodeWithoutCPUIsDrawnAsALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes.svg")
	if o := packText(t, `{"nodes": [{"id": "store", "mem": 1}], "items": [{"id": "cache", "mem": 0.5}]}`, "--picture "+
		path); o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `width="2" height="110" fill="none"`) ||
		!strings.Contains(string(text), `width="2.0" height="55.0" fill="#`) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestWhetherItFitsDependsOnRoomAlone(t *testing.T) {
	allowed := func(tasks int, mem float64) string {
		return fmt.Sprintf(`{"nodes": [{"id": "a", "cpu": 1, "mem": 1}, {"id": "b", "count": %d, "cpu": 1, "mem": 1}],
			"items": [{"id": "x", "count": %d, "cpu": 1, "mem": %g, "allowed": ["a"]}]}`, tasks-1, tasks, mem)
	}
	for name, c := range map[string]struct {
		text, flags   string
		yield, atMost float64
	}{
		"all on one of 200 nodes":   {allowed(200, 0.001), "", 0.0049, 0.00501},
		"all on one of 2,000 nodes": {allowed(2000, 0.0001), "", 0.00049, 0.000501},
		"CPU is where memory is":    {"id,count,cpu,mem\nbig,998,0,0.5\nsmall,1000,1,0.001\n", "--nodes 500", 0.0005, 1},
		"the same on four times as many": {"id,count,cpu,mem\nbig,3998,0,0.5\nsmall,2000,1,0.0005\n",
			"--nodes 2000", 0.0001, 1},
		"one node of CPU, one of memory": {`{"nodes": [{"id": "c", "cpu": 9, "mem": 0.1}, {"id": "m", "cpu": 0.1, "mem": 9}], "items": [{"id": "x", "count": 8, "cpu": 1, "mem": 1}]}`, "", 0.01249, 0.012501},
		"very many to three processors":  {"id,count,cpu,mem\na,100000,1,2e-5\n", "--nodes 3", 2.9e-5, 3.01e-5},
		"nobody has CPU": {`{"nodes": [{"cpu": 0, "mem": 1}], "items": [{"id": "x", "cpu": 1, "mem": 1}]}`,
			"", 0, 0},
	} {
		for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
			p := packAnswer(t, c.text, "--method "+method+" "+c.flags)
			if !p.fits() || p.Yield < c.yield || p.Bound > c.atMost || len(p.Dropped) > 0 {
				t.Errorf("%s by %s: %+v", name, method, p)
			}
		}
	}
}

// At the lowest levels both items need mostly memory, so b comes first and takes the only node that a could use.
func TestAccuracyDoesNotDecideWhetherItFits(t *testing.T) {
	const text = `{"nodes": [{"id": "none", "cpu": 0, "mem": 0}, {"id": "first", "cpu": 1, "mem": 36}, {"id": "second", "cpu": 1, "mem": 36}],
		"items": [{"id": "a", "cpu": 1, "mem": 1, "allowed": ["first"]}, {"id": "b", "cpu": 3, "mem": 36}]}`
	for _, method := range []string{"mcb8", "portfolio", "PP1/max"} {
		for _, accuracy := range []string{"0.5", "0.3", "0.1", "0.01", "0.001"} {
			if p := packAnswer(t, text, "--method "+method+" --accuracy "+accuracy); !p.fits() || p.Yield <= 0 ||
				len(p.Dropped) > 0 {
				t.Errorf("%s at %s: %+v", method, accuracy, p)
			}
		}
	}
}

func TestWhatIsTinyIsNotShownAsNothing(t *testing.T) {
	o := packText(t, "id,count,cpu,mem\na,10,1e6,0.1\n", "--nodes 1")
	if !strings.HasPrefix(o.out, "yield 1e-07\nbound 1e-07\ngap 0.000000\n") {
		t.Errorf("%+v", o)
	}
}

func TestWhatWasCutShortBeforeAnythingHadAPlaceIsUnknown(t *testing.T) {
	for name, text := range map[string]string{
		"one task":       "id,count,cpu,mem\na,1,0.5,0.1\n",
		"may be dropped": `{"items": [{"id": "a", "cpu": 0.5, "mem": 0.1, "priority": 1}]}`,
	} {
		for _, method := range []string{"mcb8", "portfolio"} {
			p := packAnswer(t, text, "--time-limit 1ns --method "+method)
			if p.Feasible != nil || p.Yield != 0 || p.Gap != 1 || !p.Cut || p.Mapping != nil {
				t.Errorf("%s by %s: %+v", name, method, p)
			}
		}
		if o := packText(t, text, "--time-limit 1ns"); o.code != exitLate ||
			!strings.HasPrefix(o.out, "feasible unknown\nyield 0.000000\n") ||
			o.err != "aliquot: reading used up the time limit\n" {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// impatient is a context that ends after the given number of checks.
type impatient struct {
	context.Context
	left *int
}

func (c impatient) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestWhoSaysStopGetsTheBestAnswerByThen(t *testing.T) {
	text := "id,count,cpu,mem\n"
	for i := range 500 {
		text += fmt.Sprintf("g%d,1,%.4f,%.4f\n", i, 0.05+float64(i*7919%10007)/20000, 0.02+float64(i*104729%10007)/90000)
	}
	codes := map[int]bool{}
	for _, method := range []string{"mcb8", "portfolio"} {
		for _, asked := range []int{0, 20, 100, 200} {
			var out, wrong strings.Builder
			a := &app{in: strings.NewReader(text), out: &out, err: &wrong, env: func(string) (string, bool) { return "", false }}
			code := a.run(impatient{t.Context(), &asked}, []string{"pack", "--nodes", "75", "--method", method, "-"})
			if known := !strings.HasPrefix(out.String(), "feasible unknown\n"); !strings.Contains(out.String(), "cut short\n") ||
				known != (code == exitDone) || !known && code != exitLate {
				t.Errorf("%s: exit code %d: %s%s", method, code, out.String(), wrong.String())
			}
			codes[code] = true
		}
	}
	if len(codes) != 2 {
		t.Errorf("exit codes %v, want some with an answer and some without", codes)
	}
}

func TestWhoSaysStopNeedNotWaitForTheEndOfInput(t *testing.T) {
	in, never := io.Pipe()
	defer never.Close()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	var out, wrong strings.Builder
	a := &app{in: in, out: &out, err: &wrong, env: func(string) (string, bool) { return "", false }}
	if code := a.run(stopped, []string{"pack", "-"}); code != exitLate ||
		!strings.HasPrefix(out.String(), "feasible unknown\n") || wrong.String() != "aliquot: stopped before the end\n" {
		t.Errorf("exit code %d: %s%s", code, out.String(), wrong.String())
	}
}

func TestInputThatNeverEndsUsesUpTheTimeLimit(t *testing.T) {
	in, never := io.Pipe()
	defer never.Close()
	var out, wrong strings.Builder
	a := &app{in: in, out: &out, err: &wrong, env: func(string) (string, bool) { return "", false }}
	if code := a.run(t.Context(), []string{"pack", "--time-limit", "1ms", "-"}); code != exitLate ||
		!strings.HasPrefix(out.String(), "feasible unknown\n") {
		t.Errorf("exit code %d: %s%s", code, out.String(), wrong.String())
	}
}

func TestATimeLimitThatIsLongEnoughChangesNothing(t *testing.T) {
	if p := packAnswer(t, someTasks, "--nodes 3 --time-limit 1h"); p.Cut || !p.fits() {
		t.Errorf("an hour was too short: %+v", p)
	}
}

func TestARefusedInstanceIsWrongUsage(t *testing.T) {
	want := "aliquot: standard input:1: there is no list of items\n"
	if o := packText(t, "{}", ""); o.code != exitUsage || o.err != want || o.out != "" {
		t.Errorf("%+v", o)
	}
}

func TestTimeForTheAnswerIsTakenOffTheLimit(t *testing.T) {
	until := time.Unix(100, 0)
	for want, f := range map[time.Duration]packFlags{
		time.Second / 4:     {},
		7 * time.Second / 4: {mapping: true},
	} {
		l := packLimit{until}
		if l.reserve(time.Second, f); until.Sub(l.until) != want {
			t.Errorf("%+v: %v, want %v", f, until.Sub(l.until), want)
		}
	}
	none := packLimit{}
	if none.reserve(time.Second, packFlags{}); none.stop(t.Context())() {
		t.Error("no limit has become one")
	}
}

func TestWhereNobodyCanHaveMoreThanNothingNothingIsMissing(t *testing.T) {
	for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
		p := packAnswer(t, `{"nodes": [{"cpu": 0, "mem": 1}], "items": [{"id": "a", "cpu": 1, "mem": 1}]}`,
			"--method "+method)
		if !p.fits() || p.Yield != 0 || p.Bound != 0 || p.Gap != 0 {
			t.Errorf("%s: %+v", method, p)
		}
	}
}

func TestWhereAllIsDroppedTheYieldIsNone(t *testing.T) {
	for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
		p := packAnswer(t, `{"items": [{"id": "a", "cpu": 0.5, "mem": 1.1, "priority": 1}]}`, "--method "+method)
		if p.Feasible == nil || *p.Feasible || p.Yield != 0 || p.Bound != 0 || len(p.Dropped) != 1 {
			t.Errorf("%s: %+v", method, p)
		}
	}
}
