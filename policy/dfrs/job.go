package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// job is a candidate while a decision is being made.
type job struct {
	*cluster.Job
	virtual  cluster.Time // progress so far
	priority float64
	count    int                // tasks that have not ended
	charge   cluster.Bytes      // memory that a task takes from its node
	least    cluster.CPU        // smallest share of a task
	saves    cluster.Bytes      // store space that pausing it takes
	fixed    bool               // neither moves nor pauses
	arriving bool               // its submission is yet to be dealt with
	marked   bool               // for pausing in this instant
	eligible *nodeSet           // nodes on which its tasks may be; nil: everywhere
	held     *cluster.Placement // by the adopted decision; nil: none
	before   []int              // node of each task when the instant began; empty: it was not mapped
	nodes    []int              // node of each task now; empty: not mapped
	share    cluster.CPU        // of each task from now on
	cause    cause
}

// cause is what stopped or moved a job, in the values of a cluster.Reason.
type cause struct {
	code   cluster.ReasonCode
	values [2]int64
}

// byPriority orders jobs from the highest priority to the lowest, ties by submission.
func byPriority(a, b *job) int { return policy.ByPriority(a.priority, a.ID, b.priority, b.ID) }

func (j *job) mapped() bool { return len(j.nodes) > 0 }

func (j *job) allows(n int) bool { return j.eligible == nil || j.eligible.allowed[n] }

// allowed returns the eligible nodes as a packing takes them.
func (j *job) allowed() []bool {
	if j.eligible == nil {
		return nil
	}
	return j.eligible.allowed
}

// meets tells whether another job has tasks where this one may be placed.
func (j *job) meets(other *job) bool {
	return j.eligible == nil || slices.ContainsFunc(other.nodes, j.allows)
}

// most is the number of its tasks that one node may take.
func (j *job) most() int {
	if j.Spec.Placement.Spread {
		return 1
	}
	return j.count
}
