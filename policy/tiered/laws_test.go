package tiered

import (
	"fmt"
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
)

// variants are the rules of this family.
var variants = []rule{
	{name: "KEASY", way: kill}, {name: "REASY", way: stay}, {name: "MEASY", way: migrate},
	{name: "REASY", way: stay, prose: true}, {name: "MEASY", way: migrate, blind: true},
}

func TestAllKeepTheLaws(t *testing.T) {
	for _, r := range variants {
		p := Policy{r}
		t.Run(p.String(), func(t *testing.T) {
			policytest.Check(t, p, oneTaskPerTier, onlyWhereIdle(r), staysInForeground, killsOnlyToRun(r),
				explainsWhatItDecides(p))
		})
	}
}

// fresh reports whether the decision gives the job nodes or a tier that it did not hold.
func fresh(v *cluster.View, d policy.Decision, id cluster.JobID) bool {
	old, now := v.Target(id), d.Target.Get(id)
	return now != nil && (old == nil || old.Tier != now.Tier || !slices.Equal(live(old.Nodes), live(now.Nodes)))
}

// oneTaskPerTier checks that a job that comes to a node shares its tier there with no other task.
func oneTaskPerTier(v *cluster.View, d policy.Decision) error {
	type slot struct {
		node cluster.NodeID
		tier cluster.Tier
	}
	tasks, news := map[slot]int{}, map[slot]bool{}
	for id, p := range d.Target.All() {
		for _, n := range live(p.Nodes) {
			s := slot{n, p.Tier}
			tasks[s]++
			news[s] = news[s] || fresh(v, d, id)
		}
	}
	for s, count := range tasks {
		if news[s] && count > 1 {
			return fmt.Errorf("node %d has %d tasks in the %v", s.node, count, s.tier)
		}
	}
	return nil
}

// onlyWhereIdle checks that no job comes to the background of a node whose foreground uses 96 % of it or more.
func onlyWhereIdle(r rule) policytest.Promise {
	return func(v *cluster.View, d policy.Decision) error {
		used := map[cluster.NodeID]cluster.CPU{}
		for id, p := range d.Target.All() {
			for _, n := range live(p.Nodes) {
				if p.Tier == cluster.Foreground {
					used[n] += v.Job(id).Spec.Need
				}
			}
		}
		for id, p := range d.Target.All() {
			for _, n := range live(p.Nodes) {
				if has := v.Node(n).Capacity().CPU; p.Tier == cluster.Background && fresh(v, d, id) && !r.blind &&
					used[n]*100 >= has*96 {
					return fmt.Errorf("%v comes to the background of node %d, which uses %v of %v", id, n, used[n], has)
				}
			}
		}
		return nil
	}
}

// staysInForeground checks that foreground jobs neither move nor leave the foreground unless a node has to be left.
func staysInForeground(v *cluster.View, d policy.Decision) error {
	for id, p := range v.TargetAll().All() {
		if p.Tier == cluster.Foreground && v.Mapped(id) != nil && fresh(v, d, id) {
			return fmt.Errorf("%v held %+v", id, p)
		}
		if p.Tier == cluster.Foreground && v.Mapped(id) != nil && d.Target.Get(id) == nil {
			return fmt.Errorf("%v is paused", id)
		}
	}
	return nil
}

// killsOnlyToRun checks that a job is killed only where the rule says so, on its way from the background to the
// foreground of other nodes.
func killsOnlyToRun(r rule) policytest.Promise {
	return func(v *cluster.View, d policy.Decision) error {
		for _, id := range d.Kill {
			old, now := v.Target(id), d.Target.Get(id)
			if r.way != kill || old == nil || now == nil || old.Tier != cluster.Background || now.Tier != cluster.Foreground ||
				slices.Equal(live(old.Nodes), live(now.Nodes)) {
				return fmt.Errorf("%v is killed", id)
			}
		}
		return nil
	}
}

// explainsWhatItDecides checks that a decision that examines all jobs is the same as one that stops when no other job
// can start.
func explainsWhatItDecides(p Policy) policytest.Promise {
	return func(v *cluster.View, decided policy.Decision) error {
		d := begin(v, p.rule, v.Pending())
		defer d.end()
		d.Explains = true
		d.decide()
		for j := range v.Candidates() {
			if a, b := decided.Target.Get(j.ID), d.Target.Get(j.ID); !a.Equal(b) {
				return fmt.Errorf("%v holds %+v, but %+v where all are examined", j.ID, a, b)
			}
		}
		return nil
	}
}
