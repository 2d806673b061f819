package dfrs_test

import (
	"fmt"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestEveryCombinationKeepsTheLaws(t *testing.T) {
	for _, name := range []string{
		"Greedy *", "GreedyP *", "GreedyPM *", "Greedy/per", "GreedyP/per", "GreedyPM/per", "Greedy */per",
		"GreedyP */per/minft=30", "GreedyPM */per/minvt=20", "MCB8 *", "MCB8/per", "MCB8 */per/minvt=10", "/per",
	} {
		p, err := catalog.Parse(name, 30*cluster.Second)
		if err != nil {
			t.Fatal(err)
		}
		promises := []policytest.Promise{sharesAreMaxMin}
		if name == "GreedyP *" || name == "GreedyPM *" {
			promises = append(promises, submissionsAreAdmitted)
		}
		t.Run(name, func(t *testing.T) { policytest.Check(t, p, promises...) })
	}
}

// sharesAreMaxMin holds if everybody with less than his need is on a node that is full and on which nobody
// else has a larger yield, apart from smallest shares and rounding.
func sharesAreMaxMin(v *cluster.View, d policy.Decision) error {
	left, tasks, over := remains(v, d)
	for id, p := range d.Target.All() {
		need := v.Job(id).Spec.Need
		stopped := p.CPU == need || p.CPU == v.Job(id).Spec.MinShare()
		for _, n := range p.Nodes {
			if n != 0 && (over[n] || left[n] < tasks[n] && !outdone(v, d, p, need, n)) {
				stopped = true
			}
		}
		if !stopped {
			return fmt.Errorf("%v has %v of %v and could have more", id, p.CPU, need)
		}
	}
	return nil
}

// remains counts what the nodes' tasks leave of the CPU, and the tasks, and tells which nodes have too little.
func remains(v *cluster.View, d policy.Decision) (left, tasks map[cluster.NodeID]cluster.CPU, over map[cluster.NodeID]bool) {
	left, tasks, over = map[cluster.NodeID]cluster.CPU{}, map[cluster.NodeID]cluster.CPU{}, map[cluster.NodeID]bool{}
	for n := range v.Nodes() {
		left[n.ID] = n.Capacity().CPU
	}
	for _, p := range d.Target.All() {
		for _, n := range p.Nodes {
			left[n] -= p.CPU
			tasks[n]++
			over[n] = over[n] || left[n] < 0
		}
	}
	return left, tasks, over
}

// outdone tells whether somebody on the node has a larger yield than this placement.
func outdone(v *cluster.View, d policy.Decision, p *cluster.Placement, need cluster.CPU, node cluster.NodeID) bool {
	for id, q := range d.Target.All() {
		s := v.Job(id).Spec
		if q.CPU == s.MinShare() {
			continue
		}
		for _, n := range q.Nodes {
			if n == node && float64(q.CPU) > float64(p.CPU+1)/float64(need)*float64(s.Need)+1 {
				return true
			}
		}
	}
	return false
}

// submissionsAreAdmitted holds if a submitted job waits only where it would not fit beside the jobs of
// higher priority and those that are stuck. It is judged where the store has room for all.
func submissionsAreAdmitted(v *cluster.View, d policy.Decision) error {
	if v.Spare() < 1<<40 {
		return nil
	}
	for _, id := range v.Pending().Submitted {
		if j := v.Job(id); d.Target.Get(id) == nil {
			if fit := slotsBeside(v, d, j); fit >= j.Live() {
				return fmt.Errorf("%v waits, but there is room for %d tasks beside those above it", id, fit)
			}
		}
	}
	return nil
}

func slotsBeside(v *cluster.View, d policy.Decision, j *cluster.Job) (slots int) {
	for n := range v.Nodes() {
		c := n.Capacity()
		for id, p := range d.Target.All() {
			k := v.Job(id)
			for _, at := range p.Nodes {
				if at == n.ID && (v.Stuck(k) || policy.ByPriority(k, j, v.At) < 0) {
					c.Memory -= v.Charge(k.Spec)
					c.CPU -= k.Spec.MinShare()
				}
			}
		}
		fit := max(0, min(int(c.Memory/v.Charge(j.Spec)), int(c.CPU/j.Spec.MinShare())))
		if !v.Allows(j, n) {
			fit = 0
		}
		if j.Spec.Placement.Spread {
			fit = min(fit, 1)
		}
		slots += fit
	}
	return slots
}
