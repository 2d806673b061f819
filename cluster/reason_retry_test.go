package cluster_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

func TestAJobThatWasReleasedTellsWhenItsStartIsTriedAgain(t *testing.T) {
	w := policytest.NewWorld(t, nil)
	w.Join("n1", cluster.Description{CPU: 1000, Memory: 1024 * cluster.MiB})
	w.Submit(cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}})
	w.Do(cluster.Adopt{Basis: w.Revision, Seen: w.Look().Pending(), Set: []cluster.Holding{{Job: 1,
		Placement: cluster.Placement{Grant: cluster.Foreground.Grant(500), Nodes: []cluster.NodeID{1}}}}})
	if !w.Start() {
		t.Fatal("nothing starts")
	}
	task := cluster.TaskID{Job: 1}
	m := w.Move(task)
	run := cluster.RunID{Job: 1, Number: m.Run}
	w.Do(cluster.Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40,
		Observations: []cluster.Observation{{Run: run, Move: m.ID, Seen: cluster.SeenFailed}}})
	w.Do(cluster.Hold{Job: 1})
	w.Do(cluster.Release{Job: 1})
	if why := w.Snapshot(w.Clock).Reason(w.Job(1)); why.String() != "retry [1 2]" {
		t.Errorf("the job says %v", why)
	}
	w.Clock += 3 * cluster.Second
	if why := w.Snapshot(w.Clock).Reason(w.Job(1)); why.Code != cluster.WhyNotDecided {
		t.Errorf("once its time has come it says %v", why)
	}
}
