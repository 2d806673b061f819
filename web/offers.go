package web

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// OfferCommand is a request to answer an offer.
type OfferCommand struct {
	Keyed
	Offer string `path:"offer" maxLength:"32" doc:"Its id" example:"o17"`
}

func (s *server) registerOffers(to huma.API) {
	register(s, to, operation("list-offers", "GET", "/v1/offers", cluster.Viewer, "List offers",
		"What can be promised instead of what was refused, while it is held."), s.listOffers)
	accept := operation("accept-offer", "POST", "/v1/offers/{offer}/accept", cluster.User, "Accept an offer",
		"Submits its job, which is promised what was held. The other offers of the same answer are given back.")
	accept.DefaultStatus = http.StatusCreated
	register(s, to, accept, s.acceptOffer)
	register(s, to, operation("decline-offer", "DELETE", "/v1/offers/{offer}", cluster.User, "Decline an offer",
		"Gives it back. The other offers of the same answer stay."), s.declineOffer)
}

func (s *server) listOffers(ctx context.Context, _ *struct{}) (*body[api.OfferList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	r, list := s.reader(ctx, v), api.OfferList{Offers: []api.Offer{}}
	for o := range v.Offers() {
		list.Offers = append(list.Offers, r.offer(o))
	}
	return answer(list), nil
}

func (r reader) offer(o *cluster.JobOffer) api.Offer {
	p, spec := &o.Promise, o.Spec
	out := api.Offer{Offer: o.ID.String(), Answer: o.First.String(), Name: spec.Name, Owner: spec.Owner,
		Project: spec.Project, Tasks: spec.Tasks, CPUMillicores: int64(spec.Need), MemoryBytes: int64(r.view.Charge(spec)),
		From: clock(p.From), Until: clock(p.Until), Nodes: []string{}, Expires: clock(o.Expires),
		PriceCoreHours: p.Price.CoreHours()}
	if spec.Deadline != nil {
		out.Deadline = clockOrNil(spec.Deadline.By)
	}
	for _, n := range p.Nodes {
		out.Nodes = append(out.Nodes, r.node(n))
	}
	if len(p.Later) > 0 {
		out.Parts = r.parts(p.Parts())
	}
	return out
}

func (s *server) acceptOffer(ctx context.Context, in *OfferCommand) (*submitOutput, error) {
	accept := func(id cluster.OfferID) cluster.Action { return cluster.AcceptOffer{Offer: id} }
	result, err := s.answerOffer(ctx, in, accept)
	if err != nil {
		return nil, err
	}
	out := accepted(result).Body
	return &submitOutput{"/v1/jobs/" + out.Job, out}, nil
}

func (s *server) declineOffer(ctx context.Context, in *OfferCommand) (*body[api.Accepted], error) {
	decline := func(id cluster.OfferID) cluster.Action { return cluster.DeclineOffer{Offer: id} }
	result, err := s.answerOffer(ctx, in, decline)
	if err != nil {
		return nil, err
	}
	return accepted(result), nil
}

func (s *server) answerOffer(ctx context.Context, in *OfferCommand,
	action func(cluster.OfferID) cluster.Action) (cluster.Result, error) {
	id, err := cluster.ParseOfferID(in.Offer)
	if err != nil {
		return cluster.Result{}, newProblem(string(cluster.CodeNotFound), "offer", "is no id of an offer, like o17")
	}
	return s.do(ctx, in.Key, action(id))
}

// hold reads for how long alternatives to the job are to be held; zero: they are not, or the job asks for no promise.
func (s *server) hold(text string, spec *cluster.Spec) (cluster.Time, error) {
	if text == "0" {
		return 0, nil
	}
	hold, err := duration("hold", text)
	if err != nil {
		return 0, err
	}
	if hold > cluster.MaxHold {
		return 0, newProblem(string(cluster.CodeInvalid), "hold", "must be from 0 s to %s", cluster.MaxHold.Words())
	}
	if spec.Reserve == nil && spec.Deadline == nil || !s.manager.Latest().HoldsOffers() {
		return 0, nil
	}
	return hold, nil
}

// offeredBefore returns the problem of a repeated submission that was answered with offers.
func (s *server) offeredBefore(ctx context.Context, request string, spec *cluster.Spec) error {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return err
	}
	p := newProblem(string(cluster.CodeNoPromise), "", "this was refused before, with other promises instead")
	for o := range v.Offers() {
		if o.Request != request {
			continue
		}
		asked := *spec
		asked.Tasks, asked.Reserve, asked.Deadline = o.Spec.Tasks, o.Spec.Reserve, o.Spec.Deadline
		if specText(&asked) != specText(o.Spec) || !couldAnswer(o.Spec, spec) {
			return newProblem(codeKeyReused, "Idempotency-Key", "this key was used for a different job")
		}
		p.Alternatives = slices.Concat(p.Alternatives, alternativesJSON([]cluster.Alternative{o.Alternative()}))
	}
	if p.Alternatives == nil {
		return newProblem(string(cluster.CodeConflict), "Idempotency-Key",
			"this was refused before, and none of the offers that answered it is held any more: use a new key to ask again")
	}
	p.Help = promiseHelp(p, "", false)
	return p
}

// couldAnswer reports whether the specification could be offered instead of what is asked for: never more of it, never
// earlier, never another kind of promise. Parts may be offered instead of a stretch.
func couldAnswer(offered, asked *cluster.Spec) bool {
	if offered.Tasks > asked.Tasks || (offered.Deadline == nil) != (asked.Deadline == nil) {
		return false
	}
	if offered.Deadline != nil {
		was := *offered.Deadline
		was.By, was.Pausable = asked.Deadline.By, asked.Deadline.Pausable
		return was == *asked.Deadline && asked.Deadline.By <= offered.Deadline.By
	}
	r := asked.Reserve
	return r != nil && r.Start <= offered.Reserve.Start && offered.Reserve.Lasts <= r.Lasts
}
