package ceiling_test

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/ceiling"
	"aliquot/policy/policytest"
)

func world(t policytest.T, nodes int) *policytest.World {
	p, err := catalog.Parse("GreedyPM */stable", 600*cluster.Second)
	if err != nil {
		t.Fatalf("%v", err)
	}
	w := policytest.NewWorld(t, p)
	for n := range nodes {
		w.Join("n"+string(rune('1'+n)), cluster.Description{CPU: 1000, Memory: 100 * cluster.MiB})
	}
	return w
}

func job(tasks int, need cluster.CPU, memory cluster.Bytes) cluster.Spec {
	return cluster.Spec{Tasks: tasks, Need: need, Requirement: cluster.Requirement{Memory: memory * cluster.MiB}}
}

func TestCeilingIsThatOfTheJobsThatHoldSomething(t *testing.T) {
	w := world(t, 2)
	if _, ok := ceiling.Yield(w.Look()); ok {
		t.Error("nobody holds anything, and yet there is a ceiling")
	}
	w.Submit(job(3, 1000, 20)) // one node has two of its tasks
	w.Decide()
	if y, ok := ceiling.Yield(w.Look()); !ok || y < 0.5 || y > 0.500001 {
		t.Errorf("ceiling %v, %v; want 0.5", y, ok)
	}
}

func TestCeilingKnowsWhereJobsMayGo(t *testing.T) {
	on := func(s cluster.Spec, placement cluster.Constraint) cluster.Spec {
		s.Placement = placement
		return s
	}
	for name, c := range map[string]struct {
		spec cluster.Spec
		want float64
	}{
		"everywhere":          {job(4, 1000, 20), 1},
		"to one node by name": {on(job(4, 1000, 20), cluster.Constraint{Nodes: []string{"n2"}}), 0.25},
		"to two nodes by name": {on(job(4, 1000, 20), cluster.Constraint{Nodes: []string{"n2", "n3"}}),
			0.5},
		"spread over a large node and a small one": {on(job(2, 1500, 20), cluster.Constraint{Nodes: []string{"n3", "n4"},
			Spread: true}), 2.0 / 3},
		"not spread, on the large one": {on(job(2, 1500, 20), cluster.Constraint{Nodes: []string{"n3", "n4"}}),
			1},
		"to nodes that carry a label": {on(job(4, 1000, 20),
			cluster.Constraint{Match: []cluster.Pair{{Key: "disk", Value: "fast"}}}), 0.75},
		"by name, and one is cordoned": {on(job(4, 1000, 20), cluster.Constraint{Nodes: []string{"n3", "n4"}}),
			0.25},
	} {
		w := world(t, 3)
		w.Join("n4", cluster.Description{CPU: 3000, Memory: 100 * cluster.MiB,
			Labels: []cluster.Pair{{Key: "disk", Value: "fast"}}})
		if name == "by name, and one is cordoned" {
			w.Do(cluster.SetNode{Node: 4, Want: cluster.Cordon})
		}
		w.Submit(c.spec)
		w.Decide()
		if y, ok := ceiling.Yield(w.Look()); !ok || y < c.want-1e-12 || y > c.want+1e-4 {
			t.Errorf("%s: ceiling %v, %v; want %v", name, y, ok, c.want)
		}
	}
}

func TestCeilingCountsNoNodeThatDrains(t *testing.T) {
	w := world(t, 2)
	w.Submit(job(1, 1000, 20))
	w.Submit(job(1, 1000, 20))
	w.Decide()
	w.Settle() // one on each node
	w.Do(cluster.SetNode{Node: 1, Want: cluster.Drain})
	w.Decide() // both are to be on the second one, and one VM is still on the first
	if y, ok := ceiling.Yield(w.Look()); !ok || y < 0.5 || y > 0.500001 {
		t.Errorf("ceiling %v, %v; want 0.5", y, ok)
	}
	w.Settle()
	if y, ok := ceiling.Yield(w.Look()); !ok || y < 0.5 || y > 0.500001 {
		t.Errorf("ceiling %v, %v once it has moved; want 0.5", y, ok)
	}
}

func TestTasksThatHaveEndedLowerNoCeiling(t *testing.T) {
	w := world(t, 1)
	id := w.Submit(job(2, 1000, 20)).Job
	w.Decide()
	w.Settle()
	w.End(cluster.TaskID{Job: id, Index: 0})
	if y, ok := ceiling.Yield(w.Look()); !ok || y != 1 {
		t.Errorf("ceiling %v, %v; want 1 for the task that is left", y, ok)
	}
}

func TestNoDecisionGivesTheWorstOffJobMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world(t, rapid.IntRange(1, 4).Draw(t, "nodes"))
		for range rapid.IntRange(1, 8).Draw(t, "jobs") {
			spec := job(rapid.IntRange(1, 3).Draw(t, "tasks"), cluster.CPU(100*rapid.IntRange(1, 10).Draw(t, "need")),
				cluster.Bytes(rapid.IntRange(5, 60).Draw(t, "memory")))
			spec.Placement.Spread = rapid.IntRange(0, 3).Draw(t, "spread") == 0
			if rapid.IntRange(0, 2).Draw(t, "choosy") == 0 {
				spec.Placement.Nodes = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"n1", "n2", "n3", "n4"}), 1, 3,
					rapid.ID[string]).Draw(t, "placement")
			}
			w.Submit(spec)
			if rapid.IntRange(0, 3).Draw(t, "want") == 0 {
				w.Try(cluster.SetNode{Node: cluster.NodeID(rapid.IntRange(1, 4).Draw(t, "node")),
					Want: rapid.SampledFrom([]cluster.NodeWish{cluster.Cordon, cluster.Drain, cluster.Uncordon}).Draw(t, "wanted")})
			}
			w.Decide()
			if rapid.Bool().Draw(t, "settle") {
				w.Settle()
			}
			v, least, some := w.Look(), 1.0, false
			for id, p := range v.TargetAll().All() {
				least, some = min(least, float64(p.Cap)/float64(v.Job(id).Spec.Need)), true
			}
			if y, ok := ceiling.Yield(v); ok != some || ok && least > y*(1+1e-9) {
				t.Fatalf("least yield %v, ceiling %v, %v", least, y, ok)
			}
		}
	})
}
