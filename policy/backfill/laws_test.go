package backfill_test

import (
	"fmt"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestAllKeepTheLaws(t *testing.T) {
	for name, promises := range map[string][]policytest.Promise{
		"FCFS":             {nodesAreExclusive, nobodyOvertakes},
		"EASY":             {nodesAreExclusive},
		"EASY/no-reserved": {nodesAreExclusive},
		"conservative":     {nodesAreExclusive},
	} {
		t.Run(name, func(t *testing.T) { policytest.Check(t, named(t, name), promises...) })
	}
}

func nobodyOvertakes(v *cluster.View, d policy.Decision) error {
	head := cluster.JobID(0)
	refused := map[cluster.JobID]bool{}
	for _, r := range d.Refuse {
		refused[r.Job] = true
	}
	for j := range v.Candidates() {
		switch placed := d.Target.Get(j.ID) != nil; {
		case !placed && head == 0 && !refused[j.ID]:
			head = j.ID
		case placed && head != 0 && v.Target(j.ID) == nil:
			return fmt.Errorf("%v starts before %v", j.ID, head)
		}
	}
	return nil
}

func nodesAreExclusive(v *cluster.View, d policy.Decision) error {
	tasks := map[cluster.NodeID]int{}
	for _, p := range d.Target.All() {
		for _, n := range p.Nodes {
			if n != 0 {
				tasks[n]++
			}
			if tasks[n] > 1 {
				return fmt.Errorf("%d tasks share node %d", tasks[n], n)
			}
		}
	}
	return nil
}

func named(t testing.TB, name string) policy.Policy {
	t.Helper()
	p, err := catalog.Parse(name, cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
