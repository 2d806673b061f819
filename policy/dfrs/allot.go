package dfrs

import (
	"fmt"
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
)

// roundoff is far above the error of a share computed in float64 and far below a millicore.
const roundoff = 1e-6

// affected is the buffer for dividing the CPU: the jobs that may get less than their need, and their nodes.
type affected struct {
	short   []*job
	mapping packing.Mapping
	packed  packing.Problem
	rigid   []float64     // backing array of the items' rigid quantities
	given   []cluster.CPU // by node: sum of the shares given so far
}

// allot divides the CPU of the mapping (section 4.6) into whole millicores, rounded down. A job gets its need, or what
// it can use of it there, if its nodes have enough CPU for all their tasks.
func (p *Policy) allot(b *board) {
	if p.settled(b) {
		for _, j := range b.jobs {
			if j.held != nil {
				j.share = j.held.Cap
			}
		}
		return
	}
	b.short, b.mapping = b.short[:0], b.mapping[:0]
	for _, j := range b.jobs {
		j.share = b.ceiling(j)
		if slices.ContainsFunc(j.nodes, func(n int) bool { return b.nodes[n].need > b.nodes[n].offer.CPU }) {
			b.short, b.mapping = append(b.short, j), append(b.mapping, j.nodes)
		}
	}
	if len(b.short) == 0 {
		return
	}
	if b.jobs[0].owner != nil { // an increment knows no shares, and must get the same numbers
		slices.SortFunc(b.short, byPriority)
		for i, j := range b.short {
			b.mapping[i] = j.nodes
		}
	}
	for i, y := range p.divide(b, b.short, b.problem(b.short), b.mapping) {
		j := b.short[i]
		share := cluster.CPU(y*float64(j.Spec.Need) + roundoff)
		j.share = min(max(share, j.least), b.ceiling(j))
	}
	b.fit()
}

// fit removes the excess of shares over a node's CPU, one millicore at a time, from the job furthest above its minimum.
// Rounding inverse stretches before converting them to shares can exceed a node's CPU, by some millicores just before
// a tick.
func (b *board) fit() {
	b.given = slices.Grow(b.given[:0], len(b.nodes))[:len(b.nodes)]
	clear(b.given)
	for _, j := range b.short {
		for _, n := range j.nodes {
			b.given[n] += j.share
		}
	}
	for n := range b.nodes {
		for b.given[n] > b.nodes[n].offer.CPU && b.shrink(n) {
		}
	}
}

// shrink takes a millicore from each task of one job on node n: the one whose share is furthest above its minimum. It
// reports whether there was such a job.
func (b *board) shrink(n int) bool {
	var most *job
	for _, j := range b.short {
		if slices.Contains(j.nodes, n) && j.share > j.least && (most == nil || j.share-j.least > most.share-most.least) {
			most = j
		}
	}
	if most == nil {
		return false
	}
	most.share--
	for _, n := range most.nodes {
		b.given[n]--
	}
	return true
}

// divide returns the yields of the jobs for a mapping on which not all can have their need. opt=min raises the lowest
// first; opt=avg maximizes the average without lowering the least yield of opt=min. /stretch-per divides inverse
// stretches in the same way.
func (p *Policy) divide(b *board, jobs []*job, problem *packing.Problem, m packing.Mapping) []float64 {
	var weights []float64
	if until := p.wake(b.view.At) - b.view.At; p.tick == mcb8Stretch {
		weights = b.stretch(problem, jobs, until)
	}
	yields := packing.MaxMin(problem, m)
	if p.opt == "avg" {
		best, err := p.average(problem, m, lowest(problem, yields), weights)
		if err == nil {
			return best
		}
		b.fallback = fmt.Errorf("CPU is divided by the lowest yield instead of the highest average: %w", err)
	}
	return yields
}

// lowest returns the level to which the yields bring the worst-off item.
func lowest(problem *packing.Problem, yields []float64) float64 {
	level := math.Inf(1)
	for i, y := range yields {
		if line := problem.Items[i].Line; line.Slope > 0 {
			y = (y - line.Base) / line.Slope
		}
		level = min(level, y)
	}
	return level
}

// settled reports whether nothing happened since the current shares were computed, so that the program of opt=avg
// would return the same shares.
func (p *Policy) settled(b *board) bool {
	o := &b.pending
	if p.opt != "avg" || p.tick == mcb8Stretch || o.Ended || o.NodesChanged ||
		o.Rings(cluster.AlarmTick) && (p.tick == none || b.view.At%p.period != 0) {
		return false
	}
	for i := range b.all {
		if j := &b.all[i]; j.mapped() != (j.held != nil) || j.mapped() && b.moved(j) {
			return false
		}
	}
	return true
}

// target returns the adopted allocation with the changes of the board.
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

// keeps reports whether the job's present placement equals its new one.
func (b *board) keeps(j *job) bool {
	return j.held != nil && !b.moved(j) && j.held.Grant == cluster.Foreground.Grant(j.share)
}

func (b *board) placement(j *job) *cluster.Placement {
	if j.held != nil && len(j.held.Nodes) == j.count && !b.moved(j) {
		return &cluster.Placement{Grant: cluster.Foreground.Grant(j.share), Nodes: j.held.Nodes}
	}
	p := &cluster.Placement{Grant: cluster.Foreground.Grant(j.share), Nodes: make([]cluster.NodeID, len(j.nodes))}
	for i, n := range j.nodes {
		p.Nodes[i] = b.nodes[n].ID
	}
	slices.Sort(p.Nodes)
	return p
}
