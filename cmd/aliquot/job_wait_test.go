package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"aliquot/cluster"
)

func TestWaitExitsWithTheOutcome(t *testing.T) {
	d := busy(t)
	if o := d.run("job wait j3"); o.code != exitFailed || o.out != "j3 failed after 1m30s: task 0: exit code 1\n" ||
		o.err != "" {
		t.Errorf("a failed job: %+v", o)
	}
	done := make(chan outcome)
	go func() { done <- d.run("job wait j1") }()
	d.Exit(t, cluster.RunID{Job: 1, Index: 0, Number: 1}, 0)
	d.Exit(t, cluster.RunID{Job: 1, Index: 1, Number: 1}, 0)
	if o := <-done; o.code != exitDone || o.out != "j1 succeeded after 2m\n" {
		t.Errorf("a job that succeeds: %+v", o)
	}
}

func TestWaitTakesASelection(t *testing.T) {
	d := busy(t)
	for _, line := range []string{"job wait", "job wait j3 --all", "job wait --label="} {
		if o := d.run(line); o.code != exitUsage {
			t.Errorf("%s: %+v", line, o)
		}
	}
	for _, line := range []string{"job wait --name none", "job wait --name later --state failed"} {
		if o := d.run(line); o.code != exitFailed || o.err != "aliquot: no job matches\n" {
			t.Errorf("%s: %+v", line, o)
		}
	}
	if o := d.run("job wait --all --name broken"); o.code != exitDone || o.err != "No job matches.\n" {
		t.Errorf("all that have not ended: %+v", o)
	}
	if o := d.run("job wait --name broken"); o.code != exitFailed || !strings.HasPrefix(o.out, "j3 failed after") {
		t.Errorf("one that failed before the wait: %+v", o)
	}
	if o := d.run("job wait --state failed"); o.code != exitFailed || !strings.HasPrefix(o.out, "j3 failed after") {
		t.Errorf("those that ended: %+v", o)
	}
	ended := d.waits(t, t.Context(), &app{}, "job", "wait", "--label", "team=blue")
	for index := range 2 {
		d.Exit(t, cluster.RunID{Job: 1, Index: index, Number: 1}, 0)
	}
	if o := <-ended; o.code != exitDone || o.out != "j1 succeeded after 2m\n" {
		t.Errorf("a selection: %+v", o)
	}
}

func TestWaitTellsTheJobsInTheirOrderAndNotInThatOfTheirEnds(t *testing.T) {
	d := busy(t)
	ended := d.waits(t, t.Context(), &app{}, "job", "wait", "j1", "j4", "j5")
	d.ok("job cancel j5 j4")
	for index := range 2 {
		d.Exit(t, cluster.RunID{Job: 1, Index: index, Number: 1}, 0)
	}
	o := <-ended
	var order []string
	for line := range strings.Lines(o.out) {
		order = append(order, line[:2])
	}
	if o.code != exitFailed || strings.Join(order, " ") != "j1 j4 j5" {
		t.Errorf("%+v", o)
	}
}

func TestWaitEndsWhenItsTimeIsOver(t *testing.T) {
	d := busy(t)
	o := d.run("job wait j3 j1 --timeout 100ms")
	if o.code != exitLate || !strings.HasPrefix(o.out, "j3 failed after 1m30s") ||
		o.err != "aliquot: not all jobs have ended within 100ms; that stops none of them\n" {
		t.Errorf("%+v", o)
	}
	if o := d.run("job wait j3 -o json"); !strings.Contains(o.out, `"total": 1`) {
		t.Errorf("as JSON: %s", o.out)
	}
	if o := d.run("job wait j3 --timeout 1h"); o.code != exitFailed || o.err != "" {
		t.Errorf("a job that has ended: %+v", o)
	}
	if o := d.run("job wait j1 --timeout -1s"); o.code != exitUsage {
		t.Errorf("no time at all: %+v", o)
	}
	if o := d.run("job show j1"); !strings.Contains(o.out, "running") {
		t.Errorf("the job does not run on: %s", o.out)
	}
}

func TestAnEmptyConsoleIsNotRecommended(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.Run(t, 1, 1000, n1)
	d.Report(t, n1, cluster.Observation{Run: cluster.RunID{Job: 1, Number: 1}, Seen: cluster.SeenExited,
		Exit: &cluster.Exit{Cause: "the guest stopped"}})
	if o := d.run("job wait j1"); o.code != exitFailed || strings.Contains(o.out, "--console") {
		t.Errorf("job wait: %+v", o)
	}
	if out := d.ok("job show j1"); !strings.Contains(out, "the guest stopped") || strings.Contains(out, "--console") {
		t.Errorf("job show: %s", out)
	}
}

// dead returns a desk with a job of three tasks whose guests all wrote to their consoles. The last two stopped, and the
// first one was told to stop. Its second job is running.
func dead(t *testing.T) *desk {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 4000, 512*cluster.MiB)
	d.ok("job submit --tasks 3 --cpu 1 --memory 64Mi -- true")
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.Run(t, 1, 1000, n1, n1, n1)
	d.Run(t, 2, 1000, n1)
	for _, task := range []struct {
		index int
		exit  cluster.Exit
	}{{1, cluster.Exit{Cause: "the guest stopped"}}, {2, cluster.Exit{Cause: "the guest stopped"}},
		{0, cluster.Exit{Code: 143, Signal: "SIGTERM"}}} {
		run := cluster.RunID{Job: 1, Index: task.index, Number: 1}
		d.SetConsole(run, "Kernel panic\n")
		d.Report(t, n1, cluster.Observation{Run: run, Seen: cluster.SeenExited, Exit: &task.exit})
	}
	return d
}

// countLogs counts the requests for logs that the desk's commands make.
func (d *desk) countLogs(t *testing.T) *atomic.Int32 {
	count := &atomic.Int32{}
	d.watch(t, func(path string) {
		if strings.HasSuffix(path, "/logs") {
			count.Add(1)
		}
	})
	return count
}

// watch makes the desk's commands go through a proxy that tells the path of each request.
func (d *desk) watch(t *testing.T, tell func(path string)) {
	manager, err := url.Parse(d.env["ALIQUOT_MANAGERS"])
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	proxy := httputil.NewSingleHostReverseProxy(manager)
	proxy.Transport, proxy.FlushInterval = transport, -1
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tell(r.URL.Path)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(transport.CloseIdleConnections)
	t.Cleanup(server.Close)
	d.env["ALIQUOT_MANAGERS"] = server.URL
}

func TestOnlyTheConsoleOfTheFirstTaskThatDiedIsAskedForAndOnlyForPeople(t *testing.T) {
	d := dead(t)
	count := d.countLogs(t)
	for line, want := range map[string]struct {
		requests int32
		see      bool
	}{
		"job show j1": {1, true}, "job wait j1": {1, true},
		"job show j1 -o json": {0, false}, "job wait j1 -o yaml": {0, false},
	} {
		count.Store(0)
		o := d.run(line)
		if see := strings.Contains(o.out, "aliquot job logs j1 --task 1 --console"); see != want.see ||
			count.Load() != want.requests {
			t.Errorf("%s asked %d times for logs: %+v", line, count.Load(), o)
		}
	}
}

func TestNoOtherConsoleIsAskedForIfThatOfTheFirstTaskThatDiedIsEmpty(t *testing.T) {
	d := dead(t)
	d.SetConsole(cluster.RunID{Job: 1, Index: 1, Number: 1}, "")
	count := d.countLogs(t)
	if out := d.ok("job show j1"); strings.Contains(out, "--console") || count.Load() != 1 {
		t.Errorf("asked %d times for logs: %s", count.Load(), out)
	}
}

func TestAJobThatFailedBeforeTheTimeWasOverSaysWhereToSeeMore(t *testing.T) {
	d := dead(t)
	o := d.run("job wait j1 j2 --timeout 1s")
	if o.code != exitLate || !strings.HasSuffix(o.out, "; see aliquot job logs j1 --task 1 --console\n") {
		t.Errorf("%+v", o)
	}
}
