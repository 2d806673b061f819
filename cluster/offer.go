package cluster

import (
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

// answers yields the offers that can be accepted, those to one submission together.
func (s *State) answers() iter.Seq[[]*JobOffer] {
	return func(yield func([]*JobOffer) bool) {
		var answer []*JobOffer
		for o := range s.Offers() {
			if len(answer) > 0 && answer[0].First != o.First {
				if !yield(answer) {
					return
				}
				answer = nil
			}
			answer = append(answer, o)
		}
		if len(answer) > 0 {
			yield(answer)
		}
	}
}

// Alternative returns what the offer holds.
func (o *JobOffer) Alternative() Alternative {
	a := Alternative{Reservation: Reservation{o.Promise.From, o.Promise.Until - o.Promise.From}, Tasks: o.Spec.Tasks,
		Offer: o.ID, Expires: o.Expires}
	if o.Spec.Deadline != nil {
		a.By = o.Spec.Deadline.By
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

// addOffers counts what is offered to others than the owner of the spec. An owner's own offers give way to what it
// submits.
func (b bookings) addOffers(spec *Spec) {
	for answer := range b.answers() {
		if !answer[0].of(spec) {
			b.addAnswer(answer)
		}
	}
}

// addAnswer counts the offers to one submission: at each moment the most that one of them takes.
func (b bookings) addAnswer(answer []*JobOffer) {
	by, all := map[NodeID][]booking{}, []booking(nil)
	for _, o := range answer {
		each := o.booking(b.State)
		for _, n := range o.Promise.Nodes {
			by[n] = joined(by[n], each)
		}
		all = append(all, each.times(len(o.Promise.Nodes)))
	}
	for n, list := range by {
		b.by[n] = append(b.by[n], most(list)...)
	}
	spec := answer[0].Spec
	b.of[spec.Owner] = append(b.of[spec.Owner], most(all)...)
	b.held[spec.Project] = append(b.held[spec.Project], most(all)...)
}

// booking returns what one task of the offer takes.
func (o *JobOffer) booking(s *State) booking {
	return booking{o.Promise.Due(), o.Promise.Until, o.Spec.Need, s.Charge(o.Spec)}
}

func (k booking) times(n int) booking {
	k.cpu, k.memory = k.cpu*CPU(n), k.memory*Bytes(n)
	return k
}

// most returns the most CPU and the most memory that one of the bookings takes at each moment.
func most(list []booking) (out []booking) {
	var times []Time
	for _, k := range list {
		times = append(times, k.from, k.until)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	for i := range times[1:] {
		part := booking{from: times[i], until: times[i+1]}
		for _, k := range list {
			if k.from <= part.from && part.until <= k.until {
				part.cpu, part.memory = max(part.cpu, k.cpu), max(part.memory, k.memory)
			}
		}
		if part.cpu > 0 {
			out = append(out, part)
		}
	}
	return out
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
			alternative.Offer, alternative.Expires = o.ID, o.Expires
			made = append(made, o)
		}
	}
	if made == nil {
		return Result{Rejection: r}
	}
	t.NextOffer = first + OfferID(len(made))
	for _, o := range made {
		t.offers.put(o)
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
		d.By, spec.Deadline = a.By, &d
	} else {
		r := a.Reservation
		spec.Reserve = &r
	}
	return &spec
}

// holdable returns an offer of the spec that can be held beside others of the same answer; nil: none can.
func (t *transaction) holdable(spec *Spec, hold Time, others int) *JobOffer {
	if (Submit{Spec: spec}).Refuse(t.State) != nil || !t.mayOffer(spec, others) {
		return nil
	}
	p := t.promiseOf(spec)
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

// mayHold reports whether the offers to the project then take at most half of the nodes at each moment.
func (t *transaction) mayHold(o *JobOffer) bool {
	b := newBookings(t.State)
	b.addOffers(o.Spec)
	all, half := o.booking(t.State).times(o.Spec.Tasks), t.half()
	has := peak(b.held[o.Spec.Project], all.from, all.until)
	return has.CPU+all.cpu <= half.CPU && has.Memory+all.memory <= half.Memory
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
			t.offers.remove(o.ID)
			t.tell(OfferExpired, o)
		}
	}
}

// reviewOffers moves offers to other nodes, or withdraws them, where promises or nodes have changed. Those that this
// command made come first, then the earlier ones.
func (t *transaction) reviewOffers() {
	if t.offers.Len() == 0 || !t.altered() && !t.rebooked() && t.NextOffer == t.origin.NextOffer {
		return
	}
	b := newBookings(t.State)
	for p := range t.standing() {
		b.add(p)
	}
	answers := slices.Collect(t.answers())
	made := slices.IndexFunc(answers, func(answer []*JobOffer) bool { return answer[0].First >= t.origin.NextOffer })
	if made > 0 {
		answers = append(slices.Clone(answers[made:]), answers[:made]...)
	}
	for _, answer := range answers {
		if kept := t.reviewAnswer(b, answer); len(kept) > 0 {
			b.addAnswer(kept)
		}
	}
}

// reviewAnswer returns those of the offers to one submission that have room beside what is booked.
func (t *transaction) reviewAnswer(b bookings, answer []*JobOffer) (kept []*JobOffer) {
	for _, o := range answer {
		may := func(n *Node) bool { return t.takes(n, o.Spec, nil) }
		from, until := max(t.Now, o.Promise.Due()), o.Promise.Until
		nodes, _ := b.find(o.Spec, o.Spec.Tasks, o.Promise.Nodes, may, from, until)
		if nodes == nil || b.fair(o.Spec, from, until) < o.Spec.Tasks {
			t.offers.remove(o.ID)
			t.tell(OfferWithdrawn, o)
			continue
		}
		if !slices.Equal(nodes, o.Promise.Nodes) {
			moved := *o
			moved.Promise.Nodes = nodes
			o = &moved
			t.offers.put(o)
		}
		kept = append(kept, o)
	}
	return kept
}

// rebooked reports whether a promise takes more, or something else, than before the command.
func (t *transaction) rebooked() bool {
	for _, p := range t.promises.since(t.origin.promises) {
		if p.now != nil && (p.old == nil || p.now.From < p.old.From || p.now.Until > p.old.Until ||
			!slices.Equal(p.now.Nodes, p.old.Nodes)) {
			return true
		}
	}
	return false
}
