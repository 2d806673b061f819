package dfrs

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// job is a candidate while a decision is being made.
type job struct {
	*cluster.Job
	priority float64
	count    int           // tasks that have not ended
	charge   cluster.Bytes // memory that a task takes from its node
	least    cluster.CPU   // smallest share of a task
	saves    cluster.Bytes // store space that pausing it takes
	fixed    bool          // neither moves nor pauses
	arriving bool          // its submission is yet to be dealt with
	allowed  []bool        // by node
	before   []int         // node of each task when the instant began; nil: it was not mapped
	nodes    []int         // node of each task now; nil: not mapped
	cause    cluster.Reason
}

// byPriority orders jobs from the highest priority to the lowest, ties by submission.
func byPriority(a, b *job) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.ID, b.ID))
}

// moved tells whether the job is mapped to other nodes than when the instant began.
func (j *job) moved() bool {
	return !slices.Equal(slices.Sorted(slices.Values(j.nodes)), slices.Sorted(slices.Values(j.before)))
}

// waits tells whether the job waited when the instant began and still does.
func (j *job) waits() bool { return j.nodes == nil && j.before == nil }
