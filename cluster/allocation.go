package cluster

import (
	"iter"
	"slices"
)

// Placement is what a job holds: the same grant for each task, and a node per task. Placements are immutable.
type Placement struct {
	Grant
	// Nodes are in a decision a multiset, one for each live task. Adoption turns them into one node for each task, by
	// index.
	// Invariant: in a Target, 0 is at the index of a task that has ended, and of no other.
	Nodes []NodeID
}

// Allocation is a persistent map from jobs to what they hold: Clone is cheap, and
// changing a clone leaves the original as it is. The zero Allocation is not usable.
type Allocation struct{ table[JobID, Placement] }

// NewAllocation returns one in which nobody holds anything.
func NewAllocation() Allocation { return Allocation{newTable[JobID, Placement](nil)} }

// Clone returns an independent copy.
func (a Allocation) Clone() Allocation { return Allocation{a.clone()} }

// Get returns what the job holds, or nil.
func (a Allocation) Get(id JobID) *Placement { return a.get(id) }

// Set gives the job a placement.
func (a Allocation) Set(id JobID, p *Placement) { a.set(id, p) }

// Delete takes the job's placement away.
func (a Allocation) Delete(id JobID) { a.remove(id) }

// All yields jobs and placements by job id.
func (a Allocation) All() iter.Seq2[JobID, *Placement] {
	return func(yield func(JobID, *Placement) bool) {
		for id, d := range a.since(NewAllocation().table) {
			if !yield(id, d.now) {
				return
			}
		}
	}
}

// Since yields by job id what differs from an earlier allocation: what the job held, and
// what it holds, nil for nothing. Its cost is that of what changed between the two.
func (a Allocation) Since(earlier Allocation) iter.Seq2[JobID, [2]*Placement] {
	return func(yield func(JobID, [2]*Placement) bool) {
		for id, d := range a.since(earlier.table) {
			if !d.old.Equal(d.now) && !yield(id, [2]*Placement{d.old, d.now}) {
				return
			}
		}
	}
}

// Equal tells whether two placements, either of which may be nil, are the same.
func (p *Placement) Equal(q *Placement) bool {
	return p == q || p != nil && q != nil && p.Grant == q.Grant && slices.Equal(p.Nodes, q.Nodes)
}
