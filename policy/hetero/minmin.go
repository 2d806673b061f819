package hetero

// entrant is a lane while min-min places its jobs.
type entrant struct {
	end        Ticks // of its next job, or less: ends only grow while jobs are placed
	head       int   // position in the queue of its next job
	lane, next int
}

func (e entrant) before(o entrant) bool { return e.end < o.end || e.end == o.end && e.head < o.head }

// heap keeps entrants in order: the one to be placed next is the first.
type heap []entrant

// settle moves an entrant that has grown to its place.
func (h heap) settle(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].before(h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// minMin places jobs one by one where each ends first, beginning with the one that ends first; of equal ones with the
// first in the queue. The end of a lane is looked at again only when it seems to be the first.
func (b *batch) minMin(taken []int, s *schedule) {
	b.heap = b.heap[:0]
	b.greedy(taken, s, func(lane, next, _ int, end Ticks) {
		b.heap = append(b.heap, entrant{end, b.lanes[lane].jobs[next], lane, next})
	})
	for i := len(b.heap)/2 - 1; i >= 0; i-- {
		b.heap.settle(i)
	}
	for len(b.heap) > 0 {
		first := &b.heap[0]
		if machine, end := b.aim(first.lane); end == first.end {
			b.place(first.head, machine, end, s)
			b.follow()
		} else {
			first.end = end
		}
		b.heap.settle(0)
	}
}

// follow goes on to the next job of the first lane, or to the other lanes if it has none.
func (b *batch) follow() {
	first := &b.heap[0]
	jobs := b.lanes[first.lane].jobs
	if first.next++; first.next < len(jobs) {
		first.head = jobs[first.next]
		return
	}
	b.heap[0] = b.heap[len(b.heap)-1]
	b.heap = b.heap[:len(b.heap)-1]
}
