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
			policytest.Check(t, p, oneTaskPerTier, bindsTasks, partsTasks, onlyWhereIdle(r), staysInForeground,
				killsOnlyToRun(r), explainsWhatItDecides(p))
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
	rebound := binds(v, was, v.Job(id)) && !slices.Equal(was.Cores, is.Cores) && !shares(v, id)
	return was.Tier != is.Tier || !slices.Equal(was.Nodes, is.Nodes) || rebound
}

// binds reports whether the placement binds tasks of at most a core on nodes of several processors, and no others.
func binds(v *cluster.View, p cluster.Placement, j *cluster.Job) bool {
	for i, n := range p.Nodes {
		slots, core := v.Node(n).Description.Slots(), int(p.Core(i))
		processor := cluster.CPU(v.Node(n).Description.Speed.Known())
		fits := j.Spec.Need <= processor || j.Spec.VCPUs() == 1 // a vCPU is no faster than the processor
		if several := slots > 1 && fits; several != (core > 0) || core > slots {
			return false
		}
	}
	return true
}

// crowded returns the processors that have several tasks of a tier in the allocation.
func crowded(a cluster.Allocation) map[place]bool {
	tasks, crowded := map[place]int{}, map[place]bool{}
	for _, p := range a.All() {
		for _, s := range slots(p) {
			at := place{s, p.Tier}
			if tasks[at]++; tasks[at] > 1 && s.core > 0 {
				crowded[at] = true
			}
		}
	}
	return crowded
}

// shares reports whether a task of the job shares its processor with another task of its tier.
func shares(v *cluster.View, id cluster.JobID) bool {
	p, all := v.Target(id), crowded(v.TargetAll())
	return slices.ContainsFunc(slots(p), func(s slot) bool { return all[place{s, p.Tier}] })
}

// partsTasks checks that no two tasks of a tier go on sharing a processor while another one of their node was free.
func partsTasks(v *cluster.View, d policy.Decision) error {
	before, after := crowded(v.TargetAll()), crowded(d.Target)
	used := map[place]bool{}
	for _, p := range v.TargetAll().All() {
		for _, s := range slots(p) {
			used[place{s, p.Tier}] = true
		}
	}
	for at := range after {
		for core := range v.Node(at.node).Description.Slots() {
			free := place{slot{at.node, cluster.CoreID(core + 1)}, at.tier}
			if before[at] && !used[free] && canMove(v, d, at) {
				return fmt.Errorf("tasks share processor %d of node %d, where %d was free", at.core, at.node, core+1)
			}
		}
	}
	return nil
}

// canMove reports whether all jobs with tasks in the place may be bound anew.
func canMove(v *cluster.View, d policy.Decision, at place) bool {
	for id, p := range d.Target.All() {
		if p.Tier == at.tier && slices.Contains(slots(p), at.slot) && !v.Candidate(v.Job(id)) {
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

// place is a processor in a tier.
type place struct {
	slot
	tier cluster.Tier
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
		if v.Candidate(v.Job(id)) && !binds(v, p.Live(), v.Job(id)) {
			return fmt.Errorf("%v holds the processors %v of the nodes %v", id, p.Cores, p.Nodes)
		}
	}
	return nil
}

// oneTaskPerTier checks that a job that comes to a processor shares its tier there with no other task.
func oneTaskPerTier(v *cluster.View, d policy.Decision) error {
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
				if n.Description.Slots() > 1 {
					has = cluster.CPU(n.Description.Speed.Known())
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
