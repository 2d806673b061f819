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
	p, err := catalog.Parse("GreedyPM */per/opt=min/minvt=600/steady", 600*cluster.Second)
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
	w.Submit(job(3, 1000, 20)) // one node has two of them
	w.Decide()
	if y, ok := ceiling.Yield(w.Look()); !ok || y < 0.5 || y > 0.500001 {
		t.Errorf("ceiling %v, %v; want 0.5", y, ok)
	}
}

func TestNoDecisionGivesTheWorstOffJobMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world(t, rapid.IntRange(1, 4).Draw(t, "nodes"))
		for range rapid.IntRange(1, 8).Draw(t, "jobs") {
			w.Submit(job(rapid.IntRange(1, 3).Draw(t, "tasks"), cluster.CPU(100*rapid.IntRange(1, 10).Draw(t, "need")), cluster.Bytes(rapid.IntRange(5, 60).Draw(t, "memory"))))
			w.Decide()
			v, least, some := w.Look(), 1.0, false
			for id, p := range v.TargetAll().All() {
				least, some = min(least, float64(p.CPU)/float64(v.Job(id).Spec.Need)), true
			}
			if y, ok := ceiling.Yield(v); ok != some || ok && least > y*(1+1e-9) {
				t.Fatalf("least yield %v, ceiling %v, %v", least, y, ok)
			}
		}
	})
}
