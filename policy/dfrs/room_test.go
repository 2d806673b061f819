package dfrs

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// A pause that is called off leaves room in the store, but only after it has been called off: placements are dropped
// before others are given, so a decision of the same instant must not use that room.
func TestRoomOfAPauseThatIsCalledOffCountsFromTheNextDecisionOn(t *testing.T) {
	p, err := New("GreedyPM *", nil, cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	w.Store = 80 * cluster.MiB
	for _, name := range []string{"n1", "n2"} {
		w.Join(name, offers(60))
		w.Submit(cluster.Spec{Tasks: 1, Need: 500, Requirement: cluster.Requirement{Memory: 50 * cluster.MiB},
			Placement: cluster.Constraint{Nodes: []string{name}}})
	}
	decide := func() { w.Decide(); w.Settle() }
	decide()

	w.Do(cluster.SetNode{Node: 2, Want: cluster.Drain})
	w.Decide()
	if w.Target(2) != nil {
		t.Fatalf("j2 is on a node that drains: %+v", w.Target(2))
	}
	w.Do(cluster.SetNode{Node: 2, Want: cluster.Uncordon})
	w.Join("n1", offers(40))
	if d := p.Decide(w.Look()).Target; d.Get(1) == nil || d.Get(2) == nil {
		t.Errorf("j1 is to hold %+v, want it to stay where it is; j2 %+v, want a place", d.Get(1), d.Get(2))
	}
	w.Decide()

	w.Do(cluster.SetNode{Node: 2, Want: cluster.Uncordon})
	decide()
	if w.Target(1) != nil {
		t.Errorf("now that the store has room, j1 holds %+v on a node that is too small", w.Target(1))
	}
}

func offers(mib cluster.Bytes) cluster.Description {
	return cluster.Description{CPU: 1000, Memory: mib * cluster.MiB}
}
