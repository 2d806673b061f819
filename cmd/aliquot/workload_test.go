package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/workload"
	"aliquot/workload/stream"
)

const smallLog = `; Version: 2.2
; MaxNodes: 2
; MaxProcs: 8
; Note: made up
1      10 0 100 4 -1      -1 4 200  524288 1 1 1 -1 1 1 -1 -1
2      20 0   0 3 -1      -1 3 200  524288 1 1 1 -1 1 1 -1 -1
3      15 0 100 4 -1 1048576 4 200  524288 1 2 1 -1 1 1 -1 -1
4  604810 0  -1 4 -1    1000 4  -1    2000 1 2 1 -1 1 1 -1 -1
5 1209605 0 100 1 -1      -1 1 200      -1 1 2 1 -1 1 1 -1 -1
`

func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func jobsIn(t *testing.T, text string) []workload.Job {
	t.Helper()
	jobs, err := workload.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func folder(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestLogsAreCutIntoWeeksOfTheNativeFormat(t *testing.T) {
	d, out := newDesk(t), filepath.Join(t.TempDir(), "weeks")
	o := d.run("workload prepare --rules hpc2n --split week --out " + out + " " + textFile(t, "log.swf", smallLog))
	if want := "4 jobs in 2 files, " + out + "/week000.csv to week002.csv\n"; o.code != exitDone || o.out != want {
		t.Errorf("%+v, want %q", o, want)
	}
	for _, want := range []string{
		"repaired 1: the run time is 0; taken as 1 s (jobs 2)", "repaired 1: submitted before",
		"skipped 1: the run time is unknown (jobs 4)",
	} {
		if !strings.Contains(o.err, want) {
			t.Errorf("no %q in %s", want, o.err)
		}
	}
	got := fileText(t, filepath.Join(out, "week000.csv")) + fileText(t, filepath.Join(out, "week002.csv"))
	want := "id,submit,tasks,cpu,mem,runtime,estimate,user\n1,10,2,1,0.5,100,200,1\n3,15,4,0.5,0.5,100,200,2\n2,20,3,0.5,0.25,1,200,1\n" +
		"id,submit,tasks,cpu,mem,runtime,estimate,user\n5,5,1,0.5,0.1,100,200,2\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"week000.csv", "week002.csv"}, folder(t, out)); diff != "" {
		t.Error(diff)
	}
}

func TestGenericRulesTakeTheNodesOfTheLog(t *testing.T) {
	d := newDesk(t)
	got := jobsIn(t, d.ok("workload prepare "+textFile(t, "log.swf", smallLog)))
	if j := got[0]; j.Tasks != 4 || j.Need != workload.UnitCPU/4 || j.Memory != workload.UnitMemory/10 {
		t.Errorf("%+v", j)
	}
	got = jobsIn(t, d.ok("workload prepare --cores 2 --node-memory 1Gi "+textFile(t, "log.swf", smallLog)))
	if j := got[0]; j.Tasks != 4 || j.Need != workload.UnitCPU/2 || j.Memory != workload.UnitMemory/2 {
		t.Errorf("%+v", j)
	}
}

func TestDrawnStreamsHaveTheLoadsAndNamesThatWereAskedFor(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	d.ok("workload gen lublin --seed 9 --jobs 200 --nodes 64 --count 2 --load 0.3,0.9 --out " + out)
	names := []string{"lublin-s9-000-load0.3.csv", "lublin-s9-000-load0.9.csv", "lublin-s9-001-load0.3.csv",
		"lublin-s9-001-load0.9.csv"}
	if diff := cmp.Diff(names, folder(t, out)); diff != "" {
		t.Fatal(diff)
	}
	for i, name := range names {
		jobs := jobsIn(t, fileText(t, filepath.Join(out, name)))
		want := []float64{0.3, 0.9}[i%2]
		if got := workload.Load(jobs, 64); len(jobs) != 200 || math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %d jobs with load %v", name, len(jobs), got)
		}
	}
	one := d.ok("workload gen lublin --seed 9 --jobs 200 --nodes 64 --load 0.3")
	if one != fileText(t, filepath.Join(out, names[0])) {
		t.Error("standard output differs from the file")
	}
	if d.ok("workload gen lublin --seed 10 --jobs 5") == d.ok("workload gen lublin --seed 9 --jobs 5") {
		t.Error("the seed has no effect")
	}
}

// longRuns is a stream of jobs that run longer than most estimates.
func longRuns(t *testing.T) string {
	t.Helper()
	return traceFile(t, "1,0,1,1,0.1,90000", "2,0,1,1,0.1,90000", "3,0,1,1,0.1,90000")
}

func TestEstimatesAreAddedToAStreamFromAPipe(t *testing.T) {
	d := newDesk(t)
	drawn := d.ok("workload gen feitelson --jobs 300 --load 0.6")
	if got := workload.Load(jobsIn(t, drawn), 320); math.Abs(got-0.6) > 1e-6 {
		t.Errorf("the load is %v", got)
	}
	o := d.typeWith(drawn, "workload", "gen", "tsafrir", "--max", "20h", "-")
	if o.code != exitDone || o.err != "" {
		t.Fatalf("%+v", o)
	}
	jobs := jobsIn(t, o.out)
	for i := range jobs {
		if e := jobs[i].Estimate; e < jobs[i].Runtime || e > 20*cluster.Hour {
			t.Fatalf("%+v", jobs[i])
		}
		jobs[i].Estimate = 0
	}
	if diff := cmp.Diff(jobsIn(t, drawn), jobs); diff != "" {
		t.Error(diff)
	}
}

func TestPropertiesOfTheTiersAreDrawnOnDemand(t *testing.T) {
	d := newDesk(t)
	at := d.ok("workload gen jann --jobs 50 --tiers --load 0.5")
	if again := d.ok("workload gen jann --jobs 50 --tiers --load 0.9"); len(jobsIn(t, at)) != 50 || at == again {
		t.Error("the load has no effect")
	}
	for _, text := range []string{at, d.ok("workload gen lublin --jobs 50 --tiers"),
		d.ok("workload gen tsafrir --tiers " + textFile(t, "log.swf", smallLog))} {
		for _, j := range jobsIn(t, text) {
			if j.Efficiency == 0 || j.Loss == 0 || j.Memory != workload.UnitMemory/10 ||
				(j.Tasks == 1) != (j.Need == workload.UnitCPU) {
				t.Errorf("%+v", j)
			}
		}
	}
	if strings.Contains(d.ok("workload gen jann --jobs 50"), "eff") {
		t.Error("the properties are drawn without being asked for")
	}
}

func TestRunTimesAboveTheGreatestEstimateAreCutAndCounted(t *testing.T) {
	d, rows := newDesk(t), []string{"1,0,1,1,0.1,90000"}
	for id := 2; id <= 20; id++ {
		rows = append(rows, fmt.Sprintf("%d,0,1,1,0.1,60", id))
	}
	o := d.run("workload gen tsafrir " + traceFile(t, rows...))
	if o.code != exitDone || !strings.HasSuffix(o.err, "trace.csv: 1 job ran longer than 18h0m0s: cut\n") {
		t.Fatalf("%+v", o)
	}
	if j := jobsIn(t, o.out)[0]; j.Runtime != 18*cluster.Hour || j.Estimate != 18*cluster.Hour {
		t.Errorf("%+v", j)
	}
}

func TestScalingKeepsAllButTheSubmissions(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,100,4,1,0.5,60", "2,160,1,0.25,0.1,60")
	want := "id,submit,tasks,cpu,mem,runtime\n1,100,4,1,0.5,60\n2,175,1,0.25,0.1,60\n"
	if got := d.ok("workload scale --load 0.5 --nodes 8 " + path); got != want {
		t.Error(got)
	}
	out := t.TempDir()
	d.ok("workload scale --load 0.5,1 --nodes 8 --out " + out + " " + path)
	if diff := cmp.Diff([]string{"trace-load0.5.csv", "trace-load1.csv"}, folder(t, out)); diff != "" {
		t.Error(diff)
	}
}

func TestALoadThatIsInfiniteIsADash(t *testing.T) {
	d, one := newDesk(t), traceFile(t, "1,10,1,1,0.5,60")
	if out := d.ok("workload stat --nodes 2 " + one); !strings.Contains(out, "load (2 nodes)    -\n") {
		t.Error(out)
	}
	if out := d.ok("workload stat -o json " + one); !strings.Contains(out, `"load": null`) {
		t.Error(out)
	}
	if out := d.ok("workload stat " + one + " " + traceFile(t, "1,0,1,1,0.5,60", "2,60,1,1,0.5,60")); !strings.Contains(
		out, "-      1.00") || !strings.Contains(out, "0.016") {
		t.Error(out)
	}
}

func TestWhatALogCannotHoldOfAStreamIsSaid(t *testing.T) {
	d := newDesk(t)
	trace := textFile(t, "l.csv",
		"id,submit,tasks,cpu,mem,runtime,user,priority\n1,0,2,0.25,0.5,60,alice,\n2,5,1,1,0.25,60,7,3\n")
	bare := filepath.Join(t.TempDir(), "bare.swf")
	o := d.run("workload convert " + trace + " " + bare)
	want := trace + ": lost of 1 job: its need of CPU, which is not that of whole processors (jobs 1)\n" +
		trace + ": lost of 2 jobs: its memory, since that of a node is not known (jobs 1, 2)\n" +
		trace + ": lost of 1 job: its user, which is not a number (jobs 1)\n" +
		trace + ": lost of 1 job: its priority (jobs 2)\n" +
		"A log counts processors and KB: --rules, --cores and --node-memory define a node's size and its tasks.\n"
	if o.code != exitDone || o.err != want {
		t.Errorf("%+v; want %s", o, want)
	}
	whole, back := filepath.Join(t.TempDir(), "whole.swf"), filepath.Join(t.TempDir(), "back.csv")
	if o := d.run("workload convert --cores 4 --node-memory 8Gi " + traceFile(t, "1,0,1,1,0.5,60", "2,0,1,0.25,0.05,60") +
		" " + whole); !strings.Contains(o.err, "lost of 1 job: its number of tasks") ||
		!strings.Contains(o.err, "lost of 2 jobs: its exact memory (jobs 1, 2)") {
		t.Errorf("%+v", o)
	}
	plain := traceFile(t, "1,0,2,0.25,0.5,60", "2,5,1,0.25,0.25,60")
	if o := d.run("workload convert --force --cores 4 --node-memory 8Gi " + plain + " " + whole); o.code != exitDone ||
		o.err != "" {
		t.Errorf("%+v", o)
	}
	d.ok("workload convert --cores 4 --node-memory 8Gi " + whole + " " + back)
	jobs := jobsIn(t, fileText(t, back))
	if len(jobs) != 2 || jobs[0].Memory != workload.UnitMemory/2 || jobs[1].Memory != workload.UnitMemory/4 ||
		jobs[0].Need != workload.UnitCPU/4 {
		t.Errorf("%+v", jobs)
	}
}

func TestOneJobIsNotOneJobs(t *testing.T) {
	out := filepath.Join(t.TempDir(), "one.csv")
	if got := newDesk(t).ok("workload scale --load 1 --nodes 1 --out " + out + " " + traceFile(t, "1,0,1,1,0.5,60",
		"2,60,1,1,0.5,60")); got != "2 jobs in "+out+"\n" {
		t.Error(got)
	}
	one := filepath.Join(t.TempDir(), "one.csv")
	if got := newDesk(t).ok("workload gen lublin --jobs 1 --out " + one); got != "1 job in "+one+"\n" {
		t.Error(got)
	}
}

func TestSegmentsOfAnyLengthAreCut(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	path := traceFile(t, "1,10,1,1,0.5,60", "2,5400,1,1,0.5,60", "3,5405,1,1,0.5,60")
	var got struct{ Files []stream.Written }
	if err := json.Unmarshal([]byte(d.ok("workload split -o json --every 45m --out "+out+" "+path)), &got); err != nil {
		t.Fatal(err)
	}
	want := []stream.Written{{File: filepath.Join(out, "part000.csv"), Jobs: 1},
		{File: filepath.Join(out, "part002.csv"), Jobs: 2}}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Error(diff)
	}
	if text := fileText(t, want[1].File); !strings.Contains(text, "\n2,0,1,1,0.5,60\n3,5,") {
		t.Error(text)
	}
}

func TestStreamsAndLogsAreConverted(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	log := textFile(t, "log.swf", smallLog)
	csv, back, copied := filepath.Join(out, "a.csv.gz"), filepath.Join(out, "b.swf"), filepath.Join(out, "c.swf")
	d.ok("workload convert --rules hpc2n " + log + " " + csv)
	d.ok("workload convert --rules hpc2n " + csv + " " + back)
	if diff := cmp.Diff(d.ok("workload convert --rules hpc2n "+log),
		d.ok("workload convert --rules hpc2n "+back)); diff != "" {
		t.Errorf("there and back (-want +got):\n%s", diff)
	}
	file, err := os.Open(csv)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || !strings.HasPrefix(string(text), "id,submit,") {
		t.Errorf("%v: %.40s", err, text)
	}
	d.ok("workload convert " + log + " " + copied)
	if text := fileText(t, copied); !strings.HasPrefix(text, "; Version: 2.2\n; MaxNodes: 2\n") ||
		!strings.Contains(text, "\n4 604810 0 -1 4 -1 1000 4 -1 2000 1 2 1 -1 1 1 -1 -1\n") {
		t.Error(text)
	}
	if diff := cmp.Diff([]string{"a.csv.gz", "b.swf", "c.swf"}, folder(t, out)); diff != "" {
		t.Error(diff)
	}
}

func TestNeedsAreRoundedToWholePercents(t *testing.T) {
	d := newDesk(t)
	o := d.typeWith("id,submit,tasks,cpu,mem,runtime,colour\n1,0,1,0.12345,0.0001,60,red\n", "workload", "convert",
		"--round", "0.01", "-")
	if o.code != exitDone || o.out != "id,submit,tasks,cpu,mem,runtime\n1,0,1,0.12,0.01,60\n" ||
		o.err != "-: ignored: the columns colour\n" {
		t.Errorf("%+v", o)
	}
}

func TestStreamsAreShownAndDrawn(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	log, path := textFile(t, "log.swf", smallLog), traceFile(t, "1,100,4,1,0.5,60", "2,160,1,0.25,0.1,60")
	golden(t, "workload_stat.txt", strings.ReplaceAll(d.ok("workload stat --rules hpc2n --nodes 2 --plots "+out+" "+log),
		out, "DIR"))
	golden(t, "workload_stats.txt", d.ok("workload stat --nodes 8 "+log+" "+path))
	want := []string{"log-arrivals.svg", "log-hours.svg", "log-memory.svg", "log-runtimes.svg", "log-sizes.svg"}
	if diff := cmp.Diff(want, folder(t, out)); diff != "" {
		t.Error(diff)
	}
	if svg := fileText(t, filepath.Join(out, want[0])); !strings.Contains(svg, "<svg") ||
		!strings.HasSuffix(svg, "</svg>\n") {
		t.Errorf("%.80s", svg)
	}
	var got described
	if err := json.Unmarshal([]byte(d.ok("workload stat -o json --nodes 2 "+log)), &got); err != nil || got.Jobs != 4 ||
		got.Log.Records != 5 || len(got.Log.Notes) != 4 {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestFilesAreReplacedOnlyByForce(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,100,4,1,0.5,60", "2,160,1,0.25,0.1,60")
	before := fileText(t, path)
	for _, line := range []string{
		"workload convert " + path + " " + path, "workload scale --load 0.5 --out " + path + " " + path,
		"workload gen lublin --out " + path, "workload prepare --out " + path + " " + textFile(t, "log.swf", smallLog),
	} {
		if o := d.run(line); o.code != exitUsage ||
			!strings.Contains(o.err, "trace.csv is there already; --force replaces it") {
			t.Errorf("%s: %+v", line, o)
		}
	}
	if fileText(t, path) != before {
		t.Error("the file has changed all the same")
	}
	d.ok("workload scale --nodes 8 --load 0.5 --force --out " + path + " " + path)
	if got := jobsIn(t, fileText(t, path)); got[1].Submit != 175*cluster.Second {
		t.Errorf("%+v", got)
	}
}

func TestWhatCannotBeWrittenLeavesNothing(t *testing.T) {
	d, out := newDesk(t), t.TempDir()
	bad := textFile(t, "log.swf", smallLog+"6 garbage\n")
	if o := d.run("workload convert " + bad + " " + filepath.Join(out, "copy.swf")); o.code != exitUsage ||
		!strings.Contains(o.err, "log.swf: line 10: ") {
		t.Errorf("%+v", o)
	}
	if names := folder(t, out); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}

func TestWhoeverStopsACommandFindsNothingHalfWritten(t *testing.T) {
	out := t.TempDir()
	log, csv := textFile(t, "log.swf", smallLog), traceFile(t, "1,100,4,1,0.5,60")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, line := range []string{
		"workload gen lublin --jobs 5 --out " + out, "workload gen lublin --jobs 5", "workload stat " + csv,
		"workload convert " + log + " " + filepath.Join(out, "copy.swf"), "workload prepare --out " + out + " " + log,
	} {
		var shown, said strings.Builder
		a := &app{in: strings.NewReader(""), out: &shown, err: &said, env: func(string) (string, bool) { return "", false }}
		if code := a.run(stopped, strings.Fields(line)); code != exitStopped || shown.String() != "" ||
			!strings.Contains(said.String(), "stopped before the end") {
			t.Errorf("%s: %d, %q, %q", line, code, shown.String(), said.String())
		}
	}
	if names := folder(t, out); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
	for line, want := range map[string]string{
		"workload gen lublin --jobs 5 --out " + out + "/one.csv": "aliquot: stopped before the end; " + out +
			"/one.csv is not written\n",
		"workload gen lublin --jobs 5 --count 3 --out " + out +
			"/": "aliquot: stopped before the end; 0 of 3 files are written\n",
	} {
		if o := (&desk{TB: t}).stoppedAtOnce(line); o.code != exitStopped || o.err != want {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestWrongWorkloadCommandsSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	csv, log := traceFile(t, "1,100,4,1,0.5,60"), textFile(t, "log.swf", smallLog)
	bad := textFile(t, "bad.swf", "; Version: 2.2\n1 2 x 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n")
	for line, want := range map[string]string{
		"workload":                                        "name a subcommand: ",
		"workload gen":                                    "name a subcommand: feitelson, jann, lublin, reserve, tsafrir",
		"workload gen reserve --umed 3":                   "--umed must be from 5 to 14",
		"workload gen reserve --arrival 0":                "--arrival must be from 0.001 to 1000",
		"workload gen reserve --slack -1":                 "--ahead and --slack must be from 0 to 1000",
		"workload gen lubin":                              "did you mean lublin?",
		"workload gen lublin --jobs 0":                    "--jobs must be from 1",
		"workload gen lublin --count 2":                   "2 streams need a folder: say --out DIR",
		"workload gen lublin --count 2 --out x.csv":       "x.csv is the name of a file",
		"workload gen lublin --out trace.txt":             "trace.txt: a stream's file ends in .csv or .csv.gz, a new folder in /",
		"workload gen lublin --load 0":                    "--load must be above 0 and at most 100, not 0",
		"workload gen lublin --load 1,1":                  "--load 1 is given twice",
		"workload gen lublin --kinds bach":                "--kinds: there is no kind of jobs \"bach\"",
		"workload gen lublin -o json":                     "-o json needs --out",
		"workload gen lublin --jobs 1 --load 0.5":         "scale to a load of 0.5: ",
		"workload gen feitelson --nodes 0":                "--nodes from 1 to 10000",
		"workload gen jann --load 101":                    "--load must be above 0 and at most 100, not 101",
		"workload gen tsafrir":                            "STREAM is missing",
		"workload gen tsafrir --max 1h " + csv:            "--max must be whole seconds from 1h40m0s to 10000h0m0s",
		"workload gen tsafrir --max 2h0.5s " + csv:        "--max must be whole seconds from 1h40m0s to 10000h0m0s",
		"workload gen tsafrir " + longRuns(t):             "2 jobs run for 64800 s or longer, but the model drew only 1",
		"workload prepare":                                "LOG is missing",
		"workload prepare /nowhere":                       "open the stream: ",
		"workload prepare " + csv:                         "trace.csv is a stream already, not a log",
		"workload prepare --rules ctc " + log:             "there are no rules \"ctc\": use generic or hpc2n",
		"workload prepare --rules hpc2n --cores 4 " + log: "the rules hpc2n know the node",
		"workload prepare --node-memory 2GB " + log:       "--node-memory: \"2GB\" is not an amount",
		"workload prepare --cores -1 " + log:              "--cores must be at least 1",
		"workload prepare --split fortnight " + log:       "\"fortnight\" is not a length of a segment",
		"workload prepare --split week " + log:            "give --out DIR",
		"workload prepare " +
			bad: "bad.swf: line 2: field 3 (wait time): \"x\" is not a number",
		"workload convert --to xml " + csv:                         "--to must be stream or log",
		"workload convert --round 2 " + csv:                        "--round must be from 0.00001 to 1",
		"workload convert --round 0.01 " + log + " /tmp/never.swf": "--round is for streams",
		"workload convert":                                         "FROM is missing",
		"workload convert a b c":                                   "\"c\" is one argument too many",
		"workload split " + csv:                                    "give --out DIR",
		"workload scale " + csv:                                    "--load is missing",
		"workload scale --load 0.5 " + csv:                         "have no load to scale",
		"workload stat --nodes 0 " + csv:                           "--nodes must be at least 1",
		"workload stat --plot-format gif " + csv:                   "--plot-format must be svg or png",
		"workload stat " + traceFile(t, "1,0,1,20,0.5,60"):         "line 2: cpu: \"20\" is not a number",
		"workload stat -o xml " + csv:                              "no output format \"xml\"",
	} {
		if got := d.run(line); got.code != exitUsage || !strings.Contains(got.err, want) || got.out != "" {
			t.Errorf("%s: %+v; want %q", line, got, want)
		}
	}
}
