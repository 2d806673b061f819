// Package policy declares what a scheduling policy is: a pure choice of who holds what.
//
// The families of published algorithms are packages below this one; package
// policy/catalog finds them by their published names, and package policy/policytest
// holds the laws that every one of them must pass.
package policy

import (
	"iter"

	"aliquot/cluster"
)

// Policy chooses who holds what from now on.
//
// Decide is a function of the view alone, its Pending occasion included: the same view
// gives the same decision, and the view is left as it was. It places a job whole or not
// at all: a placement names one node for each live task, as a multiset, and one grant.
// What every node is to give fits what it offers, by cluster.Load.Fits.
// Candidates only are placed. An alarm of a kind for which the policy never asks changes nothing: see cluster.Occasion.For. A job that is mapped now and not Pausable stays mapped,
// a Stuck one on its nodes.
type Policy interface {
	Decide(v *cluster.View) Decision
}

// Decision is what a policy wants. It is valid as long as the view that it was made on.
type Decision struct {
	// Target is what every job is to hold; a job that is absent is paused, its work kept. What differs from the target that
	// the view has is adopted. Invariant: it holds candidates of the view only.
	Target cluster.Allocation
	Refuse []cluster.Refusal // jobs that can never run; each ends as failed
	// Alarms are all times at which the policy wants to be asked again, in microseconds. Invariant: each is after the view's
	// present, and the tick is on the grid origin + k·period.
	Alarms []cluster.Alarm
	Why    iter.Seq[cluster.Reason] // at most one for each job that the decision explains; nil: none. Computed when asked for
	By     string                   // name by which the policy knows its own work again; "": it need not
	// Weighed is the best plan for running jobs that the policy found, whether or not it is part of the decision; nil: it
	// looked for none, as no published policy does.
	Weighed *cluster.Weighed
	// Fallback is why part of the decision follows a plainer rule than the policy's own; nil: none does. The decision is
	// as valid as any: a live cluster adopts it and says so, a simulation of the policy ends.
	Fallback error
}
