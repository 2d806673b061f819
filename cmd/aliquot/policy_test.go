package main

import (
	"strings"
	"testing"

	"aliquot/scheduler"
)

func TestAPolicyIsSetOnceItsEffectWasSeen(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		v := d.Latest()
		return scheduler.Preview{Basis: v.Revision, Before: v, After: v}, nil
	}
	before := d.ok("policy get")
	if o := d.run("policy set fcfs"); o.code != exitUsage || !strings.Contains(o.err, "Least yield: ") ||
		!strings.Contains(o.err, "add --yes") {
		t.Errorf("without a terminal: %+v", o)
	}
	if o := d.answer("n", "policy set fcfs"); o.code != exitFailed || !strings.HasSuffix(o.err, "Nothing is done.\n") {
		t.Errorf("after a no: %+v", o)
	}
	if now := d.ok("policy get"); now != before {
		t.Errorf("the policy is %s all the same", now)
	}
	if o := d.answer("y", "policy set fcfs"); o.code != exitDone || !strings.Contains(o.err, "Least yield: ") ||
		!strings.HasSuffix(o.err, "The policy is FCFS, every 10m.\n") {
		t.Errorf("after a yes: %+v", o)
	}
	if o := d.run("policy set fcfs --period 5m --yes"); o.err != "The policy is FCFS, every 5m.\n" {
		t.Errorf("unasked: %+v", o)
	}
	if now := d.ok("policy get"); now != "FCFS, every 5m\n" {
		t.Errorf("policy get shows %s", now)
	}
}
