package market

import (
	"cmp"
	"slices"
)

// recipe says how to place the tasks of a workflow on slots.
type recipe struct {
	order   []int  // every task behind its parents
	allowed []bool // slots that may be bought whole
	latest  []Time // starts by which tasks are not late; nil: every task starts as early as it can
	home    []int  // sites of tasks, or -1; nil: any
	ahead   bool   // count the transfers that a site causes later
}

// offered is a way to place a task.
type offered struct {
	site  int
	start Time
	worth Time // the start, with transfers that it causes later
	level int  // of the pieces that it takes
	cost  Price
	known bool // whether cost has been computed
}

// The levels of pieces: each includes those before it.
const (
	bought    = iota // of slots that are paid whole already
	divisible        // of slots that are paid by use
	closed           // of slots that would have to be bought whole
)

// cook places tasks by a recipe.
type cook struct {
	*Advertised
	recipe
	bins   []bin
	levels []int   // of the pieces of each slot
	wholes []Price // of slots that are bought whole
	plan   Plan
	least  Time                // for which the shortest task needs its slots
	active [closed + 1][]piece // scratch, by level
}

// make returns the plan of a recipe. It reports false if a task fits nowhere.
func (a *Advertised) make(r recipe) (Plan, bool) {
	k := cook{Advertised: a, recipe: r, plan: Plan{Places: make([]Place, len(a.Tasks))}}
	k.open()
	for _, i := range r.order {
		o, found := k.choose(i)
		if !found {
			return Plan{}, false
		}
		k.put(i, o)
	}
	k.plan.Cost = a.cost(k.plan.Places)
	k.plan.measure(a.Workflow)
	return k.plan, true
}

// open takes the slots that the recipe allows.
func (k *cook) open() {
	k.bins = make([]bin, k.Advertised.Sites)
	k.least = max(instant, slices.MinFunc(k.Tasks, func(a, b Task) int { return cmp.Compare(a.Run, b.Run) }).Run)
	k.levels, k.wholes = make([]int, len(k.Slots)), make([]Price, len(k.Slots))
	for i, s := range k.Slots {
		k.levels[i], k.wholes[i] = closed, s.price(use{any: true})
		if s.Divisible {
			k.levels[i] = divisible
		}
		if s.Divisible || k.allowed[i] && k.holds(s) {
			k.bins[s.Site] = append(k.bins[s.Site], piece{s.Start, s.limit(), s.Procs, i})
		}
	}
	for r := range k.bins {
		slices.SortFunc(k.bins[r], byStart)
	}
}

// holds reports whether the shortest task fits a slot.
func (k *cook) holds(s Slot) bool { return s.Start+k.least <= s.limit() }

// choose returns the best way to place a task: the cheapest of those that are not late, else the earliest.
func (k *cook) choose(task int) (best offered, found bool) {
	for r := range k.bins {
		if k.home != nil && k.home[task] >= 0 && k.home[task] != r {
			continue
		}
		for level := closed; level >= bought; level-- {
			o, fits := k.offer(task, r, level)
			if !fits {
				break // lower levels have less
			}
			if !found || k.better(task, &o, &best) {
				best, found = o, true
			}
			if k.latest == nil {
				break // of equal starts, pool takes the cheapest pieces anyway
			}
		}
	}
	return best, found
}

// better reports whether an offer is better than another.
func (k *cook) better(task int, o, other *offered) bool {
	if k.latest != nil {
		late, otherLate := o.worth > k.latest[task], other.worth > k.latest[task]
		if late != otherLate {
			return !late
		}
		if !late {
			return cmp.Or(cmp.Compare(k.extra(task, o), k.extra(task, other)), cmp.Compare(o.worth, other.worth)) < 0
		}
	}
	if o.worth != other.worth {
		return o.worth < other.worth
	}
	return k.extra(task, o) < k.extra(task, other)
}

// offer returns the earliest start of a task on the pieces of a site up to a level.
func (k *cook) offer(task, site, level int) (offered, bool) {
	t := k.Tasks[task]
	start, fits := k.earliest(site, level, t.Procs, t.Run, k.ready(task, site, k.plan.Places))
	if !fits {
		return offered{}, false
	}
	o := offered{site: site, start: start, worth: start, level: level}
	if k.ahead {
		o.worth += k.behind(task, site)
	}
	return o, true
}

// behind returns the longest transfer from a task on a site to a child whose other parents are elsewhere.
func (k *cook) behind(task, site int) (most Time) {
	for _, c := range k.children[task] {
		for _, p := range k.parents[c.task] {
			if place := k.plan.Places[p.task]; p.task != task && k.placed(p.task) && place.Site != site {
				most = max(most, c.transfer)
			}
		}
	}
	return most
}

// placed reports whether a task has its place.
func (k *cook) placed(task int) bool { return k.plan.Places[task].Parts != nil }

// earliest returns the first start from a time on at which pieces up to a level have enough processors.
func (k *cook) earliest(site, level, n int, d, from Time) (Time, bool) {
	active := k.active[bought][:0]
	free, start, d := 0, from, max(d, instant)
	for _, p := range k.bins[site] {
		if p.end < from+d || k.levels[p.slot] > level {
			continue
		}
		if p.start > start {
			if free >= n {
				break
			}
			start = p.start
			active = slices.DeleteFunc(active, func(q piece) bool {
				if q.end < start+d {
					free -= q.procs
				}
				return q.end < start+d
			})
		}
		if p.end >= start+d {
			active = append(active, p)
			free += p.procs
		}
	}
	k.active[bought] = active
	return start, free >= n
}

// covering returns the pieces up to a level that cover an interval, in the order in which they are taken: those paid
// for, and of these the ones that end first; then divisible ones that began last; then closed ones from the cheapest.
func (k *cook) covering(site, level int, start, d Time) []piece {
	for i := range k.active {
		k.active[i] = k.active[i][:0]
	}
	for _, p := range slices.Backward(k.bins[site]) {
		if of := k.levels[p.slot]; p.covers(start, d) && of <= level {
			k.active[of] = append(k.active[of], p)
		}
	}
	all := k.active[bought]
	slices.SortStableFunc(all, func(a, b piece) int { return cmp.Compare(a.end, b.end) })
	slices.SortStableFunc(k.active[divisible], func(a, b piece) int {
		return cmp.Compare(k.Slots[a.slot].Charge, k.Slots[b.slot].Charge)
	})
	slices.SortStableFunc(k.active[closed], func(a, b piece) int {
		return cmp.Compare(k.wholes[a.slot], k.wholes[b.slot])
	})
	k.active[bought] = append(append(all, k.active[divisible]...), k.active[closed]...)
	return k.active[bought]
}

// pool returns pieces that cover an interval with enough processors, those of closed slots that are to be bought first.
func (k *cook) pool(site, level, n int, start, d Time) []piece {
	all := k.covering(site, level, start, d)
	free, first := 0, len(all)
	for i, p := range all {
		if k.levels[p.slot] == closed {
			first = i
			break
		}
		free += p.procs
	}
	if free < n {
		all = append(k.buy(all[first:], n-free), all[:first]...)
	} else {
		all = all[:first]
	}
	last := 0
	for ; n > 0; last++ {
		n -= all[last].procs
	}
	return all[:last]
}

// buy returns closed pieces that make up for missing processors: the cheapest that suffices alone, or the cheapest
// together without those that are not needed.
func (k *cook) buy(pieces []piece, missing int) (some []piece) {
	for _, p := range pieces {
		if p.procs >= missing {
			return []piece{p}
		}
	}
	sum := 0
	for _, p := range pieces {
		if sum < missing {
			some, sum = append(some, p), sum+p.procs
		}
	}
	return slices.DeleteFunc(some, func(p piece) bool {
		spare := sum-p.procs >= missing
		if spare {
			sum -= p.procs
		}
		return spare
	})
}

// extra returns what a place adds to the cost.
func (k *cook) extra(task int, o *offered) Price {
	if o.known {
		return o.cost
	}
	o.known = true
	t := k.Tasks[task]
	n := t.Procs
	for _, p := range k.pool(o.site, o.level, n, o.start, t.Run) {
		taken := min(n, p.procs)
		n -= taken
		switch k.levels[p.slot] {
		case closed:
			o.cost += k.wholes[p.slot]
		case divisible:
			o.cost += Price(taken) * Price(t.Run) * k.Slots[p.slot].Charge
		}
	}
	return o.cost
}

// put places a task.
func (k *cook) put(task int, o offered) {
	t := k.Tasks[task]
	n := t.Procs
	pool := k.pool(o.site, o.level, n, o.start, t.Run)
	parts := make([]Part, 0, len(pool))
	for _, p := range pool {
		taken := min(n, p.procs)
		n -= taken
		parts = append(parts, Part{p.slot, taken})
		k.cut(o.site, p, taken, o.start, o.start+t.Run)
		if k.levels[p.slot] == closed {
			k.levels[p.slot] = bought
		}
	}
	k.plan.Places[task] = Place{Site: o.site, Start: o.start, Parts: together(parts)}
}

// cut takes processors from a piece for an interval. The rests before and behind it stay unless they are too short.
func (k *cook) cut(site int, p piece, taken int, start, end Time) {
	bin := k.bins[site]
	at, _ := slices.BinarySearchFunc(bin, p.start, startsAt)
	for bin[at] != p {
		at++
	}
	before, behind := piece{p.start, start, taken, p.slot}, piece{end, p.end, taken, p.slot}
	bin[at].procs -= taken
	if before.start+k.least <= before.end {
		bin = slices.Insert(bin, at, before)
		at++
	}
	if bin[at].procs == 0 {
		bin = slices.Delete(bin, at, at+1)
	}
	if behind.start+k.least <= behind.end {
		at, _ = slices.BinarySearchFunc(bin, behind.start, startsAt)
		bin = slices.Insert(bin, at, behind)
	}
	k.bins[site] = bin
}

func startsAt(p piece, at Time) int { return cmp.Compare(p.start, at) }
