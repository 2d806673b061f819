package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web/webtest"
)

func TestSelectedJobsAreShownBeforeTheyChange(t *testing.T) {
	d := busy(t)
	for range 12 {
		d.ok("job submit --name burst --cpu 100m --memory 32Mi --label team=red -- true")
	}
	var story strings.Builder
	tell := func(o outcome, line string) {
		story.WriteString(fmt.Sprintf("$ aliquot %s\n%s%s\n", line, o.out, o.err))
	}
	for _, typed := range []struct{ line, answer string }{
		{"job cancel --label team=red", "n"}, {"job cancel --label team=red", ""}, {"job cancel --name render", "y"},
		{"job hold --label team=red --state waiting", "yes"}, {"job hold --label team=red", "y"},
	} {
		tell(d.answer(typed.answer, typed.line), typed.line)
	}
	for _, line := range []string{
		"job release --all --yes", "job cancel --owner nobody --yes", "job cancel --all", "job cancel j1 --all",
		"job cancel", "job cancel --yes", "job cancel --state ended --yes",
	} {
		tell(d.run(line), line)
	}
	golden(t, "steer.txt", story.String())
}

func TestAnEmptyFilterSelectsNothing(t *testing.T) {
	d := busy(t)
	for _, flag := range []string{"--owner=", "--state=", "--label=", "--all=false"} {
		if o := d.run("job cancel --yes " + flag); o.code == exitDone {
			t.Errorf("%s: %+v", flag, o)
		}
	}
	if jobs := d.ok("job list"); strings.Contains(jobs, "cancelled") || strings.Contains(jobs, "stopping") {
		t.Errorf("cancelled all the same: %s", jobs)
	}
}

func TestOfManyJobsOneThatFailsDoesNotHideTheOthers(t *testing.T) {
	d := busy(t)
	d.Fault = func(a cluster.Action) error {
		if c, ok := a.(cluster.Cancel); ok && c.Job == 2 {
			return fmt.Errorf("the disk is full")
		}
		return nil
	}
	o := d.run("job cancel --all --yes")
	if o.code != exitFailed || !strings.Contains(o.err, "j2: ") ||
		!strings.Contains(o.err, "3 of 4 jobs are cancelled.\n") {
		t.Errorf("%+v", o)
	}
}

func TestAUserChangesAllOfHerJobsAndIsToldOfTheOthers(t *testing.T) {
	d := busy(t)
	d.env["ALIQUOT_TOKEN"] = webtest.Alice
	mine := d.ok("job submit --cpu 1 --memory 64Mi -- true")
	const others = "4 jobs of others are left out: only operators may change them.\n"
	if o := d.run("job cancel --all --yes"); o.code != exitDone || !strings.Contains(o.err, others) ||
		!strings.Contains(o.err, "1 of 1 job is cancelled.\n") {
		t.Errorf("%s: %+v", mine, o)
	}
	if o := d.run("job hold --all --yes"); o.code != exitFailed || !strings.Contains(o.err, "(forbidden)") {
		t.Errorf("without a job of hers: %+v", o)
	}
	d.env["ALIQUOT_TOKEN"] = webtest.Admin
	if log := d.ok("audit --outcome refused --operation hold-job"); strings.Count(log, "forbidden") != 1 {
		t.Errorf("the audit log does not have the attempt:\n%s", log)
	}
}

// meanwhile is the answer of a person, before which something happens.
type meanwhile struct {
	happens sync.Once
	what    func()
	io.Reader
}

func (m *meanwhile) Read(p []byte) (int, error) {
	m.happens.Do(m.what)
	return m.Reader.Read(p)
}

func TestJobsThatEndBeforeTheyAreCancelledAreNoFailures(t *testing.T) {
	d := busy(t)
	ends := func() { d.ok("job cancel j4") }
	o := d.do(&app{in: &meanwhile{what: ends, Reader: strings.NewReader("y\n")}, person: true},
		strings.Fields("job cancel --state held"))
	if o.code != exitDone || !strings.Contains(o.out+o.err, "0 of 1 job is cancelled; 1 had ended already.") {
		t.Errorf("%+v", o)
	}
}

func TestTheHelpOfStateNamesEveryState(t *testing.T) {
	d := newDesk(t)
	for _, command := range []string{"list", "cancel"} {
		_, help, _ := strings.Cut(d.ok("job "+command+" --help"), "--state")
		help, _, _ = strings.Cut(help, " for all of that kind")
		for _, state := range jobStates {
			if !strings.Contains(help, state) {
				t.Errorf("the help of job %s leaves out %s: %s", command, state, help)
			}
		}
	}
}

func TestJobsThatWereHeldBeforeTheyBegunAreSelectedWhileTheirVMsStop(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 2000, 1024*cluster.MiB)
	for id := range cluster.JobID(2) {
		d.ok("job submit --name rep --cpu 100m --memory 64Mi -- true")
		d.Place(t, id+1, 100, n1)
		start := d.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: id + 1}, To: n1, CPU: 100})
		run := cluster.RunID{Job: id + 1, Number: start.Run}
		d.Report(t, n1, cluster.Observation{Run: run, Move: start.ID, Seen: cluster.SeenBooting, Cap: 100, Platform: "q35"})
	}
	d.ok("job hold --all --yes")
	for id := range cluster.JobID(2) {
		d.Move(t, cluster.Move{Kind: cluster.Stop, Task: cluster.TaskID{Job: id + 1}, From: n1})
	}
	if jobs := d.ok("job list --state stopping"); strings.Count(jobs, "held by its user") != 2 {
		t.Fatalf("they do not stop: %s", jobs)
	}
	for _, c := range []struct{ line, says string }{
		{"job hold --name rep --yes", "j2, j1 are left out: already held.\nNo other job matches.\n"},
		{"job release j2", "j2 is not held.\n"},
		{"job release --name rep --yes", "j2 is left out: not held.\n1 of 1 job is released.\n"},
		{"job hold --name rep --yes", "2 of 2 jobs are held.\n"},
		{"job release --state held --yes", "2 of 2 jobs are released.\n"},
		{"job hold j1 j2", "j1 is held.\nj2 is held.\n"},
		{"job cancel --name rep --yes", "2 of 2 jobs are cancelled.\n"},
		{"job cancel --name rep --yes", "j2, j1 are left out: already being stopped.\nNo other job matches.\n"},
		{"job release --state held --yes", "No job matches.\n"},
	} {
		if o := d.run(c.line); o.code != exitDone || o.err+o.out != c.says {
			t.Errorf("%s: %+v", c.line, o)
		}
	}
}

func TestPromisedJobsAreLeftOutOfWhatIsHeld(t *testing.T) {
	d := busy(t)
	start := time.UnixMicro(int64(d.Latest().At)).Add(time.Hour).UTC().Format(time.RFC3339)
	d.ok("job submit --name talk --cpu 100m --memory 64Mi --start " + start + " --for 30m -- true")
	d.ok("job submit --name talk --cpu 100m --memory 64Mi -- true")
	const left = "j6 is left out: holding would break the promise, cancel instead.\n"
	if o := d.run("job hold --name talk --yes"); o.code != exitDone || o.err != left+"1 of 1 job is held.\n" {
		t.Errorf("one of two: %+v", o)
	}
	if o := d.run("job hold --owner admin --search j6 --yes"); o.code != exitFailed || !strings.HasPrefix(o.err, left) ||
		!strings.Contains(o.err, "no job can be held") {
		t.Errorf("that one alone: %+v", o)
	}
}
