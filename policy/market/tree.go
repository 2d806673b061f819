package market

// mostNodes bounds the partial plans that an exact search of queries makes.
const mostNodes = 60_000

// tree is a search through all plans in HEFT order, at the starts that queries name.
type tree struct {
	*Queried
	order []int
	tails []Time // from a task's start to the last end, without transfers
	heads []Time // earliest starts
	front *Front
	plan  Plan
	left  int
}

// finish puts all plans that belong there on the front, and reports whether it was able to look at all.
func (q *Queried) finish(front *Front) bool {
	if len(q.Tasks) > mostExact {
		return false
	}
	var holes []*Profile
	for r := range q.Sites {
		holes = append(holes, q.Sites[r].base())
	}
	t := &tree{Queried: q, order: q.order(q.ranks(len(q.Sites))), tails: q.ranks(1), heads: q.heads(holes), front: front,
		plan: Plan{Places: make([]Place, len(q.Tasks))}, left: min(mostNodes, int(mostSteps/q.listSteps()))}
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
	for _, o := range t.tuples(markets, i, t.plan.Places) {
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
