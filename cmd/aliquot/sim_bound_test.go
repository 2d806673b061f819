package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBoundIsPrintedWithItsReason(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,100,1,1,0.5,3600", "2,100,1,1,0.5,7200", "3,50000,1,1,0.5,60")
	golden(t, "sim_bound.txt", d.ok("sim bound --nodes 1 "+path))
	if out := d.ok("sim bound --nodes 2 " + path); !strings.HasPrefix(out,
		"bound 1.000000: with 2 nodes, no schedule of the 3 jobs ") || strings.Contains(out, "Critical") {
		t.Error(out)
	}
}

func TestTheBoundOfNoJobsSaysSo(t *testing.T) {
	if out := newDesk(t).ok("sim bound --nodes 1 " +
		textFile(t, "none.csv", "id,submit,tasks,cpu,mem,runtime\n")); out != "bound 1.000000: there are no jobs.\n" {
		t.Error(out)
	}
}

func TestBoundIsOneObjectOfJSON(t *testing.T) {
	d := newDesk(t)
	line := "sim bound --nodes 1 --json " + traceFile(t, "7,100,1,1,0.5,60", "5,100,1,1,0.5,60")
	var b simBound
	text := d.ok(line)
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	if b.Bound > 2 || b.Bound < 1.999999 || b.Nodes != 1 || b.Jobs != 2 || b.Accuracy != 0.0001 || b.Effort.Probes == 0 {
		t.Errorf("%+v", b)
	}
	if diff := cmp.Diff(&criticalJobs{[]int64{5, 7}, 100, 220, 120}, b.Critical); diff != "" {
		t.Errorf("critical (-want +got):\n%s", diff)
	}
	if again := d.ok(strings.Replace(line, "--json", "-o json", 1)); again != text {
		t.Errorf("-o json differs:\n%s%s", text, again)
	}
}

func TestABoundMayLeaveOutWhatCanNeverRun(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "7,100,1,1,0.5,60", "5,100,1,1,0.5,60", "6,100,1,1.5,0.5,6000", "8,100,3,1,0.5,6000")
	var b simBound
	if err := json.Unmarshal([]byte(d.ok("sim bound --nodes 1 --impossible skip --json "+path)), &b); err != nil {
		t.Fatal(err)
	}
	want := []simSkipped{
		{6, "a task needs the CPU of 1.5 nodes, the largest has that of 1"},
		{8, "at most 2 tasks with 0.5 of a node's memory fit into the nodes together, not 3"},
	}
	if diff := cmp.Diff(want, b.SkippedJobs); diff != "" || b.Skipped != 2 || b.Jobs != 2 || b.Bound > 2 ||
		b.Bound < 1.999 {
		t.Errorf("%+v %s", b, diff)
	}
	if out := d.ok("sim bound --nodes 1 --impossible skip " + path); !strings.Contains(out,
		"\njob 6 was skipped: a task needs") {
		t.Error(out)
	}
}

func TestNoPolicyBeatsTheBound(t *testing.T) {
	d := newDesk(t)
	path := traceFile(t, "1,0,2,1,0.4,600", "2,0,1,0.5,0.4,30", "3,20,2,0.25,0.2,900", "4,25,2,1,0.3,5",
		"5,100,1,1,0.1,40", "6,110,2,0.5,0.5,200", "7,115,2,1,0.2,60")
	var b simBound
	if err := json.Unmarshal([]byte(d.ok("sim bound --nodes 2 --json "+path)), &b); err != nil {
		t.Fatal(err)
	}
	if b.Bound <= 1.01 {
		t.Fatalf("%+v: choose jobs that are in each other's way", b)
	}
	for _, name := range []string{"FCFS", "Greedy *", "GreedyPM */per/opt=min/minvt=600", "MCB8 *"} {
		o := d.typeWith("", "sim", "run", "--nodes", "2", "--policy", name, "-o", "json", path)
		var s simReport
		if err := json.Unmarshal([]byte(o.out), &s); err != nil {
			t.Fatalf("%v: %+v", err, o)
		}
		if s.MaxBoundedStretch < b.Bound {
			t.Errorf("%s reaches %v; the bound is %v", name, s.MaxBoundedStretch, b.Bound)
		}
	}
}

func TestWrongBoundsSayWhatIsWrong(t *testing.T) {
	d := newDesk(t)
	good := traceFile(t, "1,0,1,1,0.5,60")
	for line, want := range map[string]outcome{
		"sim bound":                      {exitUsage, "", "TRACE is missing"},
		"sim bound /nowhere":             {exitUsage, "", "open the trace"},
		"sim bound --nodes 0 " + good:    {exitUsage, "", "--nodes must be from 1"},
		"sim bound --nodes many " + good: {exitUsage, "", "many"},
		"sim bound -o xml " + good:       {exitUsage, "", "no output format \"xml\""},
		"sim bound " + traceFile(t, "1,0,1,1.5,0.5,60"): {exitFailed, "",
			"1 of 1 jobs could never run (job 1: a task needs the CPU of 1.5 nodes, the largest has that of 1): skip them (--impossible skip)"},
		"sim bound --impossible leave " + good:                 {exitUsage, "", "use refuse or skip"},
		"sim bound " + traceFile(t, "1,0,1,1,0.5,60", "x,,,,"): {exitUsage, "", "line 3"},
	} {
		if got := d.run(line); got.code != want.code || !strings.Contains(got.err, want.err) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", line, got.code, got.err, want.code, want.err)
		}
	}
}
