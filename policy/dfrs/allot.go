package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
)

// roundoff is far above the error of a share computed in float64 and far below a millicore.
const roundoff = 1e-6

// affected is the memory in which the CPU is divided: the jobs that may get less than their need.
type affected struct {
	short   []*job
	mapping packing.Mapping
	packed  packing.Problem
	rigid   []float64 // backs the rigid quantities of packed
}

// allot divides the CPU of the mapping (section 4.6) into whole millicores, rounded down.
// Jobs whose nodes have enough for all get their need.
func (p *Policy) allot(b *board) {
	b.short, b.mapping = b.short[:0], b.mapping[:0]
	for _, j := range b.jobs {
		j.share = j.Spec.Need
		if slices.ContainsFunc(j.nodes, func(n int) bool { return b.nodes[n].need > b.nodes[n].offer.CPU }) {
			b.short, b.mapping = append(b.short, j), append(b.mapping, j.nodes)
		}
	}
	if len(b.short) == 0 {
		return
	}
	for i, y := range p.divide(b, b.short, b.problem(b.short), b.mapping) {
		j := b.short[i]
		share := cluster.CPU(y*float64(j.Spec.Need) + roundoff)
		j.share = min(max(share, j.least), j.Spec.Need)
	}
}

// divide returns the yields of jobs on a mapping on which not all can have their need.
func (p *Policy) divide(b *board, jobs []*job, problem *packing.Problem, m packing.Mapping) []float64 {
	if p.tick == mcb8Stretch {
		b.stretch(problem, jobs, p.wake(b.view.At)-b.view.At)
	}
	return packing.MaxMin(problem, m)
}

// target is the adopted allocation with what the board changes.
func (b *board) target() cluster.Allocation {
	target, changed := b.view.TargetAll(), false
	change := func() cluster.Allocation {
		if !changed {
			target, changed = target.Clone(), true
		}
		return target
	}
	for i := range b.all {
		switch j := &b.all[i]; {
		case !j.mapped():
			if j.held != nil {
				change().Delete(j.ID)
			}
		case !b.keeps(j):
			change().Set(j.ID, b.placement(j))
		}
	}
	return target
}

// keeps tells whether what the job holds is already what it is to hold.
func (b *board) keeps(j *job) bool {
	return j.held != nil && !b.moved(j) && j.held.CPU == j.share && j.held.Tier == cluster.Foreground
}

func (b *board) placement(j *job) *cluster.Placement {
	if j.held != nil && len(j.held.Nodes) == j.count && !b.moved(j) {
		return &cluster.Placement{CPU: j.share, Nodes: j.held.Nodes}
	}
	p := &cluster.Placement{CPU: j.share, Nodes: make([]cluster.NodeID, len(j.nodes))}
	for i, n := range j.nodes {
		p.Nodes[i] = b.nodes[n].ID
	}
	slices.Sort(p.Nodes)
	return p
}
