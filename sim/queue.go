package sim

import (
	"cmp"
	"container/heap"

	"aliquot/cluster"
)

// run is a job that has been submitted and has not ended.
type run struct {
	Outcome
	job     *cluster.Job
	held    *cluster.Placement // when the last instant ended; nil: none
	base    cluster.Time       // its virtual time when its present work began: at its submission, or at its last loss
	finish  cluster.Time       // when it will end as things are
	paid    cluster.Time       // when its penalty will have been paid
	begun   bool               // it was started
	going   bool               // it makes progress
	touched bool               // something happened to it in this instant
	queued  int                // place in the queue, from 1; 0: it is not in it
	since   cluster.Time       // when what it holds last changed
	moved   cluster.Time       // when it was last resumed or moved; zero: never
}

// wants is the CPU that it can use.
func (r *run) wants() cluster.CPU { return r.Need * cluster.CPU(r.Tasks) }

// due is when something will happen to it by itself.
func (r *run) due() cluster.Time { return min(r.finish, r.paid) }

// before orders runs by when they are due, ends first, then by submission.
func (r *run) before(o *run) bool {
	return cmp.Or(cmp.Compare(r.due(), o.due()), cmp.Compare(r.finish, o.finish), cmp.Compare(r.job.ID, o.job.ID)) < 0
}

// queue holds the runs to which something will happen by itself, the next one first.
type queue []*run

// next is when the first of them is due.
func (q queue) next() cluster.Time {
	if len(q) == 0 {
		return never
	}
	return q[0].due()
}

// update puts a run whose due time changed in its place.
func (q *queue) update(r *run) {
	switch waits := r.due() == never; {
	case r.queued > 0 && waits:
		heap.Remove(q, r.queued-1)
	case r.queued > 0:
		heap.Fix(q, r.queued-1)
	case !waits:
		heap.Push(q, r)
	}
}

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool { return q[i].before(q[j]) }

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].queued, q[j].queued = i+1, j+1
}

func (q *queue) Push(x any) {
	*q = append(*q, x.(*run))
	(*q)[len(*q)-1].queued = len(*q)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	r := (*q)[last]
	(*q)[last], *q = nil, (*q)[:last]
	r.queued = 0
	return r
}
