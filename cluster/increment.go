package cluster

import "iter"

// Increment gives access to the changes since a decision that is in force as a whole: where there is room, and which
// nodes were freed. With one, a policy decides at a cost proportional to the changes, not to the size of the state.
type Increment struct{ state *State }

// Increment returns the changes since a decision by the named policy was adopted. It returns false if the Target is not
// the whole of such a decision: another policy decided, part of the decision did not fit, the state was read from a
// file, the view is limited to standard jobs, or it belongs to a Model, which records no changes. Then the policy must
// look at everything.
func (v *View) Increment(by string) (Increment, bool) {
	return Increment{v.state}, by != "" && v.state.author.name == by && v.part == nil
}

// Vacancies returns the room that the Target leaves on every node.
func (i Increment) Vacancies() Vacancies { return i.state.vacancies }

// Room returns the room that each task of such a job takes on its node.
func (i Increment) Room(spec *Spec) Room { return i.state.Room(spec) }

// Freed yields, by id, the nodes of jobs whose placement ended in whole or in part after the basis of the last
// decision.
func (i Increment) Freed() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		i.state.freed.Ascend(func(f freed) bool { return yield(f.node) })
	}
}

// Holding yields, by id, the jobs with a placement on the node.
func (i Increment) Holding(node NodeID) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		i.state.held.AscendGreaterOrEqual(located{node: node}, func(l located) bool {
			return l.node == node && yield(i.state.Job(l.job))
		})
	}
}

// Waiting yields, by id, the jobs without a placement.
func (i Increment) Waiting() iter.Seq[*Job] { return i.state.members(i.state.waiting) }
