package market

// Advertised is a workflow and the slots of a number of sites.
type Advertised struct {
	*Workflow
	Sites int
	Slots []Slot
}

// bins returns the chosen slots of each site as pieces.
func (a *Advertised) bins(chosen []bool) []bin {
	bins := make([]bin, a.Sites)
	for i, s := range a.Slots {
		if chosen[i] {
			bins[s.Site].join(piece{s.Start, s.limit(), s.Procs, i})
		}
	}
	return bins
}

// decode places the tasks in an order on the chosen slots: each on the site with the earliest start, or on the first of
// these. It reports false if a task fits nowhere.
func (a *Advertised) decode(order []int, chosen []bool) (Plan, bool) {
	bins := a.bins(chosen)
	plan := Plan{Places: make([]Place, len(a.Tasks))}
	for _, i := range order {
		t := a.Tasks[i]
		site, start, pool := -1, Ever, []int(nil)
		for r := range bins {
			at, found := bins[r].find(t.Procs, t.Run, a.ready(i, r, plan.Places))
			if found != nil && at < start {
				site, start, pool = r, at, found
			}
		}
		if site < 0 {
			return Plan{}, false
		}
		plan.Places[i] = Place{Site: site, Start: start, Parts: bins[site].carve(t.Procs, start, t.Run, pool)}
	}
	plan.Cost = a.cost(plan.Places)
	plan.measure(a.Workflow)
	return plan, true
}

// cost returns the price of all slots that are used.
func (a *Advertised) cost(places []Place) (sum Price) {
	uses := make([]use, len(a.Slots))
	for i, place := range places {
		for _, part := range place.Parts {
			uses[part.Slot].add(part.Procs, place.Start, place.Start+a.Tasks[i].Run)
		}
	}
	for i, u := range uses {
		sum += a.Slots[i].price(u)
	}
	return sum
}

// Cheapest returns the plan on divisible slots alone. Where all charges are 1 and nothing is fixed, no plan costs less.
func (a *Advertised) Cheapest() (Plan, bool) {
	chosen := make([]bool, len(a.Slots))
	for i, s := range a.Slots {
		chosen[i] = s.Divisible
	}
	return a.decode(a.order(a.ranks(a.Sites)), chosen)
}
