package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// eventsFile writes a file of events with these lines.
func eventsFile(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.csv")
	if err := os.WriteFile(path, []byte("time,event,target,value\n"+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestARowForEachJobSaysWhatBecameOfIt(t *testing.T) {
	d := newDesk(t)
	trace := traceFile(t, "3,0,1,1,0.5,60.25", "4,1,1,0.5,0.1,600", "5,2,1,1,0.8,100", "6,3,3,1,0.1,10", "7,4,1,2,0.1,10",
		"8,5,1,0.2,0.1,1000")
	events := eventsFile(t, "10,fail,n1,", "20,return,n1,", "30,hold,4,", "40,release,4,", "50,speed,n2,0.5",
		"70,cancel,8,")
	rows := filepath.Join(t.TempDir(), "rows.csv")
	for name, policy := range map[string]string{"easy": "EASY", "greedy": "GreedyPM */per/opt=min/minvt=600"} {
		o := d.typeWith("", "sim", "run", "--nodes", "2", "--check", "--no-timing", "--impossible", "skip", "--events",
			events, "--jobs", rows, "--force", "--policy", policy, trace)
		if o.code != 0 {
			t.Fatalf("%s: %+v", policy, o)
		}
		text, err := os.ReadFile(rows)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "sim_jobs_"+name+".csv", string(text))
		golden(t, "sim_events_"+name+".txt", o.out)
	}
}

func TestAJobThatFailsOnLossFailsWithItsNode(t *testing.T) {
	d := newDesk(t)
	trace := filepath.Join(t.TempDir(), "trace.csv")
	if err := os.WriteFile(trace, []byte("id,submit,tasks,cpu,mem,runtime,on_loss\n"+
		"1,0,2,1,0.1,60,fail\n2,1,1,1,0.1,60,restart\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := filepath.Join(t.TempDir(), "rows.csv")
	d.ok("sim run --nodes 2 --check --policy FCFS --jobs " + rows + " --events " + eventsFile(t, "10,fail,n1,",
		"90,fail,n2,", "95,return,n2,") + " " + trace)
	text, err := os.ReadFile(rows)
	want := "id,submit,start,end,outcome,tier,kills,migrations,preemptions,foreground,swaps\n" +
		"1,0.000000,0.000000,10.000000,failed,foreground,1,0,0,0.000000,0\n2,1.000000,10.000000,70.000000,ended,foreground,0,0,0,10.000000,0\n"
	if err != nil || string(text) != want {
		t.Errorf("%v:\n%s", err, text)
	}
}

func TestASchedulesMovesThatTakeTimeAreChecked(t *testing.T) {
	d := newDesk(t)
	trace := traceFile(t, "1,0,1,1,0.5,1000", "2,10,1,1,0.8,1000", "3,20,2,0.5,0.1,1000", "4,700,1,1,0.5,1000")
	o := d.ok("sim run --check --no-timing --nodes 2 --cost moves=0.1 --json --events " +
		eventsFile(t, "300,drain,n1,", "800,return,n1,") + " " + trace)
	if !strings.Contains(o, `"checked": true`) || strings.Contains(o, `"migrations_per_job": 0,`) {
		t.Error(o)
	}
}

func TestMistakesInEventsAndRowsAreNamed(t *testing.T) {
	d := newDesk(t)
	trace := traceFile(t, "3,5,1,1,0.5,60")
	for _, c := range []struct{ line, want string }{
		{"1,explode,n1,", `line 2: event: "explode" is none of`},
		{"1,fail,n9,", "line 2: fail n9: there is no node of that name: the 2 nodes are named n1 to n2"},
		{"1,cancel,4,", "line 2: cancel job 4: the stream has no job of that id"},
		{"1,cancel,3,", "line 2: cancel job 3: at 1 s, but the job is submitted at 5 s only"},
		{"9,hold,3,", "line 2: hold job 3: it is held forever: add a line that releases or cancels it later"},
	} {
		if o := d.run("sim run --nodes 2 --events " + eventsFile(t, c.line) + " " + trace); o.code != exitUsage ||
			!strings.Contains(o.err, c.want) {
			t.Errorf("%s: %+v; want %q", c.line, o, c.want)
		}
	}
	if o := d.run("sim run --policy FCFS --policy EASY --jobs rows.csv " + trace); o.code != exitUsage ||
		!strings.Contains(o.err, "one after the other") {
		t.Errorf("%+v", o)
	}
	if o := d.run("sim run --jobs " + trace + " " + trace); o.code != exitUsage || !strings.Contains(o.err, "--force") {
		t.Errorf("a file that is there is replaced: %+v", o)
	}
}

func TestAnExplanationTellsWhatHappensToNodesAndJobs(t *testing.T) {
	d := newDesk(t)
	trace := traceFile(t, "3,0,1,1,0.5,60", "0,0,1,0.5,0.5,60")
	out := d.ok("sim explain --nodes 1 --events " + eventsFile(t, "10,fail,n1,", "20,return,n1,", "30,speed,n1,0.5",
		"35,hold,0,", "40,cancel,0,", "41,drain,n1,", "42,return,n1,") + " " + trace)
	golden(t, "sim_explain_events.txt", out)
}
