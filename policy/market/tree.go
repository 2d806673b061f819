package market

// mostNodes bounds the partial plans that an exact search of queries makes.
const mostNodes = 60_000

// tree is a search through all plans in HEFT order, at the starts that queries name or at every one.
type tree struct {
	*Queried
	order []int
	tails []Time // from a task's start to the last end, without transfers
	heads []Time // earliest starts
	front *Front
	plan  Plan
	left  int
	every bool // at every start, not only those that queries name
}

// finish puts all plans that belong there on the front, and reports whether it was able to look at all.
func (q *Queried) finish(front *Front) bool {
	return len(q.Tasks) <= mostExact && q.search(front, min(mostNodes, int(mostSteps/q.listSteps())), false)
}

// Exhaust puts all plans that belong there on a front that Best has found, of those at every start, and reports whether
// a number of steps sufficed. It is for instances whose times are small numbers: the truth by which methods are judged.
func (q *Queried) Exhaust(front *Front, steps int) bool { return q.search(front, steps, true) }

func (q *Queried) search(front *Front, steps int, every bool) bool {
	var holes []*Profile
	for r := range q.Sites {
		holes = append(holes, q.Sites[r].base())
	}
	t := &tree{Queried: q, order: q.order(q.ranks(len(q.Sites))), tails: q.ranks(1), heads: q.heads(holes), front: front,
		plan: Plan{Places: make([]Place, len(q.Tasks))}, left: steps, every: every}
	if t.left > 0 {
		t.branch(0, q.markets(), q.Area())
	}
	return t.left > 0
}

// branch places the next task at every quotation after which the front can still gain.
func (t *tree) branch(at int, markets []*Market, rest Price) {
	if at == len(t.order) {
		p := Plan{Cost: t.plan.Cost, Places: clonePlaces(t.plan.Places)}
		p.measure(t.Workflow)
		t.front.Add(p)
		return
	}
	i := t.order[at]
	rest -= Price(t.Tasks[i].Procs) * Price(t.Tasks[i].Run)
	before := t.plan.Cost
	for _, o := range t.places(at, markets) {
		if t.left <= 0 || t.front.covers(before+o.cost+rest, t.makespan(at, o)) {
			continue
		}
		t.left--
		next := append([]*Market{}, markets...)
		next[o.site] = markets[o.site].copy()
		t.plan.reserve(t.Queried, next, i, o)
		t.branch(at+1, next, rest)
		t.plan.Cost = before
	}
}

// places returns the places of the next task.
func (t *tree) places(at int, markets []*Market) (all []tuple) {
	i := t.order[at]
	if !t.every {
		return t.tuples(markets, i, t.plan.Places)
	}
	run, procs := t.Tasks[i].Run, t.Tasks[i].Procs
	for r, m := range markets {
		if procs > t.Sites[r].Procs {
			continue
		}
		o := tuple{site: r, start: t.ready(i, r, t.plan.Places)}
		for ; t.makespan(at, o) < (*t.front)[0].Makespan; o.start++ {
			if price, open := m.Quote(o.start, run, procs); open {
				o.delay, o.cost = price, Price(procs)*Price(run)+price
				all = append(all, o)
			}
		}
	}
	return all
}

// makespan returns a lower bound on the makespan if the next task takes a place.
func (t *tree) makespan(at int, o tuple) (last Time) {
	ready := make([]Time, len(t.Tasks))
	for number, i := range t.order {
		switch {
		case number < at:
			ready[i] = t.plan.Places[i].Start
		case number == at:
			ready[i] = o.start
		default:
			ready[i] = t.heads[i]
			for _, p := range t.parents[i] {
				ready[i] = max(ready[i], ready[p.task]+t.Tasks[p.task].Run)
			}
		}
		last = max(last, ready[i]+t.tails[i])
	}
	return last
}
