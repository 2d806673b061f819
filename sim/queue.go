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
	held    *cluster.Placement // the placement at the end of the last instant; nil: none
	base    cluster.Time       // virtual time when its present work began: at its submission, or at its last loss
	finish  cluster.Time       // foreseen end; never: none
	paid    cluster.Time       // end of its penalty; never: it pays none
	begun   bool               // the job has started
	going   bool               // it makes progress
	anew    bool               // the policy has given its work up, and it has not started anew yet
	asked   bool               // its rate is to be asked for
	touched bool               // an event of this instant concerns it
	queued  int                // place in the queue, from 1; 0: not queued
	since   cluster.Time       // when its placement last changed
	moved   cluster.Time       // when it was last resumed or moved; zero: never
}

// wants returns the CPU that the job can use.
func (r *run) wants() cluster.CPU { return r.Need * cluster.CPU(r.Tasks) }

// due returns when the run ends or has paid, whichever comes first.
func (r *run) due() cluster.Time { return min(r.finish, r.paid) }

// before orders runs by due time, then ends before others, then by submission.
func (r *run) before(o *run) bool {
	return cmp.Or(cmp.Compare(r.due(), o.due()), cmp.Compare(r.finish, o.finish), cmp.Compare(r.job.ID, o.job.ID)) < 0
}

// queue holds the runs with a due time, the next one first.
type queue []*run

// next returns the due time of the first run.
func (q queue) next() cluster.Time {
	if len(q) == 0 {
		return never
	}
	return q[0].due()
}

// update moves a run to its place after its due time has changed.
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
