package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// packText packs what standard input says.
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

// fits says that everything has a place.
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
		if p.Feasible == nil || *p.Feasible || p.Yield != 0 || p.Bound != 0 || len(p.Dropped) != 0 || p.Tasks != 8 || p.Nodes != 2 {
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
	if !p.fits() || len(p.Dropped) != 1 || p.Dropped[0] != "b" || p.Yield != 1 || p.Mapping[0].Nodes[0] != "big" || len(p.Mapping[1].Nodes) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestDimensionsNodesAndRestrictionsComeFromJSON(t *testing.T) {
	p := packAnswer(t, `{
		"nodes": [{"id": "a", "count": 2, "cpu": 1, "mem": 1, "rigid": {"gpu": 1}, "fluid": {"net": 1}}, {"cpu": 4, "mem": 4}],
		"items": [
			{"id": "x", "cpu": 1, "mem": 0.1, "rigid": {"gpu": 1}},
			{"id": "y", "count": 2, "cpu": 0.5, "mem": 0.1, "fluid": {"net": {"slope": 0.5}}, "together": true},
			{"id": "z", "count": 2, "cpu": 1, "mem": 0.1, "allowed": ["n2"]},
			{"id": "p", "cpu": 0.1, "mem": 0.1, "pinned": ["n2"]}]}`, "--mapping")
	nodes := func(i int) string { return strings.Join(p.Mapping[i].Nodes, " ") }
	if p.Yield != 1 || p.Nodes != 3 || p.Tasks != 6 || nodes(2) != "n2 n2" || nodes(3) != "n2" || p.Mapping[1].Nodes[0] != p.Mapping[1].Nodes[1] || p.Mapping[0].Nodes[0] == p.Mapping[1].Nodes[0] {
		t.Errorf("%+v", p)
	}
}

func TestMalformedInstancesAreRefusedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                 "standard input:1: the first line must be id,count,cpu,mem",
		"id,cpu,mem\n":                                     "standard input:1: the first line must be id,count,cpu,mem",
		"id,count,cpu,mem\na,1,0.5\n":                      "standard input:2: has 3 fields, must have 4: id,count,cpu,mem",
		"id,count,cpu,mem\na,0,0.5,1\n":                    `standard input:2: count is "0", must be a whole number from 1 to 10000000`,
		"id,count,cpu,mem\n\na,1,NaN,1\n":                  "standard input:3: cpu is NaN, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,1,-0.1\n":                   "standard input:2: mem is -0.1, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,1,+Inf\n":                   "standard input:2: mem is +Inf, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,1e300,1\n":                  "standard input:2: cpu is 1e+300, must be a number from 0 to 1e+09, in unit nodes",
		"id,count,cpu,mem\na,1,one,1\n":                    `standard input:2: cpu is "one", must be a number from 0 to 1e+09, in unit nodes`,
		"id,count,cpu,mem\na,1,0,1\na,1,0,1":               `standard input:3: the id "a" is that of line 2 too`,
		"id,count,cpu,mem\n,1,0,1":                         "standard input:2: the id is empty",
		"id,count,cpu,mem\na,1,\"0,1":                      `standard input:2: extraneous or missing " in quoted-field`,
		"id,count,cpu,mem\na,9000000,0,0\nb,9000000,0,0\n": "standard input:3: with its tasks there are 18000000, must be at most 10000000",
		"{\n\"items\": [\n{\"id\": \"a\"},\n{\"ix\": 1}]}": `standard input:4: there is no field "ix" here; docs/formats/packing.md lists those that there are`,
		"{": "standard input:1: the file ends before it is complete: a bracket is missing, or it was cut off",
		"{\"nodes\": [{\"id\": \"a\",\n\"cpu\": 1}],\n\"items\": [":                            "standard input:3: the file ends before it is complete: a bracket is missing, or it was cut off",
		"{\"items\": [\n{\"id\": \"a\", \"cpu\"":                                               "standard input:2: the file ends before it is complete: a bracket is missing, or it was cut off",
		"{\"items\": [\n{\"id\": \"a\", \"cpu\": \"1\"}]}":                                     "standard input:2: cpu is a string, must be a number",
		"{\"items\": [\n{\"id\": \"a\", \"count\": 1.5}]}":                                     "standard input:2: count is a number, must be a whole number",
		"{\"items\": [\n7]}":                                                                   "standard input:2: this is a number, must be an object with fields",
		"{\"items\": [\n{\"id\": \"a\", \"fluid\": {\"net\": {\"slope\": true}}}]}":            "standard input:2: fluid.slope is a bool, must be a number",
		"{\"nodes\": [],\n\"items\": []}":                                                      "standard input:1: the list of nodes is empty: name some, or leave it out for --nodes unit nodes",
		"{\"items\": [],\n\"items\": []}":                                                      "standard input:2: items is there twice",
		"{\"items\": 3}":                                                                       "standard input:1: a list must begin here",
		"{\"nodes\": [{\"id\": \"a\", \"count\": 2, \"cpu\": 1},\n{\"id\": \"a-0\"}]}":         `standard input:2: there is another node "a-0"`,
		"{\"nodes\": [{\"id\": \"a-0\"},\n{\"id\": \"a\", \"count\": 2}]}":                     `standard input:2: there is another node "a-0"`,
		"{\"nodes\": [{\"id\": \"a\", \"count\": 2},\n{\"id\": \"a-0\", \"count\": 2}]}":       `standard input:2: there is another node "a-0"`,
		"{\"nodes\": [{\"id\": \"a-0\", \"count\": 2},\n{\"id\": \"a\", \"count\": 2}]}":       `standard input:2: there is another node "a-0"`,
		"{\n\"items\": [\n{\"id\": \"a\", \"mem\": -1}]}":                                      "standard input:3: mem is -1, must be a number from 0 to 1e+09, in unit nodes",
		"{\n\"items\": [\n{\"id\": \"a\"},\n{\"id\": \"a\"}]}":                                 `standard input:4: the id "a" is that of line 3 too`,
		"{\"items\": [],\n\"jobs\": []}":                                                       "standard input:2: there is no field jobs here, only nodes and items",
		"{\"items\": [\n{\"id\": \"a\", \"allowed\": [\"n\"]}]}":                               `standard input:2: allowed: there is no node "n"`,
		"{\"items\": [{\"id\": \"a\"}]} {}":                                                    "standard input:1: something follows the end",
		"{\"items\": [\n{\"id\": \"a\", \"count\": 2, \"spread\": true, \"together\": true}]}": "standard input:2: its tasks are to be spread, and to be together",
	} {
		if o := packText(t, text, ""); o.code != exitUsage || o.err != "aliquot: "+want+"\n" || o.out != "" {
			t.Errorf("%q: exit code %d, %s", text, o.code, o.err)
		}
	}
}

func TestWrongFlagsOfPackAreWrongUsage(t *testing.T) {
	for _, flags := range []string{"--nodes 0", "--nodes 2000000", "--accuracy 0.9", "--accuracy -1", "--method FFD", "--time-limit -1s"} {
		if o := packText(t, someTasks, flags); o.code != exitUsage {
			t.Errorf("%s: exit code %d, %s", flags, o.code, o.err)
		}
	}
	if o := packText(t, `{"nodes": [{"cpu": 1, "mem": 1}]}`, "--nodes 5"); o.code != exitUsage || !strings.Contains(o.err, "lists 1") {
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
			if p.Feasible == nil || *p.Feasible != c.feasible || p.Yield < c.yield*0.97 || p.Yield > c.yield*1.0001 || p.Yield > p.Bound*(1+1e-9) {
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
	if got := strings.Count(string(text), "<title>&lt;web&gt;</title>"); got != 5 || strings.Count(string(text), "<text") != 3 {
		t.Errorf("%d of 5 tasks are drawn:\n%s", got, text)
	}
}

func TestTimeLimitCutsTheSearchShortAndIsSaid(t *testing.T) {
	var text strings.Builder
	text.WriteString("id,count,cpu,mem\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "g%d,1,%.4f,%.4f\n", i, 0.05+float64(i*7919%10007)/20000, 0.02+float64(i*104729%10007)/90000)
	}
	path := filepath.Join(t.TempDir(), "tasks.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	o := (&desk{TB: t}).run("pack --nodes 300 --time-limit 1ns " + path)
	if !strings.Contains(o.out, "cut short\n") {
		t.Errorf("%+v", o)
	}
	p := packAnswer(t, text.String(), "--nodes 300 --time-limit "+time.Hour.String())
	if p.Cut || !p.fits() {
		t.Errorf("an hour was too short: %+v", p)
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
		"all on one of 200 nodes":        {allowed(200, 0.001), "", 0.0049, 0.00501},
		"all on one of 2,000 nodes":      {allowed(2000, 0.0001), "", 0.00049, 0.000501},
		"CPU is where memory is":         {"id,count,cpu,mem\nbig,998,0,0.5\nsmall,1000,1,0.001\n", "--nodes 500", 0.0005, 1},
		"the same on four times as many": {"id,count,cpu,mem\nbig,3998,0,0.5\nsmall,2000,1,0.0005\n", "--nodes 2000", 0.0001, 1},
		"one node of CPU, one of memory": {`{"nodes": [{"id": "c", "cpu": 9, "mem": 0.1}, {"id": "m", "cpu": 0.1, "mem": 9}], "items": [{"id": "x", "count": 8, "cpu": 1, "mem": 1}]}`, "", 0.01249, 0.012501},
		"very many to three processors":  {"id,count,cpu,mem\na,100000,1,2e-5\n", "--nodes 3", 2.9e-5, 3.01e-5},
		"nobody has CPU":                 {`{"nodes": [{"cpu": 0, "mem": 1}], "items": [{"id": "x", "cpu": 1, "mem": 1}]}`, "", 0, 0},
	} {
		for _, method := range []string{"mcb8", "portfolio", "FF/max"} {
			p := packAnswer(t, c.text, "--method "+method+" "+c.flags)
			if !p.fits() || p.Yield < c.yield || p.Bound > c.atMost || len(p.Dropped) > 0 {
				t.Errorf("%s by %s: %+v", name, method, p)
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
		if o := packText(t, text, "--time-limit 1ns"); o.code != exitLate || !strings.HasPrefix(o.out, "feasible unknown\nyield 0.000000\n") {
			t.Errorf("%s: %+v", name, o)
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

func TestNodesWithoutNamesGetThoseThatAreFree(t *testing.T) {
	p := packAnswer(t, `{"nodes": [{"id": "n1", "cpu": 1, "mem": 1}, {"cpu": 5, "mem": 5}, {"id": "n2", "cpu": 1, "mem": 1}], "items": [{"id": "x", "cpu": 5, "mem": 2}]}`, "--mapping")
	if !p.fits() || p.Mapping[0].Nodes[0] != "n3" {
		t.Errorf("%+v", p)
	}
}

func TestItemsAllowedOnTheSameNodesShareOneList(t *testing.T) {
	var items []string
	for i := range 100 {
		items = append(items, fmt.Sprintf(`{"id": "x%d", "cpu": 1, "allowed": ["a", "b"]}, {"id": "y%d", "cpu": 1, "allowed": ["b"]}`, i, i))
	}
	in, err := readPacking("f", []byte(`{"nodes": [{"id": "a", "cpu": 1}, {"id": "b", "count": 9999, "cpu": 1}], "items": [`+strings.Join(items, ",")+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	lists := map[*bool]bool{}
	for i := range in.problem.Items {
		lists[&in.problem.Items[i].Allowed[0]] = true
	}
	if len(lists) != 2 {
		t.Errorf("%d lists, want 2", len(lists))
	}
}

func FuzzPackAnswersOrRefuses(f *testing.F) {
	for _, text := range []string{
		someTasks, "id,count,cpu,mem\na,1,1e-300,1\n", "id,count,cpu,mem\na,1,0x1p-2,1\n", "{}", `{"nodes":[{"cpu":1,"mem":1}],"items":[{"id":"a","mem":0.5,"count":3,"spread":true}]}`,
		`{"items":[{"id":"a","fluid":{"net":{"slope":1,"base":-1,"most":0.5}}}]}`, `{"items":[{"id":"a","priority":1e308,"cpu":2}]}`, `{"items":[`, "\xef\xbb\xbfid,count,cpu,mem\r\na,1,1,1\r\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := readPacking("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("without file: %v", err)
			}
			return
		}
		if len(in.problem.Nodes) == 0 {
			in.units(3)
		}
		if err := in.problem.Validate(); err != nil {
			t.Fatal(err)
		}
		if in.tasks > 2000 || len(in.problem.Nodes) > 2000 {
			return
		}
		for _, method := range []string{"mcb8", "portfolio"} {
			p, _ := in.solve(packFlags{method: method, mapping: true}, time.Now())
			if !(p.Yield >= 0 && p.Yield <= 1 && p.Yield <= p.Bound*(1+1e-8) && p.Gap >= 0 && p.Gap <= 1) {
				t.Fatalf("%s: %+v", method, p)
			}
		}
	})
}
