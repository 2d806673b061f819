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
			policytest.Check(t, p, oneTaskPerTier, bindsTasks, onlyWhereIdle(r), staysInForeground, killsOnlyToRun(r),
				explainsWhatItDecides(p))
		})
	}
}

// fresh reports whether the decision gives the job nodes, processors or a tier that it did not hold.
func fresh(v *cluster.View, d policy.Decision, id cluster.JobID) bool {
	old, now := v.Target(id), d.Target.Get(id)
	if now == nil || old == nil {
		return now != nil
	}
	was, is := old.Live(), now.Live()
	return was.Tier != is.Tier || !slices.Equal(was.Nodes, is.Nodes) || binds(v, was) && !slices.Equal(was.Cores, is.Cores)
}

// binds reports whether the placement binds the tasks on nodes of several processors, and no others.
func binds(v *cluster.View, p cluster.Placement) bool {
	for i, n := range p.Nodes {
		slots, core := v.Node(n).Description.Slots(), int(p.Core(i))
		if slots == 1 && core != 0 || slots > 1 && (core < 1 || core > slots) {
			return false
		}
	}
	return true
}

// slot is a processor of a node.
type slot struct {
	node cluster.NodeID
	core cluster.CoreID
}

// slots returns the processors of the tasks that have not ended.
func slots(p *cluster.Placement) (all []slot) {
	live := p.Live()
	for i, n := range live.Nodes {
		all = append(all, slot{n, live.Core(i)})
	}
	return all
}

// bindsTasks checks that tasks on nodes of several processors are bound, and no others.
func bindsTasks(v *cluster.View, d policy.Decision) error {
	for id, p := range d.Target.All() {
		if v.Candidate(v.Job(id)) && !binds(v, p.Live()) {
			return fmt.Errorf("%v holds the processors %v of the nodes %v", id, p.Cores, p.Nodes)
		}
	}
	return nil
}

// oneTaskPerTier checks that a job that comes to a processor shares its tier there with no other task.
func oneTaskPerTier(v *cluster.View, d policy.Decision) error {
	type place struct {
		slot
		tier cluster.Tier
	}
	tasks, news := map[place]int{}, map[place]bool{}
	for id, p := range d.Target.All() {
		for _, s := range slots(p) {
			at := place{s, p.Tier}
			tasks[at]++
			news[at] = news[at] || fresh(v, d, id)
		}
	}
	for at, count := range tasks {
		if news[at] && count > 1 {
			return fmt.Errorf("processor %d of node %d has %d tasks in the %v", at.core, at.node, count, at.tier)
		}
	}
	return nil
}

// onlyWhereIdle checks that no job comes to the background of a processor whose foreground uses 96 % of it or more.
func onlyWhereIdle(r rule) policytest.Promise {
	return func(v *cluster.View, d policy.Decision) error {
		used := map[slot]cluster.CPU{}
		for id, p := range d.Target.All() {
			for _, s := range slots(p) {
				if p.Tier == cluster.Foreground {
					used[s] += v.Job(id).Spec.Need
				}
			}
		}
		for id, p := range d.Target.All() {
			for _, s := range slots(p) {
				n := v.Node(s.node)
				has := n.Capacity().CPU
				if slots := n.Description.Slots(); slots > 1 {
					has = min(cluster.Core, has/cluster.CPU(slots))
				}
				if p.Tier == cluster.Background && fresh(v, d, id) && !r.blind && used[s]*100 >= has*96 {
					return fmt.Errorf("%v comes to the background of %+v, which uses %v of %v", id, s, used[s], has)
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
				slices.Equal(old.Live().Nodes, now.Live().Nodes) {
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
