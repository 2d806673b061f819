package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// job is a candidate during a decision.
type job struct {
	*cluster.Job
	virtual  cluster.Time // progress so far (virtual time)
	priority float64
	count    int                     // tasks that have not ended
	charge   cluster.Bytes           // memory that a task takes from its node
	least    cluster.CPU             // smallest share of a task
	saves    cluster.Bytes           // store space that pausing it takes
	fixed    bool                    // can neither move nor pause
	arriving bool                    // its submission has not been handled yet
	marked   bool                    // marked for pausing in this instant
	beyond   bool                    // the share of its holder is used by other jobs of the holder
	owner    *share                  // its holder's; nil: there is only one holder, or shares do not matter
	eligible *nodeSet                // nodes that its tasks may use; nil: all, and all take new VMs
	stays    map[cluster.NodeID]stay // on nodes that take no new VMs; nil: the job is on none
	held     *cluster.Placement      // placement by the adopted decision; nil: none
	before   []int                   // place of each task's node at the beginning of the instant; empty: not mapped
	nodes    []int                   // place of each task's node now; empty: not mapped
	share    cluster.CPU             // new share of each task
	cause    cause
}

// stay counts the tasks of a job on a node that takes no new VMs.
type stay struct {
	most   int // that may be there: see policy.Staying
	mapped int // to it now
}

// staying returns the stays of a job on nodes that may be closed to others.
func staying(v *cluster.View, j *cluster.Job, held *cluster.Placement) map[cluster.NodeID]stay {
	stays := map[cluster.NodeID]stay{}
	for n, most := range policy.Staying(v, j, held) {
		stays[n] = stay{most: most}
	}
	return stays
}

// cause is why a job was stopped or moved, as the values of a cluster.Reason.
type cause struct {
	code   cluster.ReasonCode
	values [2]int64
}

// byPriority orders jobs from the highest priority to the lowest, ties by submission.
func byPriority(a, b *job) int {
	return policy.ByPriority(a.priority, int(a.ID), b.priority, int(b.ID))
}

// byRank orders jobs as the board does: those within their holders' shares first, then by priority.
func byRank(a, b *job) int {
	switch {
	case a.favoured(b):
		return -1
	case b.favoured(a):
		return 1
	}
	return byPriority(a, b)
}

func (j *job) mapped() bool { return len(j.nodes) > 0 }

func (j *job) allows(n int) bool { return j.eligible == nil || j.eligible.allowed[n] }

// meets reports whether another job has tasks on a node that this one may use.
func (j *job) meets(other *job) bool {
	return j.eligible == nil || slices.ContainsFunc(other.nodes, j.allows)
}

// most returns the greatest number of the job's tasks on one node.
func (j *job) most() int {
	if j.Spec.Placement.Spread {
		return 1
	}
	return j.count
}
