package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/internal/file"
	"aliquot/sim/sweep"
)

// tiny writes traces, in which jobs compete, to a new folder.
func tiny(t *testing.T, names ...string) (paths []string) {
	t.Helper()
	folder := t.TempDir()
	for i, name := range names {
		text := fmt.Sprintf(
			"id,submit,tasks,cpu,mem,runtime\n1,0,1,1,0.6,%d\n2,10,2,1,0.5,120\n3,20,1,0.5,0.6,30\n4,700,1,1,0.1,%d\n",
			500+100*i, 60+i)
		paths = append(paths, filepath.Join(folder, name+".csv"))
		if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// sweep runs a sweep of the traces that keeps its results in a folder.
func (d *desk) sweep(folder string, paths []string, more ...string) outcome {
	d.Helper()
	args := []string{"sim", "sweep", "--nodes", "2", "--no-timing", "--policy", "FCFS", "--policy",
		"GreedyPM */per/opt=min/minvt=600",
		"--out", filepath.Join(folder, "sweep.jsonl"), "--csv", filepath.Join(folder, "sweep.csv"), "--force"}
	return d.typeWith("", append(append(args, more...), paths...)...)
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestASweepRunsEveryTraceUnderEveryPolicy(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	o := d.sweep(folder, tiny(t, "a", "b"))
	if o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	golden(t, "sim_sweep.txt", o.out)
	golden(t, "sim_sweep.csv", content(t, filepath.Join(folder, "sweep.csv")))
	golden(t, "sim_sweep.jsonl", content(t, filepath.Join(folder, "sweep.jsonl")))
}

func TestResultsAreTheSameHoweverManyWorkersThereAre(t *testing.T) {
	d, paths := newDesk(t), tiny(t, "a", "b", "c", "d", "e")
	var texts [3]string
	for i, workers := range []string{"1", "2", "7"} {
		folder := t.TempDir()
		if o := d.sweep(folder, paths, "--workers", workers); o.code != exitDone {
			t.Fatalf("%+v", o)
		}
		texts[i] = content(t, filepath.Join(folder, "sweep.jsonl")) + content(t, filepath.Join(folder, "sweep.csv"))
	}
	if texts[0] != texts[1] || texts[1] != texts[2] {
		t.Error(cmp.Diff(texts[0], texts[2]))
	}
}

func TestWhatASweepHasKeptIsNotRunAgainAndWhatIsAddedIs(t *testing.T) {
	d, folder, paths := newDesk(t), t.TempDir(), tiny(t, "a", "b", "c")
	if o := d.sweep(folder, paths[:1], "--no-bound"); o.code != exitDone || strings.Contains(o.out, "DEGRADATION") {
		t.Fatalf("%+v", o)
	}
	before := content(t, filepath.Join(folder, "sweep.jsonl"))
	cut := strings.ReplaceAll(before, `"wall_seconds":0`, `"wall_seconds":17`) + `{"version":1,"trace":"b","dig`
	if err := os.WriteFile(filepath.Join(folder, "sweep.jsonl"), []byte(cut), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := d.sweep(folder, paths); o.code != exitDone || !strings.Contains(o.out, "DEGRADATION") {
		t.Fatalf("%+v", o)
	}
	after := content(t, filepath.Join(folder, "sweep.jsonl"))
	if n, kept := strings.Count(after, "\n"), strings.Count(after, `"wall_seconds":17`); n != 6 || kept != 2 ||
		strings.Contains(after, `"bound":0`) {
		t.Errorf("%d results, %d of them kept:\n%s", n, kept, after)
	}
}

func TestAnInterruptedSweepSaysThatNothingIsLost(t *testing.T) {
	want := "stopped before the end: finished results are in sweep.jsonl; the same command continues from there"
	if err := interrupted(context.Canceled, "sweep.jsonl"); err.Error() != want {
		t.Error(err)
	}
}

func TestATrialThatFailsStopsNoOther(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	paths := append([]string{traceFile(t, "1,0,9,1,0.5,60")}, tiny(t, "a")...)
	o := d.sweep(folder, paths)
	want := "aliquot: 2 trials failed, all others are kept:\ntrace under FCFS, GreedyPM */per/opt=min/minvt=600: 1 of 1 jobs could never run (job 1: at most 4 tasks with 0.5 of a node's memory " +
		"fit into the nodes together, not 9): skip them (--impossible skip), or take more or larger nodes\n"
	if o.code != exitFailed || o.err != want {
		t.Errorf("%+v; want %s", o, want)
	}
	kept, table := content(t, filepath.Join(folder, "sweep.jsonl")), content(t, filepath.Join(folder, "sweep.csv"))
	if strings.Count(kept, "\n") != 2 || strings.Count(table, "\n") != 3 || !strings.Contains(o.out, "FCFS") {
		t.Errorf("what did not fail is lost:\n%s%s%s", kept, table, o.out)
	}
	if o := d.sweep(t.TempDir(), paths[:1]); o.code != exitFailed ||
		!strings.HasPrefix(o.err, "aliquot: 2 trials failed") {
		t.Errorf("where all failed: %+v", o)
	}
}

func TestASweepLeavesFilesAloneThatAreNotItsOwn(t *testing.T) {
	d, paths := newDesk(t), tiny(t, "a")
	for _, x := range []struct{ name, text, want string }{
		{"notes.txt", "my precious notes", "notes.txt: line 1 is neither a result of a sweep"},
		{"half.jsonl", `{"a": 1, "b": `, "line 1 is neither a result of a sweep"},
		{"old.jsonl", `{"version":1,"trace":"a","digest":"d","policy":"FCFS"}` + "\n",
			"old.jsonl holds results of version 1, and this program's are of version 2: name another file"},
		{"zip.jsonl.gz", "", "leave .gz out"},
	} {
		path := textFile(t, x.name, x.text)
		if o := d.typeWith("", "sim", "sweep", "--nodes", "2", "--out", path, paths[0]); o.code != exitUsage ||
			!strings.Contains(o.err, x.want) || content(t, path) != x.text {
			t.Errorf("%s: %+v; want %q; it holds %q", x.name, o, x.want, content(t, path))
		}
	}
	if o := d.run("sim compare " + textFile(t, "old.jsonl", `{"version":1,"trace":"a","digest":"d","policy":"FCFS"}`+
		"\n")); o.code != exitUsage ||
		!strings.Contains(o.err, "1 result skipped: not of this program's version 2\n") ||
		!strings.Contains(o.err, "no results of this program's version in /") {
		t.Errorf("%+v", o)
	}
}

func TestFilesBesideTheResultsAreReplacedOnlyByForce(t *testing.T) {
	d, trace := newDesk(t), tiny(t, "a")[0]
	before, out := content(t, trace), filepath.Join(t.TempDir(), "r.jsonl")
	d.ok("sim sweep --nodes 2 --no-timing --out " + out + " " + trace)
	for _, line := range []string{
		"sim sweep --nodes 2 --out " + out + " --csv " + trace + " " + trace,
		"sim explain --nodes 2 --svg " + trace + " " + trace,
		"sim compare --html " + trace + " " + out,
	} {
		if o := d.run(line); o.code != exitUsage ||
			!strings.Contains(o.err, trace+" is there already; --force replaces it") || content(t, trace) != before {
			t.Errorf("%s: %+v", line, o)
		}
		other := textFile(t, "other", "something else")
		if o := d.run(strings.Replace(line, trace, other+" --force", 1)); o.code != exitDone ||
			content(t, other) == "something else" {
			t.Errorf("%s by force: %+v", line, o)
		}
	}
	if o := d.run("sim sweep --nodes 2 --out " + out + " --csv " + out + " " + trace); o.code != exitUsage ||
		!strings.Contains(o.err, "must name different files") {
		t.Errorf("%+v", o)
	}
	if o := d.run("sim explain --nodes 2 --svg " + t.TempDir() + " " + trace); o.code != exitUsage ||
		!strings.Contains(o.err, "is a folder: name a file") {
		t.Errorf("%+v", o)
	}
}

func TestPipesAndLinksAreWrittenTo(t *testing.T) {
	d, trace, folder := newDesk(t), tiny(t, "a")[0], t.TempDir()
	pipe, link, real, loose := filepath.Join(folder, "pipe"), filepath.Join(folder, "link"), filepath.Join(folder, "real"),
		filepath.Join(folder, "loose")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(real, nil, 0o600), os.Symlink("real", link),
		os.Symlink("made", loose)); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, err := os.ReadFile(pipe)
		read <- fmt.Sprint(string(text), err)
	}()
	d.ok("sim explain --nodes 2 --svg " + pipe + " " + trace)
	svg := strings.TrimSuffix(<-read, "<nil>")
	d.ok("sim explain --nodes 2 --force --svg " + link + " " + trace)
	d.ok("sim explain --nodes 2 --svg " + loose + " " + trace)
	if to, err := os.Readlink(link); err != nil || to != "real" || !strings.HasPrefix(svg, "<svg") ||
		content(t, real) != svg || content(t, filepath.Join(folder, "made")) != svg {
		t.Errorf("the link leads to %q (%v); the pipe carried %.40s", to, err, svg)
	}
}

func TestCompressedResultsAreCompared(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	if o := d.sweep(folder, tiny(t, "a")); o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	plain, zip := filepath.Join(folder, "sweep.jsonl"), filepath.Join(folder, "sweep.jsonl.gz")
	if err := file.Write(zip, text(content(t, plain))); err != nil {
		t.Fatal(err)
	}
	if d.ok("sim compare "+zip) != d.ok("sim compare "+plain) {
		t.Error("not the same")
	}
}

func TestATrialThatIsNamedTwiceCountsOnce(t *testing.T) {
	d, trace := newDesk(t), tiny(t, "a")[0]
	o := d.typeWith("", "sim", "sweep", "--nodes", "2", "--policy", "FCFS", "--policy", "fcfs", "--policy", "/per",
		"--period", "600s", "--period", "1200s", "-o", "json",
		"--out", filepath.Join(t.TempDir(), "r.jsonl"), trace)
	var results []sweep.Result
	if err := json.Unmarshal([]byte(o.out), &results); err != nil || len(results) != 3 { // FCFS has no ticks
		t.Errorf("%d results, %v: %+v", len(results), err, o)
	}
}

func TestExplanationsAndBoundsCanBeInterrupted(t *testing.T) {
	var lines []string
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("%d,%d,1,1,0.1,1", i+1, i))
	}
	trace := traceFile(t, lines...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, command := range []string{"run", "explain", "bound"} {
		var out, err strings.Builder
		a := &app{in: strings.NewReader(""), out: &out, err: &err, env: func(string) (string, bool) { return "", false }}
		if code := a.run(ctx, []string{"sim", command, "--nodes", "1", trace}); code != exitStopped || out.Len() > 0 ||
			!strings.Contains(err.String(), "stopped before the end") {
			t.Errorf("%s: exit code %d, %d bytes, %s", command, code, out.Len(), err.String())
		}
	}
}

func TestTwoSweepsDoNotWriteToOneFile(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	held, err := openResults(filepath.Join(folder, "sweep.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if o := d.sweep(folder, tiny(t, "a")); o.code != exitFailed ||
		!strings.Contains(o.err, "is being written by another sweep") {
		t.Errorf("%+v", o)
	}
}

func TestComparisonsShowMeansSpreadAndWorstTraces(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	if o := d.sweep(folder, tiny(t, "a", "b", "c")); o.code != exitDone {
		t.Fatalf("%+v", o)
	}
	results, page := filepath.Join(folder, "sweep.jsonl"), filepath.Join(folder, "page.html")
	golden(t, "sim_compare.txt", d.ok("sim compare --html "+page+" "+results))
	if html := content(t, page); !strings.Contains(html, "<svg") ||
		!strings.Contains(html, "GreedyPM */per/opt=min/minvt=600") {
		t.Error("the page lacks figures or names")
	}
	if out := d.ok("sim compare --measure migrations_per_job " + results); !strings.Contains(out,
		"Spread of migrations per job") {
		t.Error(out)
	}
	var decoded []sweep.Result
	if err := json.Unmarshal([]byte(d.ok("sim compare -o json "+results)), &decoded); err != nil || len(decoded) != 6 {
		t.Errorf("%d results, %v", len(decoded), err)
	}
}

func TestAnExplanationTellsOfAJobOrOfAll(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	trace, svg := tiny(t, "a")[0], filepath.Join(folder, "a.svg")
	golden(t, "sim_explain.txt", d.ok("sim explain --nodes 2 --policy FCFS "+trace))
	golden(t, "sim_explain_job.txt", d.ok("sim explain --nodes 2 --job 1 --svg "+svg+" "+trace))
	if text := content(t, svg); !strings.HasPrefix(text, "<svg") || !strings.Contains(text, "job 1, ") {
		t.Error(text)
	}
}

func TestASweepLetsTheSameEventsHappenInEveryTrial(t *testing.T) {
	d, out := newDesk(t), filepath.Join(t.TempDir(), "sweep.jsonl")
	trace := traceFile(t, "1,0,1,1,0.6,1000", "2,100,1,1,0.6,50", "3,200,1,1,0.6,50")
	end := func(more ...string) (results []sweep.Result) {
		line := append([]string{"sim", "sweep", "--nodes", "2", "--no-timing", "--check", "--policy", "FCFS",
			"--policy", "GreedyP*", "-o", "json", "--out", out}, more...)
		if o := d.typeWith("", append(line, trace)...); o.code != exitDone || json.Unmarshal([]byte(o.out), &results) != nil {
			t.Fatalf("%+v", o)
		}
		return results
	}
	events := eventsFile(t, "50,fail,n1,", "60,return,n1,", "210,cancel,3,")
	plain, eventful := end(), end("--events", events)
	for i, r := range eventful {
		if r.Events == "" || r.Kills != 1 || r.Stopped != 1 || r.Jobs != 2 || len(r.Unfinished) != 1 ||
			r.Unfinished[0] != 3 || !r.Checked || r.Bound != 1 {
			t.Errorf("with events: %+v", r)
		}
		if p := plain[i]; p.Events != "" || p.Kills != 0 || p.Jobs != 3 {
			t.Errorf("without: %+v", p)
		}
	}
	if end("--events", eventsFile(t, "50,fail,n2,"))[0].Events == eventful[0].Events {
		t.Error("other events have the same digest")
	}
	if text := d.ok("sim compare " + out); !strings.Contains(text, "FCFS, no events") ||
		!strings.Contains(text, "FCFS, events "+eventful[0].Events[:8]) {
		t.Error(text)
	}
	o := d.typeWith("", "sim", "sweep", "--nodes", "2", "--out", out, "--events", events, traceFile(t, "1,0,1,1,0.6,1000"))
	if o.code != exitUsage || !strings.Contains(o.err, "cancel job 3: the stream has no job of that id; leave out") {
		t.Errorf("a trace without the job of an event: %+v", o)
	}
}

func TestASweepTakesTheTermsOfARun(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	paths := []string{traceFile(t, "1,0,1,1,0.6,1000", "2,100,1,1,0.6,50", "7,200,9,1,0.9,50")}
	end := func(more ...string) (results []sweep.Result) {
		line := append([]string{"sim", "sweep", "--nodes", "1", "--no-timing", "--policy", "GreedyP*", "--impossible", "skip",
			"-o", "json", "--out", filepath.Join(folder, "sweep.jsonl")}, more...)
		if o := d.typeWith("", append(line, paths...)...); o.code != exitDone ||
			json.Unmarshal([]byte(o.out), &results) != nil {
			t.Fatalf("%+v", o)
		}
		return results
	}
	constant, live := end()[0], end("--cost", "live=1s", "--estimates", "trace")[0]
	if constant.Jobs != 2 || len(constant.Skipped) != 1 || constant.Skipped[0] != 7 || constant.Bound < 1 ||
		constant.Checked {
		t.Errorf("%+v", constant)
	}
	if live.Cost != "live=1s" || live.Estimates != "trace" || live.Worst.Paying >= constant.Worst.Paying {
		t.Errorf("%+v", live)
	}
	if again := end("--check")[0]; !again.Checked || again.MaxBoundedStretch != constant.MaxBoundedStretch {
		t.Errorf("what was kept unverified is not verified when it is asked for: %+v", again)
	}
	if n := strings.Count(content(t, filepath.Join(folder, "sweep.jsonl")), "\n"); n != 2 {
		t.Errorf("%d results", n)
	}
}

func TestTracesAreReadFromStandardInputToo(t *testing.T) {
	d, folder := newDesk(t), t.TempDir()
	trace := content(t, tiny(t, "a")[0])
	for _, line := range []string{
		"sim run --nodes 2 -", "sim bound --nodes 2 -", "sim explain --nodes 2 -",
		"sim sweep --nodes 2 --policy FCFS --policy EASY --out " + filepath.Join(folder, "sweep.jsonl") + " -",
	} {
		if o := d.typeWith(trace, strings.Fields(line)...); o.code != exitDone {
			t.Errorf("%s: %+v", line, o)
		}
	}
	results := content(t, filepath.Join(folder, "sweep.jsonl"))
	if strings.Count(results, `"trace":"stream"`) != 2 {
		t.Error(results)
	}
	if o := d.typeWith(results, "sim", "compare", "-"); o.code != exitDone || !strings.Contains(o.out, "EASY") {
		t.Errorf("%+v", o)
	}
}

func TestAnExplanationKnowsJobZeroAndSkippedJobs(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "0,0,1,1,0.5,60", "5,0,1,1,0.5,60", "7,0,3,1,0.9,60")
	line := "sim explain --nodes 2 --policy FCFS --impossible skip --cost live --estimates trace "
	all, zero, seven := d.ok(line+path), d.ok(line+"--job 0 "+path), d.ok(line+"--job 7 "+path)
	if !strings.Contains(all, "  5    ends") || strings.Contains(zero, "  5    ends") ||
		!strings.Contains(zero, "ends after") {
		t.Errorf("%s%s", all, zero)
	}
	if !strings.Contains(seven, "is skipped: ") || strings.Contains(seven, "ends") {
		t.Error(seven)
	}
}

func TestWrongSweepsSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	good, out := tiny(t, "a")[0], " --out "+filepath.Join(t.TempDir(), "x.jsonl")+" "
	garbage := filepath.Join(t.TempDir(), "garbage.jsonl")
	if err := os.WriteFile(garbage, []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"sim sweep":                                "TRACE is missing",
		"sim sweep --nodes 0" + out + good:         "--nodes must be from 1",
		"sim sweep --workers 0" + out + good:       "--workers must be from 1",
		"sim sweep --period 1ms" + out + good:      "--period must be at least 1s",
		"sim sweep --penalty -1s" + out + good:     "--penalty must not be negative",
		"sim sweep --policy EASIER" + out + good:   "there is no policy \"EASIER\"",
		"sim sweep" + out + "/nowhere":             "open the ",
		"sim sweep --out " + garbage + " " + good:  "line 1 is not a result of a sweep",
		"sim sweep --out /nowhere/x.jsonl " + good: "open the results",
		"sim sweep --cost free" + out + good:       "there is no cost model \"free\"",
		"sim explain --estimates guess " + good:    "there are no estimates \"guess\"",
		"sim compare":                              "RESULTS is missing",
		"sim compare /nowhere":                     "open the results",
		"sim compare " + garbage:                   "line 1 is not a result of a sweep",
		"sim compare /dev/null":                    "no results of this program's version in /dev/null: run aliquot sim sweep",
		"sim explain":                              "TRACE is missing",
		"sim explain --job 99 " + good:             "the trace has no job 99",
		"sim explain --from 2h --until 1h " + good: "--until must come after --from",
		"sim explain --nodes 0 " + good:            "--nodes must be from 1",
		"sim explain --policy FCSF " + good:        "did you mean \"FCFS\"?",
		"sim reproduce":                            "name a subcommand: dfrs",
		"sim reproduce dfrs extra":                 "one argument too many",
		"sim reproduce dfrs --only table9":         "there is no part \"table9\"",
		"sim reproduce dfrs --only table5":         "need the HPC2N log",
		"sim reproduce dfrs --only=":               "--only names no part",
		"sim reproduce dfrs --workers 0":           "--workers must be from 1",
		"sim reproduce dfrs --trace /nowhere":      "open the ",
		"sim reproduce dfrs --trace " + good:       "is not a log in the Standard Workload Format",
	} {
		if got := d.run(line); got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%s: exit code %d, %q; want %q", line, got.code, got.err, want)
		}
	}
}

func TestAReportSaysHowItIsMadeAgain(t *testing.T) {
	r := reproduction{full: true, only: []string{"table2", "fig1"}, trace: "/home/somebody/log.swf.gz"}
	if got := r.command("dfrs"); got != "aliquot sim reproduce dfrs --full --only table2,fig1 --trace log.swf.gz" {
		t.Error(got)
	}
}
