package dfrs

import (
	"slices"

	"aliquot/cluster"
)

// load is the sum of needs as a fraction of the node's CPU.
func (n *node) load() float64 { return float64(n.need) / float64(n.offer.CPU) }

// holds tells whether the node has room for another task of the job.
func (n *node) holds(j *job) bool {
	return n.memory+j.charge <= n.offer.Memory && n.least+j.least <= n.offer.CPU
}

// over tells whether more is mapped to the node than it has.
func (n *node) over() bool { return n.memory > n.offer.Memory || n.least > n.offer.CPU }

// slots counts the tasks of a job that node n can take, as far as the job has so many. On a
// node where a job that is to be spread has one already, that is not counted out.
func (b *board) slots(j *job, n int) int {
	at := &b.nodes[n]
	return min(b.slotsInMemory(j, n), quotient(at.offer.CPU-at.least, j.least, j.most()))
}

// slotsInMemory counts them by memory alone.
func (b *board) slotsInMemory(j *job, n int) int {
	if !j.allows(n) {
		return 0
	}
	at := &b.nodes[n]
	return quotient(at.offer.Memory-at.memory, j.charge, j.most())
}

// quotient is how often each goes into left, at least 0 and at most the given number. It
// divides only where that is not known beforehand.
func quotient[T cluster.Bytes | cluster.CPU](left, each T, most int) int {
	switch {
	case left < each:
		return 0
	case left >= each*T(most):
		return most
	}
	return int(left / each)
}

// capacity counts the tasks of an unmapped job that would fit, all nodes together.
func (b *board) capacity(j *job) (sum int) {
	for _, n := range b.reach(j) {
		sum += b.slots(j, n)
	}
	return sum
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

// refuse notes that the job does not fit, until jobs are unmapped.
func (b *board) refuse(j *job) {
	if j.eligible == nil {
		b.refused = append(b.refused, j.request())
		return
	}
	j.eligible.refused = append(b.refusals(j.eligible), j.request())
}

// refusals returns what does not fit on the nodes of a set.
func (b *board) refusals(p *nodeSet) refusals {
	if p.lifts != b.lifts {
		p.lifts, p.refused = b.lifts, p.refused[:0]
	}
	return p.refused
}

// pardon lets those that did not fit try again.
func (b *board) pardon() {
	b.refused = b.refused[:0]
	b.lifts++
}

// hopeless reports whether no more than the job asks for did not fit.
func (b *board) hopeless(j *job) bool {
	r := j.request()
	return b.refused.cover(r) || j.eligible != nil && b.refusals(j.eligible).cover(r)
}

// pausable tells whether the job may be unmapped and its work be kept.
func (b *board) pausable(j *job) bool {
	return !j.fixed && (j.saves == 0 || j.saves <= b.room)
}

// relieve unmaps jobs of the lowest priority from nodes that drain or have become too small.
// One that cannot be paused is moved, or stays: what nobody can resolve is left as it is.
func (b *board) relieve() {
	for j := range b.burdens {
		b.lift(j)
		if b.pausable(j) {
			b.room -= j.saves
		} else if !b.greedy(j) {
			b.occupy(j, j.before)
		}
	}
}

// relieveAgain does the same for whom there was no room in the store before the others had
// found new nodes. They move if they can. Room of a pause that is called off counts from the
// next decision on: placements are dropped before others are given.
func (b *board) relieveAgain() {
	b.room = b.view.Spare()
	for _, j := range b.jobs {
		if !j.mapped() && j.held != nil {
			b.room -= j.saves
		}
	}
	for j := range b.burdens {
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

// burdens yields the jobs on nodes that have not enough for what is there at that moment, from the
// lowest priority up, as far as they are not stuck.
func (b *board) burdens(yield func(*job) bool) {
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

// crowded tells whether the job is on a node that has not enough for what is there.
func (b *board) crowded(j *job) bool {
	return slices.ContainsFunc(j.nodes, func(n int) bool { return b.nodes[n].over() })
}
