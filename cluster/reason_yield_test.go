package cluster_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

func TestTheReasonOfAPlacedJobNamesItsPresentYield(t *testing.T) {
	w := policytest.NewWorld(t, nil)
	w.Join("n1", cluster.Description{CPU: 1000, Memory: 1024 * cluster.MiB})
	w.Submit(cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}})
	give := func(share cluster.CPU, why ...cluster.Reason) {
		w.Do(cluster.Adopt{Basis: w.Revision, Seen: w.Look().Pending(), Why: why, Set: []cluster.Holding{{Job: 1,
			Placement: cluster.Placement{Grant: cluster.Foreground.Grant(share), Nodes: []cluster.NodeID{1}}}}})
	}
	tell := func(when, want string) {
		t.Helper()
		if why := w.Snapshot(w.Clock).Reason(w.Job(1)); why.String() != want {
			t.Errorf("%s: %v, want %s", when, why, want)
		}
	}
	give(500, cluster.Reason{Job: 1, Code: cluster.WhyPlaced, Values: []int64{500}})
	tell("placed", "to_start [500]")
	w.Settle()
	tell("running", "placed [500]")
	give(1000)
	tell("with more", "placed [1000]")
}
