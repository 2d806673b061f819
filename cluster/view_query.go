package cluster

import "iter"

// Revision returns the revision of the last command before the view was taken.
func (v *View) Revision() uint64 { return v.state.Revision }

// Job returns the job that has not ended, or nil.
func (v *View) Job(id JobID) *Job { return v.state.Job(id) }

// Jobs yields the jobs that have not ended, by id.
func (v *View) Jobs() iter.Seq[*Job] { return v.shown(v.state.Jobs()) }

// Node returns the node, or nil.
func (v *View) Node(id NodeID) *Node { return v.limited(v.state.Node(id)) }

// Nodes yields the nodes that are not absent, by id.
func (v *View) Nodes() iter.Seq[*Node] {
	if v.part == nil {
		return v.state.Nodes()
	}
	return func(yield func(*Node) bool) {
		for n := range v.state.Nodes() {
			if !yield(v.limited(n)) {
				return
			}
		}
	}
}

// NodeBound returns an id above those of all nodes, for tables by node.
func (v *View) NodeBound() NodeID { return v.state.NextNode }

// Target returns the job's adopted placement, or nil.
func (v *View) Target(id JobID) *Placement { return v.state.Target(id) }

// TargetAll returns the adopted allocation; it must not be changed, but may be cloned.
func (v *View) TargetAll() Allocation {
	if v.part != nil {
		return v.part.target
	}
	return v.state.TargetAll()
}

// Charge returns the memory, in bytes, that a task takes from a node: its own and the hypervisor's overhead.
func (v *View) Charge(spec *Spec) Bytes { return v.state.Charge(spec) }

// StoreRoom returns the space of the store that is free and not reserved, in bytes; negative means no store.
func (v *View) StoreRoom() Bytes { return v.state.StoreRoom() - v.reserve() }

// Move returns the task's move under way, or nil.
func (v *View) Move(task TaskID) *Move { return v.state.Move(task) }

// Moves yields the moves under way, by task.
func (v *View) Moves() iter.Seq[*Move] { return v.state.Moves() }

// Unsettled yields, by id, the jobs with a task whose node, cap or tier differs from the Target.
func (v *View) Unsettled() iter.Seq[*Job] { return v.state.Unsettled() }

// Contested returns a node that may still have a VM of the task's latest run; see State.Contested.
func (v *View) Contested(id TaskID) NodeID { return v.state.Contested(id) }
