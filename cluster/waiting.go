package cluster

import (
	"iter"
	"math"
)

// Waiting yields by id the jobs that hold nothing. A job with more tasks than most says at that moment may be left out:
// in a simulation with a long queue that keeps a decision from looking at all of it.
func (v *View) Waiting(most func() int) iter.Seq[*Job] {
	if v.queue == nil {
		return v.state.members(v.state.waiting)
	}
	return func(yield func(*Job) bool) {
		next := func(id JobID) JobID { return v.queue.next(id, int32(min(most(), nobody-1))) }
		for id := next(0); id != 0 && yield(v.Job(id)); id = next(id) {
		}
	}
}

// queue knows of a Model's jobs which hold nothing, and finds the next of them that is not too wide without looking
// at those between: a tree of minima over ids, in which who holds something, or is gone, counts as endlessly wide.
type queue struct {
	least []int32 // of the ids below each inner node; leaves, by id, are the second half
}

const nobody = math.MaxInt32

// put notes that a job of so many tasks waits, or with nobody that it does not.
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

// next is the first job after an id that waits and has at most so many tasks; 0: there is none.
func (w *queue) next(id JobID, tasks int32) JobID {
	leaves := len(w.least) / 2
	if int(id)+1 >= leaves {
		return 0
	}
	at := leaves + int(id) + 1
	for w.least[at] > tasks || w.least[at] == nobody {
		for at&1 == 1 { // the last below its parent: on to what follows that
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
