// Package policy defines a scheduling policy: a pure function that chooses an allocation.
//
// The families of published algorithms are packages below this one; package policy/catalog finds them by their
// published names, and package policy/policytest holds the laws that every one of them must pass.
package policy

import (
	"iter"

	"aliquot/cluster"
)

// Policy chooses the allocation from now on.
//
// Decide is a function of the view alone, including its Pending occasion: the same view gives the same decision. It
// does not change the view. It places a job whole or not at all: a placement names one node for each live task, as a
// multiset, and one grant. On every node the grants fit the offer, by cluster.Load.Fits. Only candidates are placed. An
// alarm of a kind that the policy never sets changes nothing: see cluster.Occasion.For. A job that is mapped now
// stays mapped if the store has no room for what it saves (StoreRoom, Saving); a Stuck job stays on its nodes.
type Policy interface {
	Decide(v *cluster.View) Decision
}

// Refusals returns the refusals of those of the jobs that the policy would refuse once they may be placed for the first
// time. The jobs need not be in the view.
func Refusals(p Policy, v *cluster.View, jobs []*cluster.Job) []cluster.Refusal {
	if selective, ok := p.(interface {
		Refusals(*cluster.View, []*cluster.Job) []cluster.Refusal
	}); ok {
		return selective.Refusals(v, jobs)
	}
	return nil
}

// Decision is a policy's answer to a view. It is valid as long as the view that it was made on.
type Decision struct {
	// Target is the whole new allocation. A job that is absent gives up its grant: it is paused and its work is kept.
	// The difference from the view's target is adopted. Invariant: it satisfies the duties of Policy.
	Target cluster.Allocation
	// Kill lists jobs of Target whose work is given up: their runs are stopped, and they start anew where Target puts
	// them. That is neither a loss nor a failure.
	// Invariant: ordered by id, and each gets another placement.
	Kill []cluster.JobID
	// Refuse lists the jobs that can never run, each with its reason. Each ends as failed.
	Refuse []cluster.Refusal
	// Promise lists intervals that are kept for jobs until these end. Only a simulation keeps promises: see
	// cluster.View.Promises.
	Promise []cluster.Promise
	// Alarms lists all times, in microseconds, at which the policy asks to decide again. They replace its present alarms.
	// Invariant: each is after the view's present; a tick lies on the grid origin + k·period.
	Alarms []cluster.Alarm
	// Why yields one reason per job whose state the decision explains; nil: none. It is computed only when it is
	// iterated.
	Why iter.Seq[cluster.Reason]
	// By names the author of the decision if the policy must recognize its own work later. cluster.Adopt stores it.
	By string
	// Weighed is the best plan for running jobs that the policy found, whether or not it is part of the decision;
	// nil: the policy sought none. No published policy seeks one.
	Weighed *cluster.Weighed
	// Fallback is why part of the decision follows a simpler rule than the policy's own; nil: none does. The decision
	// is as valid as any. A live cluster adopts it and reports Fallback; a simulation of the policy ends with an
	// error.
	Fallback error
}
