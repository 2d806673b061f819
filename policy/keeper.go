package policy

import (
	"fmt"
	"iter"

	"aliquot/cluster"
)

// Keeper gives the jobs whose promises are in force what they were promised, and lets the policy that it wraps decide
// on all other jobs, which find that much less on the nodes.
type Keeper struct{ Policy }

// String returns the name of the wrapped policy.
func (k Keeper) String() string { return fmt.Sprint(k.Policy) }

// Ticks reports whether the wrapped policy decides periodically.
func (k Keeper) Ticks() bool {
	periodic, ok := k.Policy.(interface{ Ticks() bool })
	return ok && periodic.Ticks()
}

// Refusals are those of the wrapped policy.
func (k Keeper) Refusals(v *cluster.View, jobs []*cluster.Job) []cluster.Refusal {
	return Refusals(k.Policy, v, jobs)
}

// Decide decides as the wrapped policy unless a promise is in force.
func (k Keeper) Decide(v *cluster.View) Decision {
	promises, others := v.Besides()
	d := k.Policy.Decide(others)
	if len(promises) == 0 {
		return d
	}
	d.Target, d.By = d.Target.Clone(), ""
	for _, p := range promises {
		if held := v.Target(p.Job); p.Kept(v.Job(p.Job).Spec, held) {
			d.Target.Set(p.Job, held)
			continue
		}
		given := p.Placement(v.Job(p.Job).Spec)
		d.Target.Set(p.Job, &given)
	}
	d.Why = News(v, Both(d.Why, kept(promises)))
	return d
}

// kept yields the reasons of the promised jobs.
func kept(promises []*cluster.Promise) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		for _, p := range promises {
			if !tell(p.Reason()) {
				return
			}
		}
	}
}
