package cluster

import (
	"iter"
	"slices"
)

// Placement is the CPU grant and the nodes of a job: the same grant for each task, and one node per task. A Placement
// is immutable.
type Placement struct {
	// Grant is the same for every task of the job.
	// Invariant: it suits the job's need, see Grant.Suits.
	Grant
	// Nodes holds, in a decision, a multiset with one node per live task. Adoption assigns the nodes to the tasks: in a
	// Target, Nodes[i] is the node of task i.
	// Invariant: in a Target, Nodes[i] is 0 if and only if task i has ended.
	Nodes []NodeID
	// Cores binds tasks to processors of their nodes, numbered from 1 to Description.Slots: task i to Cores[i]. 0: any
	// processors may run it; nil: that of all tasks.
	// Invariant: nil, or as long as Nodes; 0 where Nodes is 0.
	Cores []CoreID
}

// Core returns the processor that a task is bound to, by its index in Nodes; 0: none.
func (p *Placement) Core(i int) CoreID {
	if p.Cores == nil {
		return 0
	}
	return p.Cores[i]
}

// Live returns the placement without the tasks that have ended, as decisions give it.
func (p *Placement) Live() Placement {
	if !slices.Contains(p.Nodes, 0) {
		return *p
	}
	l := Placement{Grant: p.Grant}
	for i, n := range p.Nodes {
		if n == 0 {
			continue
		}
		if l.Nodes = append(l.Nodes, n); p.Cores != nil {
			l.Cores = append(l.Cores, p.Cores[i])
		}
	}
	return l
}

// kept returns the processors that the placement, which may be nil, gives to tasks that are still on its nodes.
func (p *Placement) kept(nodes []NodeID) []CoreID {
	if p == nil || p.Cores == nil {
		return nil
	}
	cores := slices.Clone(p.Cores)
	for i, n := range nodes {
		if n != p.Nodes[i] {
			cores[i] = 0
		}
	}
	return cores
}

// Allocation is a persistent map from jobs to placements. Clone is cheap, and changing a clone does not change the
// original. The zero Allocation is not usable.
type Allocation struct{ table[JobID, Placement] }

// NewAllocation returns an empty allocation.
func NewAllocation() Allocation { return Allocation{newTable[JobID, Placement](nil)} }

// Clone returns an independent copy.
func (a Allocation) Clone() Allocation { return Allocation{a.clone()} }

// Get returns the job's placement, or nil.
func (a Allocation) Get(id JobID) *Placement { return a.get(id) }

// Set gives the job a placement.
func (a Allocation) Set(id JobID, p *Placement) { a.set(id, p) }

// Delete removes the job's placement.
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

// Since yields, by job id, the old and the new placement of each job whose placement differs from the earlier
// allocation; nil means none. The cost is proportional to the number of changes, not to the number of jobs.
func (a Allocation) Since(earlier Allocation) iter.Seq2[JobID, [2]*Placement] {
	return func(yield func(JobID, [2]*Placement) bool) {
		for id, d := range a.since(earlier.table) {
			if !d.old.Equal(d.now) && !yield(id, [2]*Placement{d.old, d.now}) {
				return
			}
		}
	}
}

// Equal reports whether the two placements are the same. Either may be nil.
func (p *Placement) Equal(q *Placement) bool {
	return p == q || p != nil && q != nil && p.Grant == q.Grant && slices.Equal(p.Nodes, q.Nodes) &&
		slices.Equal(p.Cores, q.Cores)
}
