package dfrs

import (
	"slices"

	"aliquot/cluster"
)

// loadWith returns the sum of needs, one more task of such a need included, as a fraction of the node's CPU. Its
// inverse is the yield that the tasks there would have, up to 1. Where the task cannot use all of its need, it is more.
func (n *node) loadWith(need cluster.CPU) float64 {
	load := float64(n.need+need) / float64(n.offer.CPU)
	if most := n.speed.Ceiling(need); most < need {
		load = max(load, float64(need)/float64(most))
	}
	return load
}

// holds reports whether the node has room for another task of the job.
func (n *node) holds(j *job) bool {
	return n.memory+j.charge <= n.offer.Memory && n.least+j.least <= n.offer.CPU
}

// over reports whether the tasks mapped to the node exceed its offer.
func (n *node) over() bool { return n.memory > n.offer.Memory || n.least > n.offer.CPU }

// slots returns the number of tasks of a job that node n can take, at most the job's number of tasks. It does not
// subtract a task that a spread job already has on the node.
func (b *board) slots(j *job, n int) int {
	at := &b.nodes[n]
	return min(b.slotsInMemory(j, n), quotient(at.offer.CPU-at.least, j.least, b.most(j, n)))
}

// most returns the greatest number of tasks of the job that may still be mapped to node n. A node that takes no new VMs
// may keep those that it has.
func (b *board) most(j *job, n int) int {
	if b.nodes[n].open {
		return j.most()
	}
	s := j.stays[b.nodes[n].ID]
	return max(0, min(j.most(), s.most-s.mapped))
}

// whole reports whether all tasks of the job may be on node n.
func (b *board) whole(j *job, n int) bool {
	return b.nodes[n].open || j.stays[b.nodes[n].ID].most >= j.most()
}

// slotsInMemory returns the number of tasks that may be there and fit by memory alone.
func (b *board) slotsInMemory(j *job, n int) int {
	if !j.allows(n) {
		return 0
	}
	at := &b.nodes[n]
	return quotient(at.offer.Memory-at.memory, j.charge, b.most(j, n))
}

// quotient returns left / each, clamped to [0, most]. It divides only if it must.
func quotient[T cluster.Bytes | cluster.CPU](left, each T, most int) int {
	switch {
	case left < each:
		return 0
	case left >= each*T(most):
		return most
	}
	return int(left / each)
}

// capacity returns the number of tasks of an unmapped job that fit on all nodes together.
func (b *board) capacity(j *job) (sum int) {
	for _, n := range b.reach(j) {
		sum += b.slots(j, n)
	}
	return sum
}

// possible reports whether all tasks of the job, which is not mapped, would fit on the nodes if these were empty.
func (b *board) possible(j *job) bool {
	slots := 0
	for _, n := range b.reach(j) {
		if at := &b.nodes[n]; j.allows(n) {
			most := b.most(j, n)
			slots += min(quotient(at.offer.Memory, j.charge, most), quotient(at.offer.CPU, j.least, most))
		}
		if slots >= j.count {
			return true
		}
	}
	return false
}

// fits reports whether all tasks of an unmapped job would fit.
func (b *board) fits(j *job) bool {
	if b.hopeless(j) {
		return false
	}
	slots := 0
	for _, n := range b.reach(j) {
		if slots += b.slots(j, n); slots >= j.count {
			return true
		}
	}
	b.refuse(j)
	return false
}

// refuse records that the job does not fit until jobs are unmapped.
func (b *board) refuse(j *job) {
	if j.eligible == nil {
		b.refused = b.refused.with(j.request())
		return
	}
	j.eligible.refused = b.refusals(j.eligible).with(j.request())
}

// refusals returns the requests that did not fit on the nodes of a set.
func (b *board) refusals(p *nodeSet) refusals {
	if p.lifts != b.lifts {
		p.lifts, p.refused = b.lifts, p.refused[:0]
	}
	return p.refused
}

// clearRefusals discards all refusals.
func (b *board) clearRefusals() {
	b.refused = b.refused[:0]
	b.lifts++
}

// hopeless reports whether an equal or smaller request is known not to fit.
func (b *board) hopeless(j *job) bool {
	r := j.request()
	return b.refused.cover(r) || j.eligible != nil && b.refusals(j.eligible).cover(r)
}

// pausable reports whether the job may be unmapped without losing its work.
func (b *board) pausable(j *job) bool {
	return !j.fixed && (j.saves == 0 || j.saves <= b.room)
}

// relieve unmaps jobs of the lowest priority from nodes that drain or have become too small. A job that cannot be
// paused moves, or stays if there is no room elsewhere.
func (b *board) relieve() {
	for j := range b.onOverfull {
		b.lift(j)
		if b.pausable(j) {
			b.room -= j.saves
		} else if !b.greedy(j) {
			b.occupy(j, j.before)
		}
	}
}

// relieveAgain relieves the jobs for which the store had no room until others had found new nodes. They move if they
// can. The room of a pause that is called off counts from the next decision on, because placements are dropped before
// others are given.
func (b *board) relieveAgain() {
	b.room = b.view.Spare()
	for _, j := range b.jobs {
		if !j.mapped() && j.held != nil {
			b.room -= j.saves
		}
	}
	for j := range b.onOverfull {
		b.lift(j)
		if b.greedy(j) {
			continue
		}
		if b.pausable(j) {
			b.room -= j.saves
		} else {
			b.occupy(j, j.before)
		}
	}
}

// onOverfull yields the jobs on nodes that are overfull at that moment, from the lowest priority up, except those that
// are fixed.
func (b *board) onOverfull(yield func(*job) bool) {
	if !b.overfull() {
		return
	}
	for _, j := range slices.Backward(b.jobs) {
		if !j.fixed && b.crowded(j) && !yield(j) {
			return
		}
	}
}

func (b *board) overfull() bool {
	for n := range b.nodes {
		if b.nodes[n].over() {
			return true
		}
	}
	return false
}

// crowded reports whether the job is on an overfull node.
func (b *board) crowded(j *job) bool {
	return slices.ContainsFunc(j.nodes, func(n int) bool { return b.nodes[n].over() })
}

// partly reports whether the job is mapped to a node that takes no new VMs and may have only some of its tasks there.
// A packing leaves it where it is: it could add a task there.
func (b *board) partly(j *job) bool {
	return slices.ContainsFunc(j.nodes, func(n int) bool {
		return j.allows(n) && !b.whole(j, n)
	})
}
