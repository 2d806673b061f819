package scheduler

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
)

// Hypothesis is the assumption of a preview besides the present state. At most one of Drain, Submit, Stand and Policy
// is set.
type Hypothesis struct {
	Drain  cluster.NodeID        // node to drain; 0: none
	Force  bool                  // the drain may break promises. A preview shows what it would break in any case
	Submit *cluster.Spec         // job to submit; nil: none
	Stand  *cluster.Stand        // standing reservation to make; nil: none
	Policy *cluster.PolicyChoice // policy to decide with; nil: the one in force
	Tick   bool                  // the periodic tick is due, whatever else is pending
}

// Wish returns the command that would make the hypothesis true, or nil if no command does.
func (h Hypothesis) Wish() cluster.Action {
	switch {
	case h.Drain != 0 && h.Force:
		return cluster.SetNode{Node: h.Drain, Want: cluster.ForceDrain}
	case h.Drain != 0:
		return cluster.SetNode{Node: h.Drain, Want: cluster.Drain}
	case h.Submit != nil:
		return cluster.Submit{Spec: h.Submit}
	case h.Stand != nil:
		return *h.Stand
	case h.Policy != nil:
		return cluster.SetPolicy{Name: h.Policy.Name, Period: h.Policy.Period}
	}
	return nil
}

// String returns a text that only equal hypotheses share, forced or not.
func (h Hypothesis) String() string {
	return fmt.Sprintf("%d %+v %v %+v %v", h.Drain, h.Submit, h.Stand, h.Policy, h.Tick)
}

// Preview is the next decision and its consequences, computed on a copy of the state.
type Preview struct {
	Basis   uint64            // revision of the state that the decision was made on
	Before  *cluster.Snapshot // that state
	After   *cluster.Snapshot // that state after the hypothesis and the decision
	Job     cluster.JobID     // id of Hypothesis.Submit in After; 0: none
	Adopt   cluster.Adopt     // the decision, with its refusals and reasons
	Later   []cluster.Refusal // of jobs of After that Hypothesis.Policy would refuse when their turn comes
	Weighed *cluster.Weighed  // the best plan for running jobs that the policy found; nil: it sought none
	Plan    migrate.Plan      // moves from the actual allocation to the target of After; no steps: no beneficial move
	// upper bound on the least yield that any placement gives the jobs placed in After; nil: not computed, or no job is
	// placed
	Bound *float64
}

// Foresee decides on a copy of the state after applying the hypothesis. If the hypothesis needs no command and
// nothing is pending, it decides on the periodic tick. If the state refuses the hypothesis, the error is a
// *cluster.Rejection.
func Foresee(from *cluster.Snapshot, h Hypothesis, parse func(cluster.PolicyChoice) (policy.Policy, error)) (Preview,
	error) {
	out, draft := Preview{Basis: from.Revision, Before: from}, from.Clone()
	apply := func(epoch uint64, a cluster.Action) (cluster.Result, error) {
		r := draft.Apply(draft.Revision+1, cluster.Command{
			At: from.At, TimeSet: draft.TimeSet, Actor: previewer, Epoch: epoch, Action: a,
		})
		if r.Rejection != nil {
			return r, r.Rejection
		}
		return r, nil
	}
	h.Force = true
	if wish := h.Wish(); wish != nil {
		r, err := apply(0, cluster.Within(wish, draft.Format))
		if err != nil {
			return Preview{}, err
		}
		if h.Submit != nil {
			out.Job = r.Job
		}
	} else if h.Tick || from.View().Pending().Empty() {
		draft.Agenda = draft.Agenda.With(cluster.Alarm{At: from.At, Kind: cluster.AlarmTick})
	}
	p, err := parse(draft.Policy)
	if err != nil {
		return Preview{}, err
	}
	view := draft.View(from.At)
	decision := p.Decide(view)
	out.Adopt, out.Weighed = Adoption(view, view.Pending(), decision), decision.Weighed
	if _, err := apply(draft.Epoch, out.Adopt); err != nil {
		return Preview{}, err
	}
	out.After = draft.Snapshot(from.At)
	if h.Policy != nil {
		out.Later = policy.Refusals(p, out.After.View(), notYet(out.After))
	}
	out.Plan = migrate.Build(out.After.View())
	return out, nil
}

// notYet lists the jobs that cannot be placed yet and have never run: those that are held or wait for other jobs.
func notYet(v *cluster.Snapshot) (jobs []*cluster.Job) {
	for j := range v.Jobs() {
		if j.Started == 0 && j.Ending == nil && !j.Schedulable() && v.PromiseTo(j.ID) == nil {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// previewer is the actor of the commands on a copy of the state.
var previewer = cluster.Actor{Name: "system", Owner: "system", Project: "system", Role: cluster.System}
