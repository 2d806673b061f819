package market

import "cmp"

// Queried is a workflow and the sites to query for slots.
type Queried struct {
	*Workflow
	Sites []Site
}

// markets opens all sites.
func (q *Queried) markets() []*Market {
	markets := make([]*Market, len(q.Sites))
	for r := range q.Sites {
		markets[r] = Open(&q.Sites[r])
	}
	return markets
}

// tuple is a possible place of a task with its whole price.
type tuple struct {
	site  int
	start Time
	end   Time
	delay Price
	cost  Price
}

// tuples returns all places of a task that the sites quote.
func (q *Queried) tuples(markets []*Market, task int, places []Place) (all []tuple) {
	t := q.Tasks[task]
	for r, m := range markets {
		if t.Procs > q.Sites[r].Procs {
			continue
		}
		for _, o := range m.Query(q.ready(task, r, places), t.Run, t.Procs) {
			all = append(all, tuple{r, o.Start, o.Start + t.Run, o.Price, Price(t.Procs)*Price(t.Run) + o.Price})
		}
	}
	return all
}

// Greedy returns the plan of greedy provisioning (figure 51 of the thesis): each task in HEFT order gets the quotation
// that weighs least by α, and reserves it before the next. It reports false if a task is larger than all sites.
func (q *Queried) Greedy(alpha Fraction) (Plan, bool) {
	markets := q.markets()
	plan := Plan{Places: make([]Place, len(q.Tasks))}
	for _, i := range q.order(q.ranks(len(q.Sites))) {
		all := q.tuples(markets, i, plan.Places)
		if len(all) == 0 {
			return Plan{}, false
		}
		plan.reserve(q, markets, i, lightest(all, alpha))
	}
	plan.measure(q.Workflow)
	return plan, true
}

// GreedyFront returns the front of greedy provisioning at the weights of the thesis.
func (q *Queried) GreedyFront() (front Front) {
	for _, alpha := range Alphas {
		if p, fits := q.Greedy(alpha); fits {
			front.Add(p)
		}
	}
	return front
}

// lightest returns the tuple of the least weight. Of equal ones it is the one that ends first, then the cheapest, then
// that of the first site.
func lightest(all []tuple, alpha Fraction) tuple {
	at := func(i int) offer { return offer{all[i].cost, all[i].end} }
	c := newChoice(alpha, len(all), at)
	best, least := 0, c.score(at(0))
	for i := 1; i < len(all); i++ {
		s := c.score(at(i))
		if cmp.Or(s.Cmp(least), cmp.Compare(all[i].end, all[best].end), cmp.Compare(all[i].cost, all[best].cost)) < 0 {
			best, least = i, s
		}
	}
	return all[best]
}

// reserve puts a task into its place.
func (p *Plan) reserve(q *Queried, markets []*Market, task int, t tuple) {
	markets[t.site].Reserve(t.start, q.Tasks[task].Run, q.Tasks[task].Procs)
	p.Places[task] = Place{Site: t.site, Start: t.start, Delay: t.delay}
	p.Cost += t.cost
}

// Alphas are the weights at which the thesis examines greedy provisioning.
var Alphas = []Fraction{{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 4}}
