package cluster

import (
	"iter"

	"github.com/google/btree"
)

// Placement is what a job holds: the same share for each task, and a node per task.
// A decision names a multiset of nodes, one for each live task; adoption turns it into
// one node per task index, with 0 for tasks that have ended. Placements are immutable.
type Placement struct {
	CPU   CPU // share of each task
	Tier  Tier
	Nodes []NodeID
}

// Allocation is a persistent map from jobs to what they hold: Clone is cheap, and
// changing a clone leaves the original as it is. The zero Allocation is not usable.
type Allocation struct{ tree *btree.BTreeG[holding] }

type holding struct {
	job       JobID
	placement *Placement
}

// NewAllocation returns one in which nobody holds anything.
func NewAllocation() Allocation {
	return Allocation{btree.NewG(16, func(a, b holding) bool { return a.job < b.job })}
}

// Clone returns an independent copy.
func (a Allocation) Clone() Allocation { return Allocation{a.tree.Clone()} }

// Get returns what the job holds, or nil.
func (a Allocation) Get(id JobID) *Placement {
	h, _ := a.tree.Get(holding{job: id})
	return h.placement
}

// Set gives the job a placement.
func (a Allocation) Set(id JobID, p *Placement) { a.tree.ReplaceOrInsert(holding{id, p}) }

// Delete takes the job's placement away.
func (a Allocation) Delete(id JobID) { a.tree.Delete(holding{job: id}) }

// Len counts the jobs that hold something.
func (a Allocation) Len() int { return a.tree.Len() }

// All yields jobs and placements by job id.
func (a Allocation) All() iter.Seq2[JobID, *Placement] {
	return func(yield func(JobID, *Placement) bool) {
		a.tree.Ascend(func(h holding) bool { return yield(h.job, h.placement) })
	}
}
