package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// waits runs a command line until it follows the events of its job, and returns its outcome to come.
func (d *desk) waits(t *testing.T, ctx context.Context, a *app, args ...string) <-chan outcome {
	follows, ended := make(chan bool, 1), make(chan outcome, 1)
	d.watch(t, func(path string) {
		if strings.HasSuffix(path, "/events") {
			select {
			case follows <- true:
			default:
			}
		}
	})
	go func() { ended <- d.doUntil(ctx, a, args...) }()
	select {
	case <-follows:
	case o := <-ended:
		t.Fatalf("%v does not wait: %+v", args, o)
	}
	return ended
}

// fresh is a desk with a job that nothing is decided about yet.
func fresh(t *testing.T) (*desk, cluster.NodeID) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 2000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	return d, n1
}

func TestACommandBesideATaskThatHasNotStartedWaitsForItsStart(t *testing.T) {
	d, n1 := fresh(t)
	exec := d.waits(t, t.Context(), &app{in: strings.NewReader("input")}, "job", "exec", "j1", "--", "true")
	d.Run(t, 1, 500, n1)
	if o := <-exec; o.code != exitDone || o.out != "input" || o.err != "true" {
		t.Errorf("%+v", o)
	}
	d.env["ALIQUOT_TOKEN"] = webtest.Admin
	if log := d.ok("audit --operation exec-command"); strings.Contains(log, "refused") || strings.Count(log, "j1") != 1 {
		t.Errorf("the audit log has the wait as a refusal:\n%s", log)
	}
}

func TestAPortOfATaskThatHasNotStartedIsForwardedOnceItRuns(t *testing.T) {
	d, n1 := fresh(t)
	ctx, interrupt := context.WithCancel(t.Context())
	out, to := io.Pipe()
	forward := d.waits(t, ctx, &app{out: to}, "job", "forward", "j1", "0:80")
	d.Run(t, 1, 500, n1)
	line, err := bufio.NewReader(out).ReadString('\n')
	if !strings.HasSuffix(line, " leads to port 80 of task 0 of j1\n") {
		t.Errorf("%q, %v", line, err)
	}
	interrupt()
	if o := <-forward; o.code != exitDone {
		t.Errorf("%+v", o)
	}
}

func TestWhoMayNotReachATaskIsRefusedBeforeItStarts(t *testing.T) {
	d := newDesk(t)
	d.env["ALIQUOT_TOKEN"] = webtest.Alice
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	for token, why := range map[string]string{
		webtest.Viewer: `the token "viewer" has the role viewer; reaching a port of a task needs user (forbidden)`,
		webtest.Bob:    "j1 belongs to alice in project render (forbidden)",
	} {
		d.env["ALIQUOT_TOKEN"] = token
		if o := d.run("job forward j1 0:80"); o.code != exitFailed || o.err != "aliquot: "+why+"\n"+api.HelpForbidden+"\n" {
			t.Errorf("%+v", o)
		}
	}
	for _, token := range []string{webtest.Alice, webtest.Operator} {
		d.env["ALIQUOT_TOKEN"] = token
		if o := d.run("job forward --wait 10ms j1 0:80"); o.code != exitLate {
			t.Errorf("%s does not wait: %+v", token, o)
		}
	}
}

func TestAPortOfATaskWhoseNodeIsCutOffForAMomentIsForwardedAtOnce(t *testing.T) {
	d, n1 := fresh(t)
	d.Run(t, 1, 500, n1)
	d.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: 1, Number: 1}, Seen: cluster.SeenFrozen, Cap: 500})
	if out := d.ok("job show j1"); !strings.Contains(out, "frozen") {
		t.Fatal(out)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	out, to := io.Pipe()
	ended := make(chan outcome, 1)
	go func() { ended <- d.doUntil(ctx, &app{out: to}, "job", "forward", "j1", "0:80") }()
	if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasSuffix(line, " of task 0 of j1\n") {
		t.Errorf("%q, %v", line, err)
	}
	interrupt()
	if o := <-ended; o.code != exitDone {
		t.Errorf("%+v", o)
	}
	if o := d.run("job exec --wait 10ms j1 -- true"); o.code != exitLate || !strings.Contains(o.err, "it is frozen") {
		t.Errorf("a command: %+v", o)
	}
}

func TestTheWaitForATaskEndsWhereItDoesNotStart(t *testing.T) {
	for order, told := range map[string]string{
		"job hold j1":   "j1 is held: `aliquot job release j1` lets it run",
		"job cancel j1": "task 0 of j1 has ended",
	} {
		d, _ := fresh(t)
		exec := d.waits(t, t.Context(), &app{}, "job", "exec", "j1", "--", "true")
		d.ok(order)
		if o := <-exec; o.code != exitFailed || !strings.Contains(o.err, told) {
			t.Errorf("%s: %+v", order, o)
		}
	}
	d, n1 := fresh(t)
	d.ok("job submit --cpu 1 --memory 64Mi --after j1 -- true")
	o := d.run("job exec j2 -- true")
	if o.code != exitFailed || !strings.Contains(o.err, "j2 waits for other jobs to end") {
		t.Errorf("a dependent job: %+v", o)
	}
	d.Run(t, 1, 500, n1)
	d.ok("job hold j1")
	d.Must(t, cluster.Adopt{Basis: d.Latest().Revision, Seen: d.Latest().View().Pending(), Drop: []cluster.JobID{1}})
	pause := d.Move(t, cluster.Move{Kind: cluster.Pause, Task: cluster.TaskID{Job: 1}, From: n1})
	d.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: 1, Number: 1}, Move: pause.ID, Seen: cluster.SeenSaved})
	if o := d.run("job forward j1 0:80"); o.code != exitFailed || !strings.Contains(o.err, "is held") {
		t.Errorf("a job that is held and paused: %+v", o)
	}
}

func TestTheWaitForATaskIsLimited(t *testing.T) {
	d, _ := fresh(t)
	for line, want := range map[string]outcome{
		"job exec --wait 10ms j1 -- true": {code: exitLate, err: "aliquot: task 0 of j1 did not start within 10ms: it "},
		"job exec --wait 0 j1 -- true":    {code: exitFailed, err: "aliquot: task 0 of j1 has no VM yet"},
		"job exec --wait -1s j1 -- true":  {code: exitUsage, err: "aliquot: --wait -1s is in the past"},
		"job forward --wait 10ms j1 0:80": {code: exitLate, err: "aliquot: task 0 of j1 did not start within 10ms: it "},
	} {
		if o := d.run(line); o.code != want.code || !strings.HasPrefix(o.err, want.err) || o.out != "" {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestAWaitInThePastIsRefusedAlsoWhereTheTaskRuns(t *testing.T) {
	d, n1 := fresh(t)
	d.Run(t, 1, 500, n1)
	for _, line := range []string{"job exec --wait -1s j1 -- true", "job forward --wait -1s j1 0:80"} {
		if o := d.run(line); o.code != exitUsage || o.err != "aliquot: --wait -1s is in the past\n" {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestAJobThatStartsOnlyAfterTheWaitIsNotWaitedFor(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 512*cluster.MiB)
	d.ok("job submit --cpu 500m --memory 64Mi --start 2h --for 10m -- true")
	for _, line := range []string{"job exec j1 -- true", "job forward j1 0:80"} {
		o := d.run(line)
		if o.code != exitLate || !strings.HasPrefix(o.err, "aliquot: j1 is promised from ") ||
			!strings.HasSuffix(o.err, ", later than --wait 5m0s from now\n") {
			t.Errorf("%s: %+v", line, o)
		}
	}
}

func TestATaskThatStartsAtTheDeadlineOfTheWaitHasStarted(t *testing.T) {
	d, _ := fresh(t)
	a, c := d.connected(t)
	const limit = 500 * time.Millisecond
	over := time.After(limit + limit/4)
	err := a.awaitTask(t.Context(), c, "j1", 0, startsWithin(limit), func(*api.Task) bool {
		if over != nil {
			<-over
			over = nil
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
}

// connected is a program with a connection to the manager.
func (d *desk) connected(t *testing.T) (*app, *client.Client) {
	a := &app{err: io.Discard, env: func(name string) (string, bool) { value, ok := d.env[name]; return value, ok }}
	c, err := a.connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return a, c
}

func TestASecondWaitForATaskEndsWithTheFirst(t *testing.T) {
	d, _ := fresh(t)
	a, c := d.connected(t)
	limit := startLimit{time.Hour, time.Now()}
	err := a.awaitTask(t.Context(), c, "j1", 0, limit, takesCommands)
	if err == nil || !strings.HasPrefix(err.Error(), "task 0 of j1 did not start within 1h0m0s: ") {
		t.Error(err)
	}
}

func TestATaskStartsAfterATimeIfThatIsKnown(t *testing.T) {
	limit := time.Date(2026, 11, 26, 14, 0, 0, 0, time.UTC)
	before, after := limit.Add(-time.Minute), limit.Add(time.Minute)
	interval := func(state string, due time.Time) *api.Promise {
		return &api.Promise{State: state, Due: due, From: after}
	}
	for what, c := range map[string]struct {
		promise *api.Promise
		task    api.Task
		told    string
	}{
		"nothing is known":           {nil, api.Task{}, ""},
		"an interval, soon":          {interval("promised", before), api.Task{}, ""},
		"an interval, late":          {interval("promised", after), api.Task{}, "j1 is promised from "},
		"an interval of a lost node": {interval("broken", after), api.Task{}, ""},
		"a deadline":                 {&api.Promise{State: "promised", Due: after, Deadline: &after}, api.Task{}, ""},
		"a deadline, ready late": {&api.Promise{State: "promised", Deadline: &after, Ready: &after}, api.Task{},
			"j1 does not run before "},
		"a retry, soon": {nil, api.Task{RetryAt: &before}, ""},
		"a retry, late": {nil, api.Task{RetryAt: &after}, "task 0 of j1 is tried again at "},
		"a VM":          {nil, api.Task{RetryAt: &after, Node: "n1"}, ""},
	} {
		got := startsAfter(&api.Job{ID: "j1", Promise: c.promise, Tasks: []api.Task{c.task}}, 0, limit)
		if !strings.HasPrefix(got, c.told) || (got == "") != (c.told == "") {
			t.Errorf("%s: %q", what, got)
		}
	}
}
