package dfrs

import (
	"slices"

	"aliquot/cluster"
)

// victim is a running job marked for pausing in this instant. by is the job that needs its memory or CPU.
type victim struct {
	*job
	held []int // places of the nodes that it was mapped to
	by   *job
}

// greedy maps each task of the job to the node that would have the lowest load with it, among those with room, the
// first of equals. So the task, and those that are there, get the highest yield. It maps all tasks or none (Greedy,
// section 4.2, where nodes are equal, so that the node with the lowest load is the same one).
func (b *board) greedy(j *job) bool {
	if j.eligible != nil {
		return b.greedyAmong(j)
	}
	if b.hopeless(j) {
		return false
	}
	if !b.current {
		b.vacancies.grow(b.nodes)
	}
	taken, placed := []int(nil), 0
	if j.Spec.Placement.Spread {
		taken = b.tally
	}
	for ; placed < j.count; placed++ {
		n := b.vacancies.find(j, taken)
		if n < 0 {
			break
		}
		b.put(j, n)
		b.tally[n]++
		b.vacancies.change(n, b.nodes[n].vacancy())
	}
	for _, n := range j.nodes {
		b.tally[n] = 0
	}
	if b.current = true; placed < j.count {
		b.withdraw(j)
		return false
	}
	return true
}

// withdraw unmaps the tasks placed so far of a job that does not fit.
func (b *board) withdraw(j *job) {
	for _, n := range j.nodes {
		b.nodes[n].count(j, -1)
		b.vacancies.change(n, b.nodes[n].vacancy())
	}
	j.nodes = j.nodes[:0]
	b.refuse(j)
}

// greedyAmong is greedy for a job that may run on some nodes only.
func (b *board) greedyAmong(j *job) bool {
	if !b.fits(j) {
		return false
	}
	b.heap = b.heap[:0]
	for _, n := range b.reach(j) {
		if b.slots(j, n) > 0 {
			b.heap = append(b.heap, n)
		}
	}
	for i := len(b.heap)/2 - 1; i >= 0; i-- {
		b.sink(i, j.Spec.Need)
	}
	for range j.count {
		n := b.heap[0]
		b.put(j, n)
		if j.Spec.Placement.Spread || b.slots(j, n) == 0 {
			last := len(b.heap) - 1
			b.heap[0], b.heap = b.heap[last], b.heap[:last]
		}
		b.sink(0, j.Spec.Need)
	}
	return true
}

// sink moves the node at index i of the heap down to its position for a task of that need.
func (b *board) sink(i int, need cluster.CPU) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.heap); child++ {
			if b.lighter(b.heap[child], b.heap[least], need) {
				least = child
			}
		}
		if least == i {
			return
		}
		b.heap[i], b.heap[least] = b.heap[least], b.heap[i]
		i = least
	}
}

// lighter orders nodes by their load with one more task of that need, then by place.
func (b *board) lighter(n, m int, need cluster.CPU) bool {
	x, y := b.nodes[n].loadWith(need), b.nodes[m].loadWith(need)
	return x < y || x == y && n < m
}

// admitOver starts the job with Greedy. If there is no room, it displaces jobs that it outranks and that may make way
// (GreedyP, section 4.2, where all jobs of lower priority may). It marks them from the lowest rank up until the job
// fits. Then it gives back the nodes of marked jobs that still fit, from the highest rank down; marks made by earlier
// submissions of the instant are reconsidered too. It reports whether the job starts.
func (b *board) admitOver(j *job, times float64, may func(v *job) bool) bool {
	if b.greedy(j) {
		return true
	}
	marked := len(b.victims)
	slots := b.capacity(j)
	i := len(b.jobs) - 1
	for ; b.jobs[i] != j && slots < j.count && (j.favoured(b.jobs[i]) || j.outranks(b.jobs[i], times)); i-- {
		if v := b.jobs[i]; v.mapped() && j.outranks(v, times) && j.meets(v) && b.pausable(v) && may(v) {
			slots += b.mark(v, j)
		}
	}
	b.steps += len(b.reach(j)) + len(b.jobs) - i
	if slots < j.count {
		b.unmark(marked)
		return false
	}
	b.untried = true
	b.reprieve(j, slots)
	return b.greedy(j)
}

// mark unmaps job v for another and returns how many more tasks of the other fit.
func (b *board) mark(v, by *job) (gain int) {
	held := append(b.take(len(v.nodes)), v.nodes...)
	b.victims, v.marked = append(b.victims, victim{v, held, by}), true
	b.room -= v.saves
	return b.liftFor(v, by)
}

// liftFor unmaps job v and returns how many more tasks of another fit there.
func (b *board) liftFor(v, by *job) (gain int) {
	b.current = false
	for _, n := range v.nodes {
		gain -= b.slots(by, n)
		b.nodes[n].count(v, -1)
		gain += b.slots(by, n)
	}
	v.nodes = v.nodes[:0]
	b.clearRefusals()
	return gain
}

// unmark gives the victims from index from on their nodes back.
func (b *board) unmark(from int) {
	for _, v := range b.victims[from:] {
		b.occupy(v.job, v.held)
		b.room += v.saves
		v.marked = false
	}
	b.victims = b.victims[:from]
}

// reprieve gives victims exactly their old nodes back as long as all tasks of job j still fit. slots is the number of
// j's tasks that fit now.
func (b *board) reprieve(j *job, slots int) {
	b.spare(func(v victim) bool {
		loss := 0
		for _, n := range v.held {
			if !b.nodes[n].holds(v.job) {
				b.liftFor(v.job, j)
				return false
			}
			loss += b.slots(j, n)
			b.put(v.job, n)
			loss -= b.slots(j, n)
		}
		if slots-loss < j.count {
			b.liftFor(v.job, j)
			return false
		}
		slots -= loss
		return true
	})
}

// move places victims elsewhere with Greedy instead of pausing them (GreedyPM, section 4.2).
func (b *board) move() {
	b.spare(func(v victim) bool {
		v.cause = b.freed(cluster.WhyMovedFor, v)
		return b.greedy(v.job)
	})
}

// spare removes the victims that mapped can map from the list. It tries them from the highest rank down.
func (b *board) spare(mapped func(victim) bool) {
	b.steps += len(b.victims)
	slices.SortStableFunc(b.victims, func(x, y victim) int { return byRank(x.job, y.job) })
	b.victims = slices.DeleteFunc(b.victims, func(v victim) bool {
		ok := mapped(v)
		if ok {
			b.room += v.saves
			v.marked = false
		}
		return ok
	})
}

// restart starts waiting jobs by rank where there is room (*). It includes jobs that MCB8 gave up in this
// instant, but not victims: their fate is decided after the last event of the instant.
func (b *board) restart() {
	if !b.untried {
		return
	}
	b.untried = false
	for _, j := range b.jobs {
		if !j.mapped() && !j.arriving && !j.marked {
			b.greedy(j)
		}
	}
}
