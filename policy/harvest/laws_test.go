package harvest_test

import (
	"fmt"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func parse(t *testing.T, name string) policy.Policy {
	t.Helper()
	p, err := catalog.Parse(name, cluster.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAllFamiliesKeepTheLawsWithJobsOfAllClasses(t *testing.T) {
	for _, name := range []string{"GreedyPM */stable", "GreedyP *", "MCB8 */per", "EASY", "conservative/cores"} {
		t.Run(name, func(t *testing.T) {
			policytest.CheckClasses(t, parse(t, name), tiersFollowClasses, foregroundIsNotShort, nobodyWaitsBesideMemory)
		})
	}
}

func TestStandardJobsGetWhatTheyGetWithoutOthers(t *testing.T) {
	for _, name := range []string{"GreedyPM */stable", "GreedyP *", "MCB8 */per", "EASY", "conservative/cores"} {
		t.Run(name, func(t *testing.T) { policytest.CheckStandardFirst(t, parse(t, name)) })
	}
}

func tiersFollowClasses(v *cluster.View, d policy.Decision) error {
	for id, p := range d.Target.All() {
		j := v.Job(id)
		if class := j.Spec.Class; class == cluster.StandardClass && p.Tier == cluster.Background ||
			class == cluster.BackgroundClass && p.Tier == cluster.Foreground {
			return fmt.Errorf("%v, a %v job, is in the %v", id, class, p.Tier)
		}
		if j.Spec.Class != cluster.StandardClass && p.Cap != most(v, j.Spec, p) {
			return fmt.Errorf("%v may use %v of its %v", id, p.Cap, j.Spec.Need)
		}
	}
	return nil
}

// most returns the cap of a job of another class: its need, and in the background no more than its nodes offer.
func most(v *cluster.View, s *cluster.Spec, p *cluster.Placement) cluster.CPU {
	most := s.Need
	for _, n := range p.Nodes {
		if n != 0 {
			most = min(most, v.Node(n).Ceiling(s))
		}
		if n != 0 && p.Tier == cluster.Background {
			most = min(most, v.Node(n).Description.CPU)
		}
	}
	return max(most, s.MinShare())
}

// foregroundIsNotShort checks that jobs of either class are in the foreground only of nodes with CPU for all there.
func foregroundIsNotShort(v *cluster.View, d policy.Decision) error {
	needs := map[cluster.NodeID]cluster.CPU{}
	for id, p := range d.Target.All() {
		for _, n := range p.Nodes {
			if n != 0 && p.Tier == cluster.Foreground {
				needs[n] += v.Job(id).Spec.Need
			}
		}
	}
	for id, p := range d.Target.All() {
		for _, n := range p.Nodes {
			if v.Job(id).Spec.Class == cluster.EitherClass && p.Tier == cluster.Foreground && n != 0 &&
				needs[n] > v.Node(n).Capacity().CPU {
				return fmt.Errorf("%v is in the foreground of node %d, which is short of CPU", id, n)
			}
		}
	}
	return nil
}

// nobodyWaitsBesideMemory checks that no background job of one task waits although an open node has the memory.
func nobodyWaitsBesideMemory(v *cluster.View, d policy.Decision) error {
	free := map[cluster.NodeID]cluster.Bytes{}
	for n := range v.Nodes() {
		free[n.ID] = n.Capacity().Memory
	}
	for id, p := range d.Target.All() {
		for _, n := range p.Nodes {
			free[n] -= v.Charge(v.Job(id).Spec)
		}
	}
	for j := range v.Candidates() {
		if j.Spec.Class == cluster.StandardClass || d.Target.Get(j.ID) != nil || j.Live() > 1 {
			continue
		}
		for n := range v.Nodes() {
			if v.Allowing(j)(n) && free[n.ID] >= v.Charge(j.Spec) {
				return fmt.Errorf("%v waits although node %d has the memory", j.ID, n.ID)
			}
		}
	}
	return nil
}
