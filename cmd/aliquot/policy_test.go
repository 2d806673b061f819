package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/scheduler"
)

func TestSettingAPolicyNamesTheJobsThatWouldFail(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		v := d.Latest()
		p := scheduler.Preview{Basis: v.Revision, Before: v, After: v}
		for _, job := range []cluster.JobID{1, 2} {
			p.Adopt.Refuse = append(p.Adopt.Refuse, cluster.Refusal{Job: job,
				Reason: cluster.Reason{Job: job, Code: cluster.WhyTooFewNodes, Values: []int64{2, 3}}})
		}
		return p, nil
	}
	const refused = "j1, j2 would fail, because they could never run: " +
		"its 3 tasks need a node each, but only 2 nodes of the cluster could take one\n"
	if o := d.answer("n", "policy set fcfs"); !strings.Contains(o.err, refused) ||
		!strings.Contains(o.err, "Set the policy, although 2 jobs would fail?") {
		t.Errorf("the question: %+v", o)
	}
	if o := d.run("policy set fcfs --yes"); o.err != refused+"The policy is FCFS, without periodic decisions.\n" {
		t.Errorf("unasked: %+v", o)
	}
}

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
		!strings.HasSuffix(o.err, "The policy is FCFS, without periodic decisions.\n") {
		t.Errorf("after a yes: %+v", o)
	}
	if o := d.run("policy set fcfs --period 5m --yes"); o.err != "The policy is FCFS, without periodic decisions.\n" {
		t.Errorf("unasked: %+v", o)
	}
	now, period := d.ok("policy get"), d.Latest().Policy.Period
	if now != "FCFS, without periodic decisions\n" || period != 5*cluster.Minute {
		t.Errorf("policy get shows %s", now)
	}
}
