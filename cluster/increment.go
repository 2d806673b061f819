package cluster

import "iter"

// Increment is what State has noted since a decision that is in force as a whole: where there is room, and what became
// free. A policy that finds one can decide at the cost of what came and went, instead of at that of all there is.
type Increment struct{ state *State }

// Increment returns what was noted since the decision of that name was adopted. It is false if the Target is not that
// decision, whole: another policy decided, part of the decision did not fit, the state was read from a file, or it is a
// Model, which keeps no such notes. Then everything has to be looked at.
func (v *View) Increment(by string) (Increment, bool) {
	return Increment{v.state}, by != "" && v.state.author.name == by
}

// Vacancies is what the Target leaves of every node.
func (i Increment) Vacancies() Vacancies { return i.state.vacancies }

// Freed yields by id the nodes of jobs of which something ended after the latest basis of a decision.
func (i Increment) Freed() iter.Seq[NodeID] {
	return func(yield func(NodeID) bool) {
		i.state.freed.Ascend(func(f freed) bool { return yield(f.node) })
	}
}

// Holding yields by id the jobs to which the Target gives something on the node.
func (i Increment) Holding(node NodeID) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		i.state.held.AscendGreaterOrEqual(located{node: node}, func(l located) bool {
			return l.node == node && yield(i.state.Job(l.job))
		})
	}
}

// Waiting yields by id the jobs that hold nothing.
func (i Increment) Waiting() iter.Seq[*Job] { return i.state.members(i.state.waiting) }
