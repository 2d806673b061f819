package market

import (
	"cmp"
	"slices"
)

// mostExact and mostSlots are the greatest numbers of tasks and slots of an exact search; mostTries bounds its steps.
const (
	mostExact = 12
	mostSlots = 64
	mostTries = 10_000_000
)

// exact is a search through all schedules that matter: tasks are placed by rising start, each as early as its parts of
// slots allow. For given parts, that leaves out no makespan.
type exact struct {
	*Advertised
	turns  []int // places of the tasks in an order that has parents first
	front  *Front
	tails  []Time // from a task's start to the last end, without transfers
	heads  []Time // earliest starts
	free   []*Profile
	paid   []bool
	spare  Price // processors × time that are paid for and unused
	cost   Price
	rest   Price // processors × time of the tasks that have no place
	places []Place
	placed []bool
	left   int // steps that may still be made
}

// finish puts all plans that belong there on the front, and reports whether it was able to look at all. It needs slots
// of a charge of 1 without fixed price, which are either open and divisible or closed and bought whole.
func (a *Advertised) finish(front *Front) bool { return a.Exhaust(front, mostTries) }

// Exhaust is finish with any number of steps.
func (a *Advertised) Exhaust(front *Front, steps int) bool {
	plain := func(s Slot) bool { return s == NewSlot(s.Site, s.Start, s.End, s.Procs) }
	if len(a.Tasks) > mostExact || len(a.Slots) > mostSlots || !allOf(a.Slots, plain) {
		return false
	}
	e := &exact{Advertised: a, front: front, heads: a.heads(a.holes()), turns: make([]int, len(a.Tasks)),
		tails: a.ranks(1), paid: make([]bool, len(a.Slots)), rest: a.Area(),
		places: make([]Place, len(a.Tasks)), placed: make([]bool, len(a.Tasks)), left: steps}
	for _, s := range a.Slots {
		p := NewProfile(0)
		p.Take(s.Start, s.End, -s.Procs)
		e.free = append(e.free, p)
	}
	for at, i := range a.sorted {
		e.turns[i] = at
	}
	e.branch(0, -1, 0)
	return e.left > 0
}

func allOf[T any](all []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(all, func(one T) bool { return !holds(one) })
}

// branch places every task that may come next: at or after a start, and at that start only those whose turn comes after
// that of the last one. Parents have theirs before their children, which begin with them if they have no run time.
func (e *exact) branch(number, last int, start Time) {
	if number == len(e.Tasks) {
		p := Plan{Cost: e.cost, Places: clonePlaces(e.places)}
		p.measure(e.Workflow)
		e.front.Add(p)
		return
	}
	if e.hopeless(e.cost, e.makespan(start)) {
		return
	}
	for _, i := range e.next() {
		for r := range e.Sites {
			e.split(i, r, 0, e.Tasks[i].Procs, nil, func(parts []Part) {
				at := e.fit(i, r, parts)
				if at < Ever && (at > start || at == start && e.turns[i] > last) {
					e.place(i, r, at, parts, func() { e.branch(number+1, e.turns[i], at) })
				}
			})
		}
	}
}

func clonePlaces(places []Place) []Place {
	all := slices.Clone(places)
	for i := range all {
		all[i].Parts = slices.Clone(all[i].Parts)
	}
	return all
}

// next returns the tasks whose parents have places, the longest tails first.
func (e *exact) next() (tasks []int) {
	for i := range e.Tasks {
		if !e.placed[i] && allOf(e.parents[i], func(p arc) bool { return e.placed[p.task] }) {
			tasks = append(tasks, i)
		}
	}
	slices.SortFunc(tasks, func(a, b int) int { return cmp.Or(cmp.Compare(e.tails[b], e.tails[a]), cmp.Compare(a, b)) })
	return tasks
}

// hopeless reports whether the front has a plan that is as good as all that can follow. Work that has no place costs
// something unless it fits what is paid for.
func (e *exact) hopeless(cost Price, makespan Time) bool {
	return e.left <= 0 || e.front.covers(cost+max(0, e.rest-e.spare), makespan)
}

// makespan returns a lower bound on the makespan if no other task begins before a start.
func (e *exact) makespan(start Time) (last Time) {
	ready := make([]Time, len(e.Tasks))
	for _, i := range e.sorted {
		if ready[i] = max(start, e.heads[i]); e.placed[i] {
			ready[i] = e.places[i].Start
		} else {
			for _, p := range e.parents[i] {
				ready[i] = max(ready[i], ready[p.task]+e.Tasks[p.task].Run)
			}
		}
		last = max(last, ready[i]+e.tails[i])
	}
	return last
}

// split calls take with every way to divide processors among the slots of a site.
func (e *exact) split(task, site, slot, n int, parts []Part, take func([]Part)) {
	for slot < len(e.Slots) && e.Slots[slot].Site != site {
		slot++
	}
	if e.left--; n == 0 {
		take(parts)
		return
	}
	if slot == len(e.Slots) || e.left <= 0 {
		return
	}
	most := min(n, e.Slots[slot].Procs)
	if e.Slots[slot].Start+e.Tasks[task].Run > e.Slots[slot].End {
		most = 0
	}
	if !e.worth(slot) {
		most = 0
	}
	for k := most; k > 0; k-- {
		e.split(task, site, slot+1, n-k, append(parts, Part{slot, k}), take)
	}
	e.split(task, site, slot+1, n, parts, take)
}

// worth reports whether a slot may be used: it costs nothing at once, or the front has no plan that costs as little.
func (e *exact) worth(slot int) bool {
	s := e.Slots[slot]
	if s.Divisible || e.paid[slot] {
		return true
	}
	whole := Price(s.Procs) * Price(s.End-s.Start)
	return !e.hopeless(e.cost+max(whole, e.rest-e.spare)-max(0, e.rest-e.spare), 0)
}

// fit returns the earliest start of a task on parts of slots, or Ever if there is none or the front is as good.
func (e *exact) fit(task, site int, parts []Part) Time {
	d := e.Tasks[task].Run
	cost, spare, rest := e.cost, e.spare, e.rest
	e.pay(task, parts)
	bad := e.hopeless(e.cost, 0)
	after := e.cost
	waste := max(0, e.rest-e.spare)
	e.cost, e.spare, e.rest = cost, spare, rest
	if bad {
		return Ever
	}
	at := e.ready(task, site, e.places)
	if d == 0 {
		at = e.opening(at, parts)
	}
	for moved := d > 0; moved && at < Ever; {
		moved = false
		for _, part := range parts {
			if next := e.free[part.Slot].Earliest(at, d, part.Procs); next > at {
				at, moved = next, true
			}
		}
	}
	if at < Ever && e.front.covers(after+waste, at+e.tails[task]) {
		return Ever
	}
	return at
}

// opening returns the first time from a given one on at which all slots of the parts are open, or Ever. A task without
// run time takes nothing away from others.
func (e *exact) opening(from Time, parts []Part) Time {
	for _, part := range parts {
		from = max(from, e.Slots[part.Slot].Start)
	}
	for _, part := range parts {
		if from >= e.Slots[part.Slot].limit() {
			return Ever
		}
	}
	return from
}

// pay counts the price of parts for a task.
func (e *exact) pay(task int, parts []Part) {
	run := Price(e.Tasks[task].Run)
	e.rest -= Price(e.Tasks[task].Procs) * run
	for _, part := range parts {
		s := e.Slots[part.Slot]
		switch {
		case s.Divisible:
			e.cost += Price(part.Procs) * run
			continue
		case !e.paid[part.Slot]:
			whole := Price(s.Procs) * Price(s.End-s.Start)
			e.cost, e.spare = e.cost+whole, e.spare+whole
		}
		e.spare -= Price(part.Procs) * run
	}
}

// place puts a task into its place while then is called.
func (e *exact) place(task, site int, at Time, parts []Part, then func()) {
	cost, spare, rest := e.cost, e.spare, e.rest
	e.pay(task, parts)
	var newly []int
	for _, part := range parts {
		e.free[part.Slot].Take(at, at+e.Tasks[task].Run, part.Procs)
		if !e.paid[part.Slot] {
			e.paid[part.Slot] = true
			newly = append(newly, part.Slot)
		}
	}
	e.places[task], e.placed[task] = Place{Site: site, Start: at, Parts: slices.Clone(parts)}, true
	then()
	e.placed[task] = false
	for _, slot := range newly {
		e.paid[slot] = false
	}
	for _, part := range parts {
		e.free[part.Slot].Take(at, at+e.Tasks[task].Run, -part.Procs)
	}
	e.cost, e.spare, e.rest = cost, spare, rest
}
