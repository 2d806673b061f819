package hetero

// lane holds the jobs of a queue that take the same time everywhere: jobs of one type of which none was suspended, or a
// suspended one.
type lane struct {
	sequential []Ticks // by machine
	parallel   []Ticks // by cluster
	jobs       []int   // positions in the queue, in order
}

// batch is a queue of jobs to be placed on machines, each of which is available from a time on.
type batch struct {
	table *Table
	queue []Work
	lanes []lane
	from  []Ticks // by machine

	free  []Ticks // by machine, while a schedule is made
	heap  heap
	field field
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

// greedy begins a schedule without the given numbers of jobs at the beginnings of the lanes. It gives those lanes that
// have jobs left and may run somewhere to enter, each with the machine on which its next job ends first.
func (b *batch) greedy(taken []int, s *schedule, enter func(lane, next, machine int, end Ticks)) {
	copy(b.free, b.from)
	s.unplaced, s.ends, s.area = 0, 0, 0
	for i, l := range b.lanes {
		if taken[i] == len(l.jobs) {
			continue
		}
		machine, end := b.aim(i)
		if machine < 0 {
			for _, job := range l.jobs[taken[i]:] {
				s.machine[job] = -1
				s.unplaced++
			}
			continue
		}
		enter(i, taken[i], machine, end)
	}
}

// place puts a job on a machine until its end.
func (b *batch) place(job, machine int, end Ticks, s *schedule) {
	s.machine[job], s.start[job] = machine, b.free[machine]
	s.ends += end
	s.area += end - b.free[machine]
	b.free[machine] = end
}

// aim returns the machine on which a job of a lane ends first, and that end; of equal ones that with the lowest index;
// -1 if it may run nowhere.
func (b *batch) aim(lane int) (machine int, end Ticks) {
	machine, end = -1, Never
	times := b.lanes[lane].sequential
	free := b.free[:len(times)]
	for m, d := range times {
		if e := free[m] + d; e < end {
			machine, end = m, e
		}
	}
	return machine, end
}
