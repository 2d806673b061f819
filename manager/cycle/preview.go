package cycle

import (
	"aliquot/cluster"
	"aliquot/policy"
)

// Preview decides on a copy of the view and returns what would be adopted, the view after that, from which
// migrate.Build makes the plan, and what the policy weighed. If nothing is pending, it is as if the periodic tick
// were due. It fails if the state would not take the decision.
func Preview(v *cluster.View, p policy.Policy) (cluster.Adopt, *cluster.View, *cluster.Weighed, error) {
	draft := v.State.Clone()
	if v.Pending().Empty() {
		draft.Occasion.Next = v.At
	}
	before := draft.View(v.At)
	decision := p.Decide(before)
	adopt := Adoption(before, before.Pending(), decision)
	system := cluster.Actor{Name: "preview", Role: cluster.System}
	r := draft.Apply(draft.Revision+1, cluster.Command{At: v.At, Actor: system, Epoch: draft.Epoch, Action: adopt})
	if r.Rejection != nil {
		return adopt, nil, nil, r.Rejection
	}
	return adopt, draft.View(v.At), decision.Weighed, nil
}
