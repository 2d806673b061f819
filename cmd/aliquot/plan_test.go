package main

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/scheduler"
)

func TestPlanIsShownAndApplied(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(h scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := d.Latest(), d.Latest()
		after.TargetAll().Set(2, &cluster.Placement{Grant: cluster.Foreground.Grant(100), Nodes: []cluster.NodeID{2}})
		most := 0.75
		return scheduler.Preview{
			Basis: before.Revision, Before: before, After: after, Bound: &most,
			Plan: migrate.Plan{
				Steps: []migrate.Step{
					{Move: cluster.Move{Kind: cluster.Resize, Task: cluster.TaskID{Job: 1, Index: 1}, From: 2, To: 2, CPU: 400}},
					{Move: cluster.Move{Kind: cluster.Migrate, Task: cluster.TaskID{Job: 2}, From: 1, To: 2, CPU: 100},
						After: []int{0}},
				},
				Blocked: []migrate.Blocked{{Task: cluster.TaskID{Job: 1}, Why: migrate.StillBooting}},
			},
			Adopt: cluster.Adopt{
				Why:    []cluster.Reason{{Job: 2, Code: cluster.WhyRebalanced, Values: []int64{200}}},
				Refuse: []cluster.Refusal{{Job: 3, Reason: cluster.Reason{Code: cluster.WhyTooFewNodes, Values: []int64{3, 4}}}},
			},
		}, nil
	}
	golden(t, "plan.txt", d.ok("plan drain n1"))
	if d.Latest().Node(1).Draining {
		t.Fatal("planning drained the node")
	}
	if o := d.run("plan drain n1 --apply"); o.code != exitDone || !strings.Contains(o.err, "Applied.") ||
		!d.Latest().Node(1).Draining {
		t.Errorf("applied: %+v", o)
	}
}

func TestAPlanNamesJobsThatCouldNotGoOn(t *testing.T) {
	d := newDesk(t)
	d.ok("job submit -n 4 --cpu 1 --memory 64Mi -- true")
	for code, named := range map[cluster.ReasonCode]bool{cluster.WhyTooFewNodes: true, cluster.WhyNoFreeNode: false} {
		d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
			v, why := d.Latest(), []cluster.Reason{{Job: 1, Code: code, Values: []int64{3, 4}}}
			draft, adopt := v.Clone(), cluster.Adopt{Basis: v.Revision, Why: why}
			draft.Apply(draft.Revision+1, cluster.Command{Epoch: draft.Epoch, At: v.At,
				Actor: cluster.Actor{Role: cluster.System}, Action: adopt})
			return scheduler.Preview{Basis: v.Revision, Before: v, After: draft.Snapshot(v.At), Adopt: adopt}, nil
		}
		page := d.ok("plan")
		if strings.Contains(page, "its 4 tasks need a node each") != named {
			t.Errorf("%s: %s", code, page)
		}
	}
}

func TestAPlanOfWhichNothingCanBeDoneSaysWhy(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		v := d.Latest()
		return scheduler.Preview{
			Basis: v.Revision, Before: v, After: v,
			Plan: migrate.Plan{Blocked: []migrate.Blocked{{Task: cluster.TaskID{Job: 1, Index: 1},
				Why: migrate.NoStoreRoom}}},
			Weighed: &cluster.Weighed{Jobs: 2, Gain: 12 * cluster.Second, Cost: 10 * cluster.Second,
				Horizon: cluster.Hour, Margin: 2},
		}, nil
	}
	page := d.ok("plan")
	if !strings.HasPrefix(page, "No move is possible at present.\nj1/1 is blocked: "+string(migrate.NoStoreRoom)+"\n") {
		t.Error(page)
	}
	if !strings.Contains(page,
		"\nRunning jobs: no beneficial move: moving 2 jobs gains 12.0 s of progress within 1 h and costs 10.0 s; it must gain more than 2 times its cost.\n") {
		t.Error(page)
	}
}

func TestAPlanWithoutMovesSaysWhetherNoneIsNeededOrNoneIsOfUse(t *testing.T) {
	d := busy(t)
	for want, weighed := range map[string]*cluster.Weighed{
		"No VM would change.\n": nil,
		"No move is beneficial.\n": {Jobs: 2, Gain: 12 * cluster.Second, Cost: 10 * cluster.Second,
			Horizon: cluster.Hour, Margin: 2},
	} {
		d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
			v := d.Latest()
			return scheduler.Preview{Basis: v.Revision, Before: v, After: v, Weighed: weighed}, nil
		}
		if page := d.ok("plan"); !strings.HasPrefix(page, want) {
			t.Errorf("want %q: %s", want, page)
		}
	}
}

func TestAPlanSaysWhichJobsWouldBeInTheBackground(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := d.Latest(), d.Latest()
		after.TargetAll().Set(2, &cluster.Placement{Grant: cluster.Background.Grant(500), Nodes: []cluster.NodeID{2}})
		after.TargetAll().Set(5, &cluster.Placement{Grant: cluster.Background.Grant(500), Nodes: []cluster.NodeID{1, 2}})
		return scheduler.Preview{Basis: before.Revision, Before: before, After: after}, nil
	}
	page := d.ok("plan")
	for _, row := range []string{
		"\nj2   0.50 → bg  n1 → n2     runs in the background", "\nj5   - → bg     - → n1, n2  runs in the background",
	} {
		if !strings.Contains(page, row) {
			t.Errorf("want %q: %s", row, page)
		}
	}
}

func TestAPlanCountsJobsWithoutAShareAsYieldZero(t *testing.T) {
	d := busy(t)
	d.PlanFunc = func(scheduler.Hypothesis) (scheduler.Preview, error) {
		before, after := d.Latest(), d.Latest()
		after.TargetAll().Set(5, &cluster.Placement{Grant: cluster.Foreground.Grant(100), Nodes: []cluster.NodeID{1, 2}})
		return scheduler.Preview{Basis: before.Revision, Before: before, After: after}, nil
	}
	want := "Least yield: 0.00 → 0.10 over all jobs that may run. Jobs without a share: 1 → 0.\n" +
		"Placed jobs: 2 → 3; their least yield: 0.50 → 0.10. "
	if page := d.ok("plan"); !strings.Contains(page, want) {
		t.Error(page)
	}
}
