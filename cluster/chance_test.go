package cluster

import (
	"testing"

	"pgregory.net/rapid"
)

// The indexes are compared with sums over all promises and offers, after each of many random actions.
func TestRoomAndPricesAreThoseOfAllPromisesAndOffersTogether(t *testing.T) {
	sums := 0
	enough := func() bool { return sums >= 1000 }
	heardOf(t, func(w *world) map[string]func(*rapid.T) {
		some := w.promising()
		some["begin"] = func(t *rapid.T) { w.T = t; w.begin() }
		some[""] = func(t *rapid.T) { w.T = t; sums += w.checkBookings(0) + w.checkBookings(w.someJob()) }
		return some
	}, enough, JobPromised, OfferMade, TaskStarted)
	if !enough() {
		t.Errorf("only %d nodes of a start had promises", sums)
	}
}

// begin adopts what a policy proposes and lets the nodes report their VMs, first as made, then as running.
func (w *world) begin() {
	w.adopt()
	for range 2 {
		for n := range w.s.Nodes() {
			w.obeyOn(n.ID)
		}
	}
}

// checkBookings compares what a job finds booked for some starts, beside all jobs but one, with plain sums, and returns
// how many were not empty.
func (w *world) checkBookings(but JobID) (sums int) {
	spec := specimen()
	spec.Owner, spec.Need, spec.Tasks, spec.Placement.Spread = "ann", 700, 4, w.s.Revision%2 == 0
	lasts, b := 40*Second, w.s.bookedBut(but).beside(spec)
	starts := b.begins(spec, w.s.Now+b.lead(spec), 20)
	for i, room := range b.chances(spec, starts, lasts) {
		from, until, all := starts[i]-b.lead(spec), starts[i]+lasts, 0
		for n := range w.s.Nodes() {
			taken := peak(w.s.plain(spec, n.ID, but), from, until)
			c, left := n.Capacity(), b.left(n, from, until)
			if left != (Offer{c.CPU - taken.CPU, c.Memory - taken.Memory}) {
				w.Fatalf("%+v of node %d is left from %d to %d, and %+v is taken", left, n.ID, from, until, taken)
			}
			if taken.CPU > 0 {
				sums++
			}
			all += b.slotsIf(func(n *Node) bool { return b.mayTake(n, spec) }, n, spec, from, until)
		}
		if room != all {
			w.Fatalf("%d tasks find room at start %d, and %d do on each node by itself", room, starts[i], all)
		}
		spec.Reserve = &Reservation{starts[i], lasts}
		if have, want := b.price(spec), w.s.plainPrice(spec, but); have != want {
			w.Fatalf("the price at %d is %d, and the sums give %d", starts[i], have, want)
		}
	}
	return sums
}

// plain lists what promises to all jobs but one, and offers to others than the owner of the spec, take of a node, or of
// all: 0.
func (s *State) plain(spec *Spec, on NodeID, but JobID) (list []booking) {
	tasks := func(p *Promise) int {
		if on == 0 {
			return p.live()
		}
		return count(p.Nodes, on)
	}
	for p := range s.promises.all() {
		if p.Job == but {
			continue
		}
		of := s.Job(p.Job).Spec
		for part := range p.at(s.Job(p.Job), s.Now).each() {
			list = append(list, booking{part.Due(), part.Until, of.Need, s.Charge(of)}.times(tasks(part)))
		}
	}
	answers := map[OfferID][]booking{}
	for o := range s.Offers() {
		if !o.of(spec) {
			for part := range o.Promise.each() {
				answers[o.First] = append(answers[o.First], o.booking(s, part).times(tasks(part)))
			}
		}
	}
	for _, answer := range answers {
		list = append(list, most(answer)...)
	}
	return list
}

// plainPrice returns the price by the sum of all promises and offers.
func (s *State) plainPrice(spec *Spec, but JobID) Price {
	r := spec.Reserve
	work := product(int64(spec.Need)*int64(spec.Tasks), int64(r.Lasts))
	planned, whole := work, CPU(0)
	for _, k := range s.plain(spec, 0, but) {
		if length := min(k.until, r.end()) - max(k.from, r.Start); length > 0 {
			planned = planned.plus(product(int64(k.cpu), int64(length)))
		}
	}
	for n := range s.Nodes() {
		if n.Health != Down {
			whole += n.Capacity().CPU
		}
	}
	return cost(work, utilization(planned, whole, r.Lasts))
}
