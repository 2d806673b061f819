package market

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// haggle looks for the front of an instance that answers queries: it places tasks one after another, each at the least
// price that leaves it in time.
type haggle struct {
	*Queried
	dice   *rand.Rand
	ranks  []Time
	order  []int
	opened []*Market
	front  Front
	left   int // plans that may still be made
}

// terms are what a plan is to keep.
type terms struct {
	latest []Time // starts by which tasks are not late
	home   []int  // sites of tasks, or -1; nil: any
	order  []int  // in which tasks choose their places; nil: HEFT order
}

// mostQuotes is the number of dearer starts for which a task asks at a site.
const mostQuotes = 40

func (q *Queried) haggle() *haggle {
	h := &haggle{Queried: q, dice: rand.New(rand.NewPCG(1, 1)), ranks: q.ranks(len(q.Sites)), opened: q.markets()}
	h.order = q.Workflow.order(h.ranks)
	h.left = max(leastPlans, min(max(10_000/len(q.Tasks), 60), 1000, mostSteps/(len(q.Tasks)*q.size())))
	return h
}

// mostSteps bounds the work of a search.
const mostSteps = 1_000_000_000

// size returns the steps of a quotation, about.
func (q *Queried) size() (steps int) {
	for i := range q.Sites {
		steps += q.sizeOf(&q.Sites[i])
	}
	return steps
}

// sizeOf returns the steps of a quotation of one site, about.
func (q *Queried) sizeOf(s *Site) int {
	return 100 + len(s.Queue)*len(s.Queue) + len(s.Running) + len(s.Reservations) + len(q.Tasks)
}

// Sweep returns the front of plans for a row of deadlines. Each task takes the cheapest place from which the deadline
// can be met, so that only tasks that matter pay for an early start.
func (q *Queried) Sweep() Front {
	h := q.haggle()
	h.sweep()
	return h.front
}

func (h *haggle) sweep() {
	slow, fits := h.try(terms{latest: slices.Repeat([]Time{Ever}, len(h.Tasks))})
	if !fits {
		return
	}
	fast, _ := h.try(terms{latest: make([]Time, len(h.Tasks))})
	number := min(2*steps, h.left/3)
	for i := range Time(number) {
		span := max(0, slow.Makespan-fast.Makespan)
		h.try(terms{latest: h.tails(fast.Makespan + span*i/Time(number))})
	}
	for r := range h.Sites {
		if len(h.Sites) > 1 && h.left > steps {
			home := slices.Repeat([]int{r}, len(h.Tasks))
			for i := range Time(steps / 4) {
				deadline := fast.Makespan + (slow.Makespan-fast.Makespan)*i/(steps/4)
				h.try(terms{latest: h.tails(deadline), home: home})
			}
		}
	}
}

// tails returns the latest starts from which a deadline could be met if nothing else were in the way.
func (h *haggle) tails(deadline Time) []Time {
	latest := make([]Time, len(h.Tasks))
	for i, rank := range h.ranks {
		latest[i] = deadline - rank
	}
	return latest
}

// Best returns the front of greedy provisioning, of a sweep, of small changes of the plans on the front, and for a few
// tasks of a search of all plans in HEFT order. It reports whether that was complete: then no plan is better that has
// the tasks in HEFT order at starts that queries name. One that lets them choose in another order may be.
func (q *Queried) Best() (Front, bool) {
	h := q.haggle()
	h.sweep()
	if len(h.front) > 0 && h.left > len(Alphas) && q.GreedySteps() <= 2*mostSteps {
		for _, p := range q.GreedyFront() {
			h.front.Add(p)
		}
	}
	for h.left > 0 && len(h.front) > 0 {
		h.try(h.changed(h.front[h.dice.IntN(len(h.front))]))
	}
	complete := len(h.front) > 0 && q.finish(&h.front)
	return h.front, complete
}

// changed returns terms that differ from those that a plan keeps: another deadline, or the plan's own starts; another
// order; and up to three tasks with all the time or none, or elsewhere.
func (h *haggle) changed(p Plan) terms {
	t := terms{latest: h.tails(p.Makespan - Time(h.dice.IntN(2)))}
	if h.dice.IntN(2) == 0 {
		for i, place := range p.Places {
			t.latest[i] = place.Start
		}
	}
	if len(h.Sites) > 1 && h.dice.IntN(3) > 0 {
		for _, place := range p.Places {
			t.home = append(t.home, place.Site)
		}
	}
	if h.dice.IntN(3) == 0 {
		t.order = h.shuffled(h.begun(p.Places), h.dice)
	}
	for range 1 + h.dice.IntN(3) {
		i := h.dice.IntN(len(t.latest))
		if t.home != nil && h.dice.IntN(2) == 0 {
			t.home[i] = h.dice.IntN(len(h.Sites)+1) - 1
			continue
		}
		t.latest[i] = []Time{0, Ever, Time(h.dice.Int64N(int64(p.Makespan) + 1))}[h.dice.IntN(3)]
	}
	return t
}

// try makes the plan of some terms and keeps it if it is on the front.
func (h *haggle) try(t terms) (Plan, bool) {
	h.left--
	order, markets := h.order, h.markets()
	if t.order != nil {
		order = t.order
	}
	plan := Plan{Places: make([]Place, len(h.Tasks))}
	for _, i := range order {
		best, found := h.cheapest(markets, i, plan.Places, t)
		if !found {
			return Plan{}, false
		}
		plan.reserve(h.Queried, markets, i, best)
	}
	if t.order != nil && !h.price(&plan) {
		return Plan{}, false
	}
	plan.measure(h.Workflow)
	h.front.Add(plan)
	return plan, true
}

// markets returns all sites as they are before the workflow.
func (h *haggle) markets() []*Market {
	markets := make([]*Market, len(h.opened))
	for r, m := range h.opened {
		markets[r] = m.copy()
	}
	return markets
}

// price sets the prices of a plan to those of reservations in HEFT order, by which all plans are compared. It reports
// false if that order does not admit the plan.
func (h *haggle) price(p *Plan) bool {
	markets := h.markets()
	p.Cost = 0
	for _, i := range h.order {
		place, t := p.Places[i], h.Tasks[i]
		delay, open := markets[place.Site].Quote(place.Start, t.Run, t.Procs)
		if !open {
			return false
		}
		p.reserve(h.Queried, markets, i, tuple{site: place.Site, start: place.Start, delay: delay,
			cost: Price(t.Procs)*Price(t.Run) + delay})
	}
	return true
}

// cheapest returns the cheapest place of a task that is not late, or else the one that ends first.
func (h *haggle) cheapest(markets []*Market, task int, places []Place, t terms) (best tuple, found bool) {
	work := h.Tasks[task]
	area := Price(work.Procs) * Price(work.Run)
	for r, m := range markets {
		if work.Procs > h.Sites[r].Procs || t.home != nil && t.home[task] >= 0 && t.home[task] != r {
			continue
		}
		m.bargain(h.ready(task, r, places), t.latest[task], work.Run, work.Procs, func(o Quotation) {
			one := tuple{r, o.Start, o.Start + work.Run, o.Price, area + o.Price}
			if !found || sooner(one, best, t.latest[task]) {
				best, found = one, true
			}
		})
	}
	return best, found
}

// sooner reports whether a tuple is better than another for a task with a latest start.
func sooner(one, other tuple, latest Time) bool {
	late, otherLate := one.start > latest, other.start > latest
	switch {
	case late != otherLate:
		return !late
	case late:
		return cmp.Or(cmp.Compare(one.end, other.end), cmp.Compare(one.cost, other.cost)) < 0
	}
	return cmp.Or(cmp.Compare(one.cost, other.cost), cmp.Compare(one.end, other.end)) < 0
}

// bargain gives quotations to take, from a time on. If a start that the queue leaves free is not late, it gives that
// one, of price 0. Else it gives those that are cheaper than all before, up to the latest start, or else the first.
func (m *Market) bargain(from, latest, d Time, procs int, take func(Quotation)) {
	end := m.plan.Earliest(from, d, procs)
	if end <= latest && m.orderly {
		take(Quotation{Start: end})
		return
	}
	least := Price(-1)
	asked := 0
	for start := m.free.Earliest(from, d, procs); start < end && asked < mostQuotes; start = m.plan.after(start) {
		if start > latest && least >= 0 {
			return
		}
		price, open := m.Quote(start, d, procs)
		if !open {
			continue
		}
		if asked++; least < 0 || price < least {
			least = price
			take(Quotation{start, price})
		}
		if price == 0 {
			return
		}
	}
	if price, open := m.Quote(end, d, procs); open && (least < 0 || end <= latest) {
		take(Quotation{end, price})
	}
}
