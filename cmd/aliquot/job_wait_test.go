package main

import (
	"strings"
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

func TestWaitEndsWhenItsTimeIsOver(t *testing.T) {
	d := busy(t)
	o := d.run("job wait j3 j1 --timeout 100ms")
	if o.code != exitLate || !strings.HasPrefix(o.out, "j3 failed after 1m30s") ||
		o.err != "aliquot: not all jobs have ended within 100ms; they keep running\n" {
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
