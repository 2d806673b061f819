package cluster

import (
	"iter"
	"math"
	"slices"

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

// Since yields by job id what differs from an earlier allocation: what the job held, and
// what it holds, nil for nothing. A placement that was kept is found equal at once.
func (a Allocation) Since(earlier Allocation) iter.Seq2[JobID, [2]*Placement] {
	return func(yield func(JobID, [2]*Placement) bool) {
		if a.tree == earlier.tree {
			return // it is the same, not a copy
		}
		old := make([]holding, 0, earlier.Len())
		earlier.tree.Ascend(func(h holding) bool { old = append(old, h); return true })
		more := true
		gone := func(before JobID) {
			for ; more && len(old) > 0 && old[0].job < before; old = old[1:] {
				more = yield(old[0].job, [2]*Placement{old[0].placement, nil})
			}
		}
		a.tree.Ascend(func(h holding) bool {
			gone(h.job)
			var was *Placement
			if more && len(old) > 0 && old[0].job == h.job {
				was, old = old[0].placement, old[1:]
			}
			if more && !was.Equal(h.placement) {
				more = yield(h.job, [2]*Placement{was, h.placement})
			}
			return more
		})
		gone(math.MaxUint64)
	}
}

// Equal tells whether two placements, either of which may be nil, are the same.
func (p *Placement) Equal(q *Placement) bool {
	return p == q || p != nil && q != nil && p.CPU == q.CPU && p.Tier == q.Tier && slices.Equal(p.Nodes, q.Nodes)
}
