package cluster

import "cmp"

// Actions that answer an offer.
type (
	// AcceptOffer submits the job of an offer, which is promised what was held for it. The other offers to the same
	// submission are given back. Result.Job is the job's id.
	AcceptOffer struct{ Offer OfferID }
	// DeclineOffer gives an offer back. The other offers to the same submission stay.
	DeclineOffer struct{ Offer OfferID }
)

func (a AcceptOffer) apply(t *transaction) Result {
	o, r := t.offered(a, a.Offer)
	if r = cmp.Or(r, o.refuse(t.State)); r != nil {
		return Result{Rejection: r}
	}
	for id := o.First; id < t.NextOffer && id < o.First+maxAlternatives; id++ {
		if other := t.offers.get(id); other != nil && other.First == o.First {
			t.dropOffer(id)
		}
	}
	j := t.enter(o.Spec, 0)
	t.emitJob(OfferAccepted, j.ID, o.cause())
	t.pledge(j, o.Promise)
	return Result{Job: j.ID}
}

func (a DeclineOffer) apply(t *transaction) Result {
	o, r := t.offered(a, a.Offer)
	if r != nil {
		return Result{Rejection: r}
	}
	t.dropOffer(o.ID)
	t.tell(OfferDeclined, o)
	return Result{}
}

// offered returns the offer if it can be accepted and the actor may answer it.
func (t *transaction) offered(a Action, id OfferID) (*JobOffer, *Rejection) {
	if r := t.Unready(a); r != nil {
		return nil, r
	}
	o, by := t.offers.get(id), t.command.Actor
	switch {
	case id == 0 || id >= t.NextOffer:
		return nil, reject(CodeNotFound, "offer", "there is no offer %v", id).Rejection
	case o == nil:
		return nil, reject(CodeConflict, "offer", "%v is not held any more: it has expired, was declined or withdrawn, or one of "+
			"the same answer was accepted", id).Rejection
	case by.Role < Operator && (by.Owner != o.Spec.Owner || by.Project != o.Spec.Project):
		return nil, reject(CodeForbidden, "", "%v belongs to %s in project %s", id, o.Spec.Owner, o.Spec.Project).Rejection
	}
	return o, nil
}

// refuse returns why the job of the offer is not taken although its room is held, or nil.
func (o *JobOffer) refuse(s *State) *Rejection {
	if o == nil {
		return nil
	}
	return cmp.Or(s.unacceptable(Submit{Spec: o.Spec}), s.crowded(o.Spec, "offer"), s.unmeetable(o.Spec))
}
