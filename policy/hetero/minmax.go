package hetero

// field holds the lanes that have jobs left, while min-max places them. Equal indexes are of one lane.
type field struct {
	lane    []int
	next    []int   // number of jobs that are placed
	machine []int   // on which the next job ends first
	end     []Ticks // of the next job there
	bound   Ticks   // the sum of all ends cannot be less
}

// minMax places jobs one by one where each ends first, beginning with the one that ends last; of equal ones with the
// first in the queue. It gives up, and reports false, when the sum of the ends cannot be less than the limit.
func (b *batch) minMax(taken []int, s *schedule, limit Ticks) bool {
	f := &b.field
	*f = field{f.lane[:0], f.next[:0], f.machine[:0], f.end[:0], 0}
	b.greedy(taken, s, func(lane, next, machine int, end Ticks) {
		f.lane, f.next, f.machine, f.end = append(f.lane, lane), append(f.next, next), append(f.machine, machine),
			append(f.end, end)
		f.bound += end * Ticks(len(b.lanes[lane].jobs)-next)
	})
	for machine := -1; len(f.lane) > 0; {
		at := b.leader(machine)
		if f.bound >= limit {
			return false
		}
		machine = f.machine[at]
		b.place(b.head(at), machine, f.end[at], s)
		if f.next[at]++; f.next[at] == len(b.lanes[f.lane[at]].jobs) {
			f.leave(at)
		}
	}
	return true
}

// leader returns the lane whose job is placed next, after those that aimed at a machine have aimed anew.
func (b *batch) leader(machine int) (at int) {
	f := &b.field
	ends := f.end
	aims := f.machine[:len(ends)]
	most := Ticks(-1)
	for i, end := range ends {
		if aims[i] == machine {
			aims[i], end = b.aim(f.lane[i])
			f.bound += (end - ends[i]) * Ticks(len(b.lanes[f.lane[i]].jobs)-f.next[i])
			ends[i] = end
		}
		if end >= most && (end > most || b.head(i) < b.head(at)) {
			at, most = i, end
		}
	}
	return at
}

// head returns the position in the queue of the next job of a lane.
func (b *batch) head(i int) int { return b.lanes[b.field.lane[i]].jobs[b.field.next[i]] }

// leave takes a lane without jobs off the field.
func (f *field) leave(at int) {
	end := len(f.lane) - 1
	f.lane[at], f.next[at], f.machine[at], f.end[at] = f.lane[end], f.next[end], f.machine[end], f.end[end]
	f.lane, f.next, f.machine, f.end = f.lane[:end], f.next[:end], f.machine[:end], f.end[:end]
}
