package dfrs

import (
	"slices"

	"aliquot/cluster"
)

// victim is a running job marked for pausing, and the job that needs its memory.
type victim struct {
	*job
	held []int // nodes that it was mapped to
	by   *job
}

// greedy maps each task of the job to the node with the lowest load of those that can take
// it, the first of equals; all or none (Greedy, section 4.2).
func (b *board) greedy(j *job) bool {
	for range j.count {
		best := -1
		for n := range b.nodes {
			if b.takes(j, n) && (best < 0 || b.nodes[n].load() < b.nodes[best].load()) {
				best = n
			}
		}
		if best < 0 {
			b.lift(j)
			return false
		}
		b.put(j, best)
	}
	return true
}

// takes tells whether node n can take one more task of the job.
func (b *board) takes(j *job, n int) bool {
	return j.allowed[n] && b.nodes[n].holds(j) && !(j.Spec.Placement.Spread && slices.Contains(j.nodes, n))
}

// admit starts the job with Greedy, at the cost of jobs of lower priority if there is no
// other way (GreedyP, section 4.2): they are marked from the lowest priority up until the
// job fits; then those that fit all the same are given back their nodes, from the highest
// down. Marks of earlier submissions of the instant are reconsidered with them.
func (b *board) admit(j *job) {
	if b.greedy(j) {
		return
	}
	marked := len(b.victims)
	slots := b.capacity(j)
	for i := len(b.jobs) - 1; b.jobs[i] != j && slots < j.count; i-- {
		if v := b.jobs[i]; v.nodes != nil && b.pausable(v) {
			slots += b.mark(v, j)
		}
	}
	if slots < j.count {
		b.unmark(marked)
		return
	}
	b.freed = true
	b.reprieve(j)
	b.greedy(j)
}

// mark unmaps a job for another and returns how many more tasks of that fit.
func (b *board) mark(v, by *job) (gain int) {
	b.victims = append(b.victims, victim{v, v.nodes, by})
	b.room -= v.saves
	nodes := slices.Compact(slices.Sorted(slices.Values(v.nodes)))
	for _, n := range nodes {
		gain -= b.slots(by, n)
	}
	b.lift(v)
	for _, n := range nodes {
		gain += b.slots(by, n)
	}
	return gain
}

// unmark gives the victims from the given one on their nodes back.
func (b *board) unmark(from int) {
	for _, v := range b.victims[from:] {
		b.occupy(v.job, v.held)
		b.room += v.saves
	}
	b.victims = b.victims[:from]
}

// reprieve gives victims exactly their old nodes back if job j fits all the same.
func (b *board) reprieve(j *job) {
	b.spare(func(v victim) bool {
		if !b.restore(v.job, v.held) {
			return false
		}
		if b.capacity(j) < j.count {
			b.lift(v.job)
			return false
		}
		return true
	})
}

// move places victims anew with Greedy instead of pausing them (GreedyPM, section 4.2).
func (b *board) move() {
	b.spare(func(v victim) bool {
		v.cause = cluster.Reason{Code: cluster.WhyMovedFor, Values: []int64{int64(v.by.ID)}}
		return b.greedy(v.job)
	})
}

// spare takes those victims off the list that can be mapped, tried from the highest priority down.
func (b *board) spare(mapped func(victim) bool) {
	slices.SortStableFunc(b.victims, func(x, y victim) int { return byPriority(x.job, y.job) })
	var left []victim
	for _, v := range b.victims {
		if mapped(v) {
			b.room += v.saves
		} else {
			left = append(left, v)
		}
	}
	b.victims = left
}

// restart starts waiting jobs by priority where there is room (*). A job that stopped in
// this instant is not among them: starting it elsewhere would be a move.
func (b *board) restart() {
	if !b.freed {
		return
	}
	b.freed = false
	for _, j := range b.jobs {
		if j.waits() && !j.arriving {
			b.greedy(j)
		}
	}
}
