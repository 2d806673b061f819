package dfrs_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestARebalancedJobTellsTheYieldOfThenUntilItsShareChanges(t *testing.T) {
	p, err := catalog.Parse("GreedyPM */per", cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	for _, n := range []string{"n1", "n2"} {
		w.Join(n, cluster.Description{CPU: cluster.Core, Memory: 1024 * cluster.MiB})
	}
	decide := func(at cluster.Time) {
		w.Clock = at
		w.Decide()
		w.Settle()
	}
	submit := func(count int) {
		for range count {
			w.Submit(cluster.Spec{Tasks: 1, Need: 800, Requirement: cluster.Requirement{Memory: 256 * cluster.MiB}})
		}
	}
	submit(3)
	decide(0)
	w.End(cluster.TaskID{Job: 1})
	decide(10 * cluster.Second)
	decide(61 * cluster.Second)
	if why := w.Job(2).Why; why.Code != cluster.WhyRebalanced || why.Values[0] != 1000 {
		t.Fatalf("after the tick: %v", why)
	}
	decide(62 * cluster.Second)
	if why := w.Job(2).Why; why.Code != cluster.WhyRebalanced {
		t.Errorf("nothing has changed: %v", why)
	}
	submit(2)
	decide(70 * cluster.Second)
	if why := w.Job(2).Why; why.Code != cluster.WhyPlaced || why.Values[0] != 625 {
		t.Errorf("after two others came: %v", why)
	}
}
