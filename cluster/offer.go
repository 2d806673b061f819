package cluster

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// OfferID numbers offers to jobs in the order in which they were made, from 1; it prints as o17.
type OfferID uint64

func (id OfferID) String() string { return "o" + strconv.FormatUint(uint64(id), 10) }

// ParseOfferID parses the output of OfferID.String.
func ParseOfferID(s string) (OfferID, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "o"), 10, 64)
	if err != nil || n == 0 || !strings.HasPrefix(s, "o") {
		return 0, fmt.Errorf("%q is not an offer id, expected one like o17", s)
	}
	return OfferID(n), nil
}

// JobOffer is a promise that a job can have instead of the one that was refused. Its room is held until it expires. A
// JobOffer is immutable.
type JobOffer struct {
	ID      OfferID
	First   OfferID // of the offers that answer the same submission: at most one of them is accepted
	Spec    *Spec   // of the job that accepting it submits
	Promise Promise // to that job. Invariant: Job is 0, and there is a node for each task
	Expires Time    // in microseconds. Invariant: not after Promise.Due
	Request string  // name of the submission that it answers
}

// Limits on offers.
const (
	MaxHold      = 10 * Minute
	leastHold    = 5 * Second
	maxOffers    = 300     // of all projects together
	maxOffersOf  = 9       // of a project
	maxOfferText = 8 * MiB // of their specifications together
)

// HoldsOffers reports whether submissions may ask for offers.
func (s *State) HoldsOffers() bool { return s.Format >= offers }

// Offers yields the offers that can be accepted, by id.
func (s *State) Offers() iter.Seq[*JobOffer] { return s.offersAt(s.Now) }

// Offers yields the offers that can be accepted at the time of the Snapshot, by id.
func (s *Snapshot) Offers() iter.Seq[*JobOffer] { return s.offersAt(s.At) }

func (s *State) offersAt(now Time) iter.Seq[*JobOffer] {
	return func(yield func(*JobOffer) bool) {
		for o := range s.offers.all() {
			if now < o.Expires && !yield(o) {
				return
			}
		}
	}
}

// Alternative returns what the offer holds.
func (o *JobOffer) Alternative() Alternative {
	a := Alternative{Reservation: Reservation{o.Promise.From, o.Promise.Until - o.Promise.From}, Tasks: o.Spec.Tasks,
		Offer: o.ID, Expires: o.Expires, Price: o.Promise.Price}
	if o.Spec.Deadline != nil {
		a.By = o.Spec.Deadline.By
	}
	if len(o.Promise.Later) > 0 {
		a.Parts = o.Promise.Parts()
	}
	return a
}

// of reports whether the offer is to the owner, in the project, of the spec.
func (o *JobOffer) of(spec *Spec) bool {
	return o.Spec.Owner == spec.Owner && o.Spec.Project == spec.Project
}

// expiry returns the alarm of the offer.
func (o *JobOffer) expiry() Alarm { return Alarm{At: o.Expires, Kind: AlarmOffer} }

// expired returns the alarm of the first offer that has expired but is still there; false: there is none.
func (s *State) expired(now Time) (first Alarm, any bool) {
	for o := range s.offers.all() {
		if o.Expires <= now && (!any || o.expiry().less(first)) {
			first, any = o.expiry(), true
		}
	}
	return first, any
}

// expiryAfter returns the time at which the next offer expires; 0: there is none.
func (s *State) expiryAfter(now Time) (at Time) {
	for o := range s.offersAt(now) {
		at = earliest(at, o.Expires)
	}
	return at
}

// addAnswer counts the offers to one submission: at each moment the most that one of them takes. A sign of -1 takes
// back what was counted.
func (b bookings) addAnswer(answer []*JobOffer, sign int) {
	if len(answer) == 0 {
		return
	}
	by := map[NodeID][]booking{}
	for _, o := range answer {
		for part := range o.Promise.each() {
			each := o.booking(b.State, part)
			for n, tasks := range part.tasks() {
				by[n] = joined(by[n], each.times(tasks))
			}
		}
	}
	for n, list := range by {
		b.by[n] = append(b.by[n], times(most(list), sign)...)
	}
	spec, together := answer[0].Spec, times(b.together(answer), sign)
	b.of[spec.Owner] = append(b.owned(spec.Owner), together...)
	b.held[spec.Project] = append(b.offered(spec.Project), together...)
	b.share(spec.Project, together...)
}

// booking returns what one task of the offer takes over a part of its promise.
func (o *JobOffer) booking(s *State, part *Promise) booking {
	return booking{part.Due(), part.Until, o.Spec.Need, s.Charge(o.Spec)}
}

func (k booking) times(n int) booking {
	k.cpu, k.memory = k.cpu*CPU(n), k.memory*Bytes(n)
	return k
}

// times returns each of the bookings n times. The list is reused.
func times(list []booking, n int) []booking {
	for i, k := range list {
		list[i] = k.times(n)
	}
	return list
}

// offer holds what could be promised instead of a refused submission. It returns the rejection if nothing can be held.
func (t *transaction) offer(a Submit, r *Rejection) Result {
	out, first := *r, max(1, t.NextOffer)
	out.Alternatives = slices.Clone(r.Alternatives)
	var made []*JobOffer
	for i := range out.Alternatives {
		alternative := &out.Alternatives[i]
		if o := t.holdable(alternative.spec(a.Spec), a.Hold, len(made)); o != nil {
			o.ID, o.First, o.Request = first+OfferID(len(made)), first, t.command.Request
			*alternative = o.Alternative()
			made = append(made, o)
		}
	}
	if made == nil {
		return Result{Rejection: r}
	}
	t.NextOffer = first + OfferID(len(made))
	for _, o := range made {
		t.putOffer(o)
		t.tell(OfferMade, o)
	}
	return Result{Offered: &out}
}

// spec returns the specification of the alternative to a job.
func (a *Alternative) spec(asked *Spec) *Spec {
	spec := *asked
	spec.Tasks = a.Tasks
	if spec.Deadline != nil {
		d := *spec.Deadline
		d.By, d.Pausable, spec.Deadline = a.By, d.Pausable || a.Parts != nil, &d
	} else {
		r := a.Reservation
		spec.Reserve = &r
	}
	return &spec
}

// holdable returns an offer of the spec that can be held beside others of the same answer; nil: none can.
func (t *transaction) holdable(spec *Spec, hold Time, others int) *JobOffer {
	if !t.mayOffer(spec, others) {
		return nil
	}
	spec = t.adapted(spec)
	p, r := (Submit{Spec: spec}).admit(t.State)
	if r != nil {
		return nil
	}
	o := &JobOffer{Spec: spec, Promise: *p, Expires: min(t.Now+hold, p.Due())}
	if o.Expires < t.Now+leastHold || !t.mayHold(o) {
		return nil
	}
	return o
}

// mayOffer reports whether the limits allow another offer to the project beside those of the same answer.
func (t *transaction) mayOffer(spec *Spec, others int) bool {
	all, own, text := others, others, (others+1)*spec.size()
	for o := range t.Offers() {
		all, text = all+1, text+o.Spec.size()
		if o.Spec.Project == spec.Project {
			own++
		}
	}
	return all < maxOffers && own < maxOffersOf && Bytes(text) <= maxOfferText
}

// mayHold reports whether there may be the offer beside those to others.
func (t *transaction) mayHold(o *JobOffer) bool {
	return newBookings(t.State).beside(o.Spec).mayHold(o)
}

// mayHold reports whether what is offered to the project then takes at most half of the nodes at each moment.
func (b bookings) mayHold(o *JobOffer) bool {
	half := b.half()
	for part := range o.Promise.each() {
		all := o.booking(b.State, part).times(o.Spec.Tasks)
		has := peak(b.offered(o.Spec.Project), all.from, all.until)
		if has.CPU+all.cpu > half.CPU || has.Memory+all.memory > half.Memory {
			return false
		}
	}
	return true
}

// tell emits an event about an offer.
func (t *transaction) tell(kind EventKind, o *JobOffer) {
	t.emit(Event{Kind: kind, Task: -1, Cause: o.cause()})
}

// cause returns what an event says about the offer.
func (o *JobOffer) cause() Cause {
	by := o.Alternative().By
	why := Because(WhyOffer, int64(o.ID), int64(o.Spec.Tasks), int64(o.Promise.From), int64(o.Promise.Until), int64(by))
	return Cause{why.Why, o.Spec.Name}
}

// expireOffers removes the offers whose time is over.
func (t *transaction) expireOffers() {
	for o := range t.offers.clone().all() {
		if o.Expires <= t.Now {
			t.dropOffer(o.ID)
			t.tell(OfferExpired, o)
		}
	}
}

// reviewOffers moves offers to other nodes, or withdraws them, where promises or nodes have changed: as few as it can.
func (t *transaction) reviewOffers() {
	if t.offers.Len() == 0 || !t.altered() && !t.rebooked() && !t.offersAgain() && !t.requoted() {
		return
	}
	b := t.promisedBookings().once()
	answers := t.ranked()
	kept := make([][]*JobOffer, len(answers))
	for i, answer := range answers {
		kept[i] = b.staying(answer)
		b.addAnswer(kept[i], 1)
	}
	for i, answer := range answers {
		if len(kept[i]) < len(answer) {
			b.addAnswer(kept[i], -1)
			b.addAnswer(t.reviewAnswer(b, answer), 1)
		}
	}
}

// requoted reports whether the command sets a quota, on which offers depend.
func (t *transaction) requoted() bool {
	_, sets := t.command.Action.(SetQuota)
	return sets && t.Format >= limits
}

// ranked returns the offers that can be accepted, by submission: those that this command made, then the earlier ones,
// at last those of an owner that this command promised or offered something, which give way to it.
func (t *transaction) ranked() [][]*JobOffer {
	gains := map[[2]string]bool{}
	for _, p := range t.promises.since(t.origin.promises) {
		if p.now != nil {
			spec := t.Job(p.now.Job).Spec
			gains[[2]string{spec.Owner, spec.Project}] = true
		}
	}
	var answers [][]*JobOffer
	for a := range t.answersNow() {
		answers = append(answers, a.offers)
	}
	made := func(a []*JobOffer) bool { return a[0].First >= t.origin.NextOffer }
	for _, a := range answers {
		if made(a) {
			gains[[2]string{a[0].Spec.Owner, a[0].Spec.Project}] = true
		}
	}
	rank := func(a []*JobOffer) int {
		switch {
		case made(a):
			return 0
		case gains[[2]string{a[0].Spec.Owner, a[0].Spec.Project}]:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(answers, func(x, y []*JobOffer) int { return cmp.Compare(rank(x), rank(y)) })
	return answers
}

// staying returns those of the offers to one submission that can stay on their nodes beside what is booked.
func (b bookings) staying(answer []*JobOffer) (kept []*JobOffer) {
	for _, o := range answer {
		may := func(part *Promise, n *Node) bool { return slices.Contains(part.Nodes, n.ID) && b.takes(n, o.Spec, nil) }
		if next := b.has(o, may); next != nil && next.sameNodes(&o.Promise) {
			kept = append(kept, o)
		}
	}
	return kept
}

// has returns the promise of the offer on nodes that may be used for its parts, its own as far as possible; nil: there
// are none, or its owner or project may not be offered as much.
func (b bookings) has(o *JobOffer, may func(*Promise, *Node) bool) *Promise {
	if !b.mayHold(o) {
		return nil
	}
	return o.Promise.seated(func(part *Promise) []NodeID {
		from, until := max(b.Now, part.Due()), part.Until
		if b.fair(o.Spec, from, until) < o.Spec.Tasks {
			return nil
		}
		open := func(n *Node) bool { return may(part, n) }
		nodes, _ := b.find(o.Spec, o.Spec.Tasks, part.Nodes, open, from, until)
		return nodes
	})
}

// reviewAnswer returns those of the offers to one submission that have room beside what is booked.
func (t *transaction) reviewAnswer(b bookings, answer []*JobOffer) (kept []*JobOffer) {
	for _, o := range answer {
		next := b.has(o, func(_ *Promise, n *Node) bool { return t.takes(n, o.Spec, nil) })
		if next == nil {
			t.dropOffer(o.ID)
			t.tell(OfferWithdrawn, o)
			continue
		}
		if !next.sameNodes(&o.Promise) {
			moved := *o
			moved.Promise = *next
			o = &moved
			t.putOffer(o)
		}
		kept = append(kept, o)
	}
	return kept
}

// offersAgain reports whether this command offers something to an owner who had offers.
func (t *transaction) offersAgain() bool {
	for id := max(1, t.origin.NextOffer); id < t.NextOffer; id++ {
		if o := t.offers.get(id); o != nil && t.hasOffers(o.Spec.Owner) {
			return true
		}
	}
	return false
}

// hasOffers reports whether there were offers to an owner before the command.
func (t *transaction) hasOffers(owner string) bool {
	for answer := range t.answersNow() {
		if o := answer.offers[0]; o.Spec.Owner == owner && o.ID < max(1, t.origin.NextOffer) {
			return true
		}
	}
	return false
}

// rebooked reports whether a promise takes more, or something else, than before the command, so that offers may lack
// it: those to its owner, or those on its nodes where they do not fit beside it.
func (t *transaction) rebooked() bool {
	b := t.promisedBookings()
	b.to = &Spec{Owner: "*"} // the offers of all owners count
	for _, p := range t.promises.since(t.origin.promises) {
		if p.now != nil && (p.old == nil || p.now.outgrows(p.old, t.origin.PromiseTo(p.now.Job).From)) &&
			(t.hasOffers(t.Job(p.now.Job).Spec.Owner) || b.crowds(p.now)) {
			return true
		}
	}
	return false
}

// outgrows reports whether the promise takes more, or something else, than an earlier one, which began at a time.
func (p *Promise) outgrows(old *Promise, from Time) bool {
	return p.From < from || p.Until > old.Until || !slices.Equal(p.Nodes, old.Nodes) ||
		!slices.EqualFunc(p.Later, old.Later, Part.equal)
}

// crowds reports whether a node of the promise is booked beyond what it has during the promise, and has offers.
func (b bookings) crowds(p *Promise) bool {
	for part := range p.each() {
		for id := range part.tasks() {
			if on := b.shelves.get(id); on != nil && len(on.offers) > 0 {
				if left := b.left(b.Node(id), part.Due(), part.Until); left.CPU < 0 || left.Memory < 0 {
					return true
				}
			}
		}
	}
	return false
}
