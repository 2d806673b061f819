package hetero

// lane holds the jobs of a queue that take the same time everywhere: jobs of one type of which none was suspended, or a
// suspended one.
type lane struct {
	sequential []Ticks // by machine
	parallel   []Ticks // by cluster
	jobs       []int   // positions in the queue, in order
}

// race holds the lanes that still have jobs to place, while a schedule is made. Equal indexes are of one lane.
type race struct {
	lane    []int
	next    []int   // number of jobs that are placed
	machine []int   // on which the next job ends first
	key     []Ticks // its end there, negated for min-max: the smallest is placed next
}

// batch is a queue of jobs to be placed on machines, each of which is available from a time on.
type batch struct {
	table *Table
	queue []Work
	lanes []lane
	from  []Ticks // by machine

	free []Ticks // by machine, while a schedule is made
	race
}

// newBatch returns the batch of a queue, in its order.
func newBatch(t *Table, queue []Work, from []Ticks) *batch {
	b := &batch{table: t, queue: queue, from: from, free: make([]Ticks, len(from))}
	whose := map[[2]int64]int{}
	for i, w := range queue {
		key := [2]int64{int64(w.Type), int64(w.Done)}
		at, known := whose[key]
		if !known {
			at = len(b.lanes)
			whose[key] = at
			b.lanes = append(b.lanes, lane{w.rest(t.Sequential[w.Type]), w.rest(t.Parallel[w.Type]), nil})
		}
		b.lanes[at].jobs = append(b.lanes[at].jobs, i)
	}
	return b
}

// resumption is the time that it takes to resume a suspended job.
const resumption Ticks = 2000

// rest returns the times that are left of a job, where the whole job would take those times.
func (w Work) rest(times []Ticks) []Ticks {
	if w.Done == 0 {
		return times
	}
	left := make([]Ticks, len(times))
	for i, d := range times {
		left[i] = w.Rest(d)
	}
	return left
}

// Rest returns the time that is left of the job, where the whole job would take the given time.
func (w Work) Rest(t Ticks) Ticks {
	if w.Done == 0 || t >= Never {
		return t
	}
	return resumption + (t*Ticks(whole-w.Done)+Ticks(whole)-1)/Ticks(whole)
}

// schedule places each job of a batch on a machine, except those at the beginnings of lanes that were taken out.
type schedule struct {
	machine  []int // by position in the queue; -1: nowhere
	start    []Ticks
	unplaced int   // number of jobs that may run on no machine
	ends     Ticks // sum of the ends
	area     Ticks // sum of the times that machines are taken
}

func (b *batch) newSchedule() *schedule {
	return &schedule{machine: make([]int, len(b.queue)), start: make([]Ticks, len(b.queue))}
}

// rule chooses the job to be placed next: that with the first end (min-min), or with the last (min-max). It is the sign
// of keys.
type rule Ticks

const (
	first rule = 1
	last  rule = -1
)

// greedy places all jobs but the given numbers at the beginnings of the lanes: one by one, each where it ends first. Of
// equal jobs it takes the first in the queue.
func (b *batch) greedy(r rule, taken []int, s *schedule) {
	copy(b.free, b.from)
	s.unplaced, s.ends, s.area = 0, 0, 0
	b.enter(r, taken, s)
	for at := b.leader(-1, r); at >= 0; {
		machine := b.machine[at]
		b.place(at, Ticks(r)*b.key[at], s)
		if b.next[at] == len(b.lanes[b.lane[at]].jobs) {
			b.leave(at)
		}
		at = b.leader(machine, r)
	}
}

// enter begins a race with all lanes that have jobs left and may run somewhere.
func (b *batch) enter(r rule, taken []int, s *schedule) {
	b.lane, b.next, b.machine, b.key = b.lane[:0], b.next[:0], b.machine[:0], b.key[:0]
	for i, l := range b.lanes {
		if taken[i] == len(l.jobs) {
			continue
		}
		machine, end := b.aim(l)
		if machine < 0 {
			for _, job := range l.jobs[taken[i]:] {
				s.machine[job] = -1
				s.unplaced++
			}
			continue
		}
		b.lane, b.next = append(b.lane, i), append(b.next, taken[i])
		b.machine, b.key = append(b.machine, machine), append(b.key, Ticks(r)*end)
	}
}

// leave ends the race of a lane.
func (b *batch) leave(at int) {
	end := len(b.lane) - 1
	b.lane[at], b.next[at], b.machine[at], b.key[at] = b.lane[end], b.next[end], b.machine[end], b.key[end]
	b.lane, b.next, b.machine, b.key = b.lane[:end], b.next[:end], b.machine[:end], b.key[:end]
}

// leader returns the lane whose job is placed next, -1 if none is left, after those that aimed at a machine have aimed
// anew.
func (b *batch) leader(machine int, r rule) int {
	keys := b.key
	aims := b.machine[:len(keys)]
	at, least := -1, Never
	for i, k := range keys {
		if aims[i] == machine {
			m, end := b.aim(b.lanes[b.lane[i]])
			k = Ticks(r) * end
			aims[i], keys[i] = m, k
		}
		if k <= least && (k < least || b.head(i) < b.head(at)) {
			at, least = i, k
		}
	}
	return at
}

// head returns the position in the queue of the next job of a lane.
func (b *batch) head(i int) int { return b.lanes[b.lane[i]].jobs[b.next[i]] }

// place puts the next job of a lane on its machine until its end.
func (b *batch) place(at int, end Ticks, s *schedule) {
	job, machine := b.head(at), b.machine[at]
	s.machine[job], s.start[job] = machine, b.free[machine]
	s.ends += end
	s.area += end - b.free[machine]
	b.free[machine] = end
	b.next[at]++
}

// aim returns the machine on which a job of a lane ends first, and that end; of equal ones that with the lowest index;
// -1 if it may run nowhere.
func (b *batch) aim(l lane) (machine int, end Ticks) {
	machine, end = -1, Never
	free := b.free[:len(l.sequential)]
	for m, d := range l.sequential {
		if e := free[m] + d; e < end {
			machine, end = m, e
		}
	}
	return machine, end
}
