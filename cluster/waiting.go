package cluster

import (
	"iter"
	"math"
)

// Waiting yields, by id, the jobs without a placement. It may skip jobs with more tasks than most returns at that
// moment. In a simulation with a long queue, a decision then need not look at all of it.
func (v *View) Waiting(most func() int) iter.Seq[*Job] {
	if v.queue == nil {
		return v.shown(v.state.members(v.state.waiting))
	}
	return v.shown(func(yield func(*Job) bool) {
		next := func(id JobID) JobID { return v.queue.next(id, int32(min(most(), nobody-1))) }
		for id := next(0); id != 0 && yield(v.Job(id)); id = next(id) {
		}
	})
}

// queue is the set of a Model's jobs without a placement. It finds the next one that is not too wide without looking at
// those between. It is a tree of minima over ids; a job that has a placement, or is gone, has the width nobody.
type queue struct {
	least []int32 // least width below each inner vertex; the second half are the leaves, by id
}

const nobody = math.MaxInt32

// put records that a job with that number of tasks waits, or with nobody that it does not.
func (w *queue) put(id JobID, tasks int32) {
	for int(id) >= len(w.least)/2 {
		w.grow()
	}
	at := len(w.least)/2 + int(id)
	w.least[at] = tasks
	for at /= 2; at > 0; at /= 2 {
		least := min(w.least[2*at], w.least[2*at+1])
		if w.least[at] == least {
			return
		}
		w.least[at] = least
	}
}

// grow doubles the number of leaves.
func (w *queue) grow() {
	old, leaves := w.least, max(1, len(w.least))
	w.least = make([]int32, 2*leaves)
	for i := range w.least {
		w.least[i] = nobody
	}
	copy(w.least[leaves:], old[len(old)/2:])
	for at := leaves - 1; at > 0; at-- {
		w.least[at] = min(w.least[2*at], w.least[2*at+1])
	}
}

// next returns the first waiting job after id with at most the given number of tasks; 0 means none.
func (w *queue) next(id JobID, tasks int32) JobID {
	leaves := len(w.least) / 2
	if int(id)+1 >= leaves {
		return 0
	}
	at := leaves + int(id) + 1
	for w.least[at] > tasks || w.least[at] == nobody {
		for at&1 == 1 { // the right child: continue after its parent
			at /= 2
		}
		if at == 0 {
			return 0
		}
		at++
	}
	for at < leaves {
		if at *= 2; w.least[at] > tasks {
			at++
		}
	}
	return JobID(at - leaves)
}
