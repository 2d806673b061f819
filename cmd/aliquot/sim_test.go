package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/sim/replay"
)

func traceFile(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.csv")
	text := "id,submit,tasks,cpu,mem,runtime\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pair writes a trace in which the second job waits for the first, on one node under FCFS.
func pair(t *testing.T) string { return traceFile(t, "1,0,1,1,0.5,60", "2,0,1,1,0.5,60") }

func TestSimulationIsSummedUp(t *testing.T) {
	d := newDesk(t)
	var s simReport
	if err := json.Unmarshal([]byte(d.ok("sim run --nodes 1 --policy FCFS --json "+pair(t))), &s); err != nil {
		t.Fatal(err)
	}
	if s.Jobs != 2 || s.MaxBoundedStretch != 2 || s.AvgBoundedStretch != 1.5 || s.Makespan != 120 || *s.WallSeconds <= 0 ||
		s.DecisionTimes.Few.Count != s.Decisions {
		t.Errorf("%+v", s)
	}
	golden(t, "sim_run.txt", d.ok("sim run --nodes 2 --no-timing --check "+traceFile(t, "1,0,1,1,0.5,60", "2,0,1,1,0.5,60",
		"3,30,2,0.5,0.1,60")))
	golden(t, "sim_run.json", d.ok("sim run --nodes 1 --policy FCFS --no-timing --json "+pair(t)))
}

func TestPoliciesStandSideBySide(t *testing.T) {
	d := newDesk(t)
	path := pair(t)
	var all []simReport
	line := []string{"sim", "run", "--nodes", "1", "--policy", "FCFS", "--policy", "Greedy *", "--no-timing"}
	o := d.typeWith("", append(line, "--json", path)...)
	if err := json.Unmarshal([]byte(o.out), &all); err != nil || len(all) != 2 || all[0].Policy != "FCFS" ||
		all[1].Policy != "Greedy *" {
		t.Errorf("%v: %+v", err, o)
	}
	if o := d.typeWith("", append(line, path)...); !strings.Contains(o.out,
		"max_bounded_stretch          2.000    2.000\n") {
		t.Errorf("%+v", o)
	}
}

func TestEqualRunsPrintTheSameWithoutTiming(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,0,2,1,0.5,600", "2,5,1,0.3,0.6,60", "3,30,2,0.5,0.4,600", "4,31,1,1,0.9,6000")
	line := "sim run --nodes 2 --no-timing --json " + path
	if first := d.ok(line); first != d.ok(line) || strings.Contains(first, "wall_seconds") {
		t.Errorf("not the same twice, or with times:\n%s", first)
	}
}

func TestImpossibleJobsAreNamedAndSkippedIfWanted(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,0,1,1,0.5,60", "7,0,3,1,0.9,60", "9,5,1,1,0.5,60")
	if o := d.run("sim run --nodes 2 " + path); o.code != exitFailed ||
		!strings.Contains(o.err, "1 of 3 jobs could never run (job 7: at most 2 tasks") {
		t.Errorf("%+v", o)
	}
	if out := d.ok("sim run --nodes 2 --impossible skip " + path); !strings.Contains(out,
		"job 7 was skipped: at most 2 tasks") || !strings.Contains(out, "skipped                      1\n") {
		t.Error(out)
	}
}

func TestTasksLargerThanANodeAreRefusedOrSkippedInFractionsOfANode(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,0,1,1,0.5,60", "7,0,1,1.5,0.9,60", "8,0,1,1,1.25,60", "9,5,3,1,0.75,60")
	o := d.run("sim run --nodes 2 " + path)
	want := "3 of 4 jobs could never run (job 7: a task needs the CPU of 1.5 nodes, the largest has that of 1; job 8: a task takes the memory of 1.25 nodes, the largest has that of 1; " +
		"job 9: at most 2 tasks with 0.75 of a node's memory fit into the nodes together, not 3): skip them (--impossible skip), or take more or larger nodes"
	if o.code != exitFailed || !strings.Contains(o.err, want) {
		t.Errorf("%+v", o)
	}
	out := d.ok("sim run --nodes 2 --check --impossible skip " + path)
	for _, want := range []string{"skipped                      3\n",
		"job 7 was skipped: a task needs the CPU of 1.5 nodes", "job 8 was skipped"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if o := d.run("sim bound --nodes 2 " + path); o.code != exitFailed ||
		!strings.Contains(o.err, "job 7: a task needs the CPU of 1.5 nodes, the largest") {
		t.Errorf("%+v", o)
	}
}

func TestJobsThatAPolicyRefusesAreCountedAndNamed(t *testing.T) {
	d := newDesk(t)
	// the tasks fit together, but not with one task per node
	path := traceFile(t, "1,0,1,1,0.1,60", "7,10,3,1,0.1,60", "9,500,4,1,0.1,60")
	o := d.run("sim run --nodes 2 --policy EASY " + path)
	want := "2 of 3 jobs could never run (job 7: its 3 tasks need a node each, but only 2 nodes of the cluster could take one; job 9: its 4 tasks"
	if o.code != exitFailed || !strings.Contains(o.err, want) || !strings.Contains(o.err, "--impossible skip") {
		t.Errorf("%+v", o)
	}
	if out := d.ok("sim run --nodes 2 --policy EASY --check --impossible skip " + path); !strings.Contains(out,
		"skipped                      2\n") || !strings.Contains(out, "job 9 was skipped: its 4 tasks") {
		t.Error(out)
	}
	o = d.run("sim run --nodes 9 --policy EASY --estimates trace " + path)
	if o.code != exitFailed || !strings.Contains(o.err,
		"3 of 3 jobs could never run (job 1: has no estimate of its run time, without which backfilling cannot place it; job 7") || strings.Contains(o.err, "submit it again") {
		t.Errorf("%+v", o)
	}
}

func TestRescheduledJobsPayByTheCostModel(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,0,1,1,0.6,1000", "2,100,1,1,0.6,50")
	for _, c := range []struct{ cost, end string }{
		{"constant", "1350.000"}, {"constant --penalty 0s", "1050.000"}, {"memory=0.096", "1150.000"},
		{"live=1s", "1050.960"},
	} {
		if out := d.ok("sim run --nodes 1 --policy GreedyP* --cost " + c.cost + " " + path); !strings.Contains(out,
			"makespan_seconds             "+c.end) {
			t.Errorf("%s:\n%s", c.cost, out)
		}
	}
}

func TestARunShowsHowFarItIs(t *testing.T) {
	got := howFar("FCFS", sim.Progress{Now: cluster.Hour, Jobs: 9, Submitted: 4, Ended: 1}, 90*time.Second)
	if want := "1 of 9 jobs have ended, 3 are active; 1h of the stream in 1m30s; FCFS"; got != want {
		t.Errorf("%q", got)
	}
}

func TestWrongSimulationsSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	good, bad := traceFile(t, "1,0,1,1,0.5,60"), traceFile(t, "1,0,1,20,0.5,60")
	log := filepath.Join(t.TempDir(), "log.swf")
	if err := os.WriteFile(log, []byte("; Version: 2.2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]outcome{
		"sim run":          {exitUsage, "", "TRACE is missing"},
		"sim run /nowhere": {exitUsage, "", "open the trace"},
		"sim run " + bad: {exitUsage, "",
			"line 2: cpu: \"20\" is not a number from 0.00001 to 10"},
		"sim run " + log: {exitUsage, "",
			"is a log in the Standard Workload Format: convert it"},
		"sim run --nodes 0 " + good:         {exitUsage, "", "--nodes must be from 1"},
		"sim run --policy EASIER " + good:   {exitUsage, "", "there is no policy \"EASIER\""},
		"sim run --estimates guess " + good: {exitUsage, "", "there are no estimates \"guess\""},
		"sim run --impossible hope " + good: {exitUsage, "",
			"impossible jobs cannot be treated by \"hope\""},
		"sim run --cost free " + good:                         {exitUsage, "", "there is no cost model \"free\""},
		"sim run --cost memory=0 " + good:                     {exitUsage, "", "the bandwidth of the cost model"},
		"sim run --cost live=soon " + good:                    {exitUsage, "", "the pause of the cost model"},
		"sim run -o xml " + good:                              {exitUsage, "", "no output format \"xml\""},
		"sim run --nodes 1 " + traceFile(t, "1,0,3,1,0.5,60"): {exitFailed, "", "at most 2 tasks"},
		"sim decide /nowhere":                                 {exitUsage, "", "read the view"},
		"sim decide " + good:                                  {exitUsage, "", "trace.csv"},
	} {
		if got := d.run(line); got.code != want.code || !strings.Contains(got.err, want.err) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", line, got.code, got.err, want.code, want.err)
		}
	}
}

func TestSavedViewIsDecidedAgain(t *testing.T) {
	d := busy(t)
	var view bytes.Buffer
	if err := d.Latest().Encode(&view); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "view.state")
	if err := os.WriteFile(path, view.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	golden(t, "sim_decide.txt", d.ok("sim decide "+path))
	if o := d.typeWith(view.String(), "sim", "decide", "-", "--policy", "FCFS"); o.code != exitDone ||
		!strings.Contains(o.out, "policy FCFS: ") {
		t.Errorf("from standard input: %+v", o)
	}
	var decided replay.Decision
	if err := json.Unmarshal([]byte(d.ok("sim decide -o json "+path)), &decided); err != nil || len(decided.Jobs) == 0 {
		t.Errorf("%v: %+v", err, decided)
	}
}

func TestWhatRoundingLeavesOfNothingIsZero(t *testing.T) {
	for value, want := range map[float64]string{-1.1e-16: "0.000", -0.25: "-0.250", 12.3456: "12.346"} {
		if got := simCell(value); got != want {
			t.Errorf("%g is written %s, want %s", value, got, want)
		}
	}
}
