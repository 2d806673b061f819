package market

import "slices"

// Market is a site that quotes prices and takes reservations.
type Market struct {
	discipline Discipline
	queue      []Job
	leases     []Lease  // running tasks and reservations
	free       *Profile // that leases leave
	plan       *Profile // that the queue leaves, too
	starts     []Time   // of the queue
	orderly    bool     // the discipline is Conservative: no job is delayed by a slot that its schedule leaves free
}

// Open returns the market of a site under conservative backfilling.
func Open(s *Site) *Market {
	m := OpenUnder(s, Conservative)
	m.orderly = true
	return m
}

// OpenUnder returns the market of a site whose queue has any discipline.
func OpenUnder(s *Site, d Discipline) *Market {
	m := &Market{discipline: d, queue: s.Queue, free: s.base()}
	m.leases = append(slices.Clone(s.Running), s.Reservations...)
	m.schedule()
	return m
}

// schedule plans the queue around the leases.
func (m *Market) schedule() {
	m.plan = m.free.copy()
	m.starts = m.discipline(m.plan, m.queue)
}

// Advertise returns the holes that running tasks, reservations and the queue leave, as slots of a site.
func (m *Market) Advertise(site int) []Slot { return m.plan.Advertise(site) }

// Starts returns the planned starts of the queue.
func (m *Market) Starts() []Time { return m.starts }

// copy returns an independent market.
func (m *Market) copy() *Market {
	c := *m
	c.leases, c.free, c.plan = slices.Clone(m.leases), m.free.copy(), m.plan.copy()
	return &c
}

// Quote returns the fixed price of a slot (figure 22 of the thesis): the delay that it causes to the queue, by
// processors. Earlier starts of others are not credited. It reports false if running tasks or reservations are in the
// way.
func (m *Market) Quote(start, d Time, procs int) (Price, bool) {
	if !m.free.fits(start, d, procs) {
		return 0, false
	}
	if d == 0 || m.orderly && m.plan.fits(start, d, procs) {
		return 0, true
	}
	var price Price
	for i, with := range m.displaced(start, d, procs) {
		price += Price(max(0, with-m.starts[i])) * Price(m.queue[i].Procs)
	}
	return price, true
}

// displaced returns the starts of the queue with a slot.
func (m *Market) displaced(start, d Time, procs int) []Time {
	with := m.free.copy()
	with.Take(start, start+d, procs)
	return m.discipline(with, m.queue)
}

// Reserve takes a slot, which must be admissible.
func (m *Market) Reserve(start, d Time, procs int) {
	if d == 0 {
		return
	}
	within := m.orderly && m.plan.fits(start, d, procs)
	m.leases = append(m.leases, Lease{procs, start, start + d})
	if m.free.Take(start, start+d, procs); within {
		m.plan.Take(start, start+d, procs)
		return
	}
	m.schedule()
}

// Quotation is a start with its fixed price.
type Quotation struct {
	Start Time
	Price Price
}

// Query returns the quotations from a time on (queries 18 and 19): at that time, and at every start and end of a
// running task, a reservation or a job of the queue. Inadmissible starts are left out. The last price is 0.
func (m *Market) Query(from, d Time, procs int) (list []Quotation) {
	for _, start := range m.instants(from) {
		if price, open := m.Quote(start, d, procs); open {
			list = append(list, Quotation{start, price})
		}
	}
	return list
}

// instants returns the starts that a query considers, rising.
func (m *Market) instants(from Time) []Time {
	all := []Time{from}
	add := func(at Time) {
		if at > from {
			all = append(all, at)
		}
	}
	for _, l := range m.leases {
		add(l.Start)
		add(l.End)
	}
	for i, start := range m.starts {
		add(start)
		add(start + m.queue[i].Run)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Pick chooses a quotation (choice 20): 0 asks for the earliest start, 1 for the earliest of price 0. Of equal ones it
// takes the earlier.
func Pick(list []Quotation, alpha Fraction) Quotation {
	at := func(i int) offer { return offer{list[i].Price, list[i].Start} }
	c := newChoice(alpha, len(list), at)
	best, least := 0, c.score(at(0))
	for i := 1; i < len(list); i++ {
		if s := c.score(at(i)); s.Cmp(least) < 0 {
			best, least = i, s
		}
	}
	return list[best]
}
