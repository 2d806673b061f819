package deadline

import (
	"cmp"

	"aliquot/cluster"
)

// Quarters is the number of parts of a node that tasks get. The number that a task has is its level.
const Quarters = 4

// Never is the deadline of a job without one.
const Never = cluster.Time(1) << 60

// Work is time on a quarter of a node, in microseconds.
type Work int64

// Job is a job each of whose tasks can use a node.
type Job struct {
	ID       cluster.JobID
	Tasks    int
	Floor    int          // least level of its tasks once it has started: mostly 1; Quarters if it is rigid
	Ready    cluster.Time // earliest start
	Deadline cluster.Time // latest end; Never: none
	Lasts    cluster.Time // that each task needs on a node of its own
	Move     cluster.Time // that it stands still for a move
}

// Run is a job that is ready and has not ended, at a moment.
type Run struct {
	*Job
	Left    Work         // of each task
	Stalled cluster.Time // it makes no progress before
	Level   int
	Started bool
}

// compare orders runs by deadline. The order never changes, so that the rule gives the same however often it is asked.
func (r Run) compare(o Run) int {
	return cmp.Or(cmp.Compare(r.Deadline, o.Deadline), cmp.Compare(r.ID, o.ID))
}

// arrives orders jobs by their ready times.
func (j *Job) arrives(o *Job) int {
	return cmp.Or(cmp.Compare(j.Ready, o.Ready), cmp.Compare(j.ID, o.ID))
}

// fresh returns the job as it is when it becomes ready.
func (j *Job) fresh() Run { return Run{Job: j, Left: Quarters * Work(j.Lasts)} }

// Hopeless reports whether the job misses its deadline even if it has whole nodes from now on.
func (r *Run) Hopeless(now cluster.Time) bool {
	return max(now, r.Stalled)+needs(r.Left, Quarters) > r.Deadline
}

// needs returns the time that the work takes at a level, rounded up.
func needs(w Work, level int) cluster.Time { return cluster.Time((w + Work(level) - 1) / Work(level)) }

// ends returns when the run ends if its level stays; Never if that is 0.
func (r *Run) ends(now cluster.Time) cluster.Time {
	if r.Level == 0 {
		return Never
	}
	return max(now, r.Stalled) + needs(r.Left, r.Level)
}

// pass lets the run progress at its level.
func (r *Run) pass(from, to cluster.Time) {
	if from = max(from, r.Stalled); from < to {
		r.Left = max(0, r.Left-Work(r.Level)*Work(to-from))
	}
	if r.Stalled <= to {
		r.Stalled = 0
	}
}
