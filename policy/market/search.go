package market

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// steps is the number of deadlines of a sweep.
const steps = 24

// leastPlans is the number of plans that a search makes of any instance.
const leastPlans = 4

// effortOf returns the number of plans that a search may make for a number of tasks and slots.
func effortOf(tasks, slots int) int {
	const usual, many, work, most = 280, 1000, 3_000_000, 1_000_000_000
	one := tasks * (slots + 2*tasks) // steps of a plan, about
	return max(leastPlans, min(max(work/one, usual), many, most/one))
}

// search looks for the front of an instance by recipes.
type search struct {
	*Advertised
	dice    *rand.Rand
	ranks   []Time
	front   Front
	recipes map[*Place]recipe // of the plans on the front, by their places
	left    int               // plans that may still be made
	useful  []int             // slots that some task fits
}

func (a *Advertised) search() *search {
	s := &search{Advertised: a, dice: rand.New(rand.NewPCG(1, 1)), ranks: a.ranks(a.Sites),
		recipes: map[*Place]recipe{}, left: effortOf(len(a.Tasks), len(a.Slots))}
	heads := a.heads(a.holes())
	for i, slot := range a.Slots {
		if slices.ContainsFunc(a.sorted, func(t int) bool {
			return max(heads[t], slot.Start)+max(a.Tasks[t].Run, instant) <= slot.limit()
		}) {
			s.useful = append(s.useful, i)
		}
	}
	return s
}

// try makes the plan of a recipe and keeps it if it is on the front.
func (s *search) try(r recipe) (Plan, bool) {
	s.left--
	p, fits := s.make(r)
	if fits && s.front.Add(p) {
		s.recipes[&p.Places[0]] = r
	}
	return p, fits
}

// Sweep returns the front of plans for a row of deadlines from the fastest plan to the cheapest. Each task takes the
// cheapest place from which the deadline can be met, so that only tasks that matter pay for an early start.
func (a *Advertised) Sweep() Front {
	s := a.search()
	s.sweep()
	return s.front
}

// sweep tries deadlines, for all sites and for each alone.
func (s *search) sweep() {
	order := s.order(s.ranks)
	all, none := slices.Repeat([]bool{true}, len(s.Slots)), make([]bool, len(s.Slots))
	s.try(recipe{order: order, allowed: none})
	for _, home := range s.homes() {
		for _, ahead := range []bool{false, true} {
			if ahead && s.Sites == 1 {
				continue
			}
			r := recipe{order: order, allowed: all, home: home, ahead: ahead}
			if p, fits := s.try(r); fits {
				s.peel(r, p)
				s.deadlines(r, p)
			}
		}
	}
}

// homes returns the sites of tasks: any, and each site for all tasks, if there are few sites.
func (s *search) homes() [][]int {
	homes := [][]int{nil}
	for r := range s.Sites {
		if s.Sites > 1 && s.Sites <= 8 {
			homes = append(homes, slices.Repeat([]int{r}, len(s.Tasks)))
		}
	}
	return homes
}

// deadlines tries deadlines between a fast plan and the cheapest one.
func (s *search) deadlines(r recipe, fast Plan) {
	slow := s.front[0].Makespan
	number := min(steps, s.left/16)
	for i := range Time(number) {
		deadline := fast.Makespan + (slow-fast.Makespan)*i/Time(number)
		r.latest = s.tails(deadline)
		s.try(r)
		r.latest = s.stretched(fast, deadline)
		s.try(r)
	}
}

// peel takes away the slots of a plan that are worst used, a few at a time.
func (s *search) peel(r recipe, p Plan) {
	for step := s.left / 3; step > 0; step-- {
		allowed, wasted := s.waste(p)
		if len(wasted) == 0 {
			return
		}
		r.allowed = allowed
		for _, slot := range wasted[:(len(wasted)+9)/10] {
			r.allowed[slot] = false
		}
		next, fits := s.try(r)
		if !fits {
			return
		}
		p = next
	}
}

// waste returns the slots that a plan uses, and those of them that it has paid more for than it uses, the worst first.
func (s *search) waste(p Plan) (used []bool, wasted []int) {
	uses := make([]use, len(s.Slots))
	used = make([]bool, len(s.Slots))
	for i, place := range p.Places {
		for _, part := range place.Parts {
			used[part.Slot] = true
			uses[part.Slot].add(part.Procs, place.Start, place.Start+s.Tasks[i].Run)
		}
	}
	lost := make([]Price, len(s.Slots))
	for i, slot := range s.Slots {
		if lost[i] = slot.price(uses[i]) - uses[i].area*slot.Charge; used[i] && lost[i] > 0 {
			wasted = append(wasted, i)
		}
	}
	slices.SortStableFunc(wasted, func(a, b int) int { return cmp.Compare(lost[b], lost[a]) })
	return used, wasted
}

// tails returns the latest starts from which a deadline could be met if nothing else were in the way.
func (s *search) tails(deadline Time) []Time {
	latest := make([]Time, len(s.Tasks))
	for i, rank := range s.ranks {
		latest[i] = deadline - rank
	}
	return latest
}

// stretched returns latest starts in the proportion of a plan's starts.
func (s *search) stretched(p Plan, deadline Time) []Time {
	latest := make([]Time, len(s.Tasks))
	for i, place := range p.Places {
		slack := float64(deadline-p.Makespan) * float64(place.Start+1) / float64(p.Makespan+1)
		latest[i] = place.Start + Time(slack)
	}
	return latest
}

// Best returns the front of the best search that there is: a sweep, small changes of the plans on the front, and for a
// few tasks an exact search. It reports whether that was complete, so that no plan is better.
func (a *Advertised) Best() (Front, bool) {
	s := a.search()
	s.sweep()
	s.begin()
	for s.left > 0 && len(s.front) > 0 {
		p := s.front[s.dice.IntN(len(s.front))]
		s.try(s.changed(s.recipes[&p.Places[0]], p))
	}
	complete := a.finish(&s.front)
	return s.front, complete
}

// begin looks for any plan if there is none yet: it tries the order of best effort, and changes of it.
func (s *search) begin() {
	order := s.order(s.ranks)
	if effort, fits := s.BestEffort(); fits {
		order = s.begun(effort.Places)
	}
	all := slices.Repeat([]bool{true}, len(s.Slots))
	for next := order; s.left > 0 && len(s.front) == 0; next = s.shuffled(order, s.dice) {
		s.try(recipe{order: next, allowed: all})
	}
}

// changed returns a recipe that differs from that of a plan by up to three changes.
func (s *search) changed(r recipe, p Plan) recipe {
	kinds := 10
	if s.Sites > 1 {
		kinds = 14
	}
	for range 1 + s.dice.IntN(3) {
		switch kind := s.dice.IntN(kinds); {
		case kind < 4:
			r.order = s.shuffled(r.order, s.dice)
		case kind < 7:
			r.allowed = s.flipped(p)
		case kind < 8:
			r.allowed = s.mixed(p)
		case kind < 9:
			r.latest = s.tails(p.Makespan)
		case kind < 10:
			r.latest = s.eased(r.latest, p)
		default:
			r.home = s.moved(r.home, p)
		}
	}
	return r
}

// eased returns latest starts in which one task has all the time, or none.
func (s *search) eased(latest []Time, p Plan) []Time {
	if latest == nil {
		latest = s.tails(p.Makespan)
	}
	latest = slices.Clone(latest)
	latest[s.dice.IntN(len(latest))] = Ever * Time(s.dice.IntN(2))
	return latest
}

// flipped returns the slots that a plan uses, with one more, or without one, rather one that is badly used.
func (s *search) flipped(p Plan) []bool {
	allowed, wasted := s.waste(p)
	if n := len(wasted); n > 0 && s.dice.IntN(2) == 0 {
		allowed[wasted[min(s.dice.IntN(n), s.dice.IntN(n))]] = false
		return allowed
	}
	i := s.useful[s.dice.IntN(len(s.useful))]
	allowed[i] = !allowed[i]
	return allowed
}

// mixed returns slots that a plan or another one of the front uses: each by chance as in one of both.
func (s *search) mixed(p Plan) []bool {
	allowed, _ := s.waste(p)
	others, _ := s.waste(s.front[s.dice.IntN(len(s.front))])
	for i := range allowed {
		if s.dice.IntN(2) == 0 {
			allowed[i] = others[i]
		}
	}
	return allowed
}

// moved returns the sites of a plan, or the given ones, with one task on any site.
func (s *search) moved(given []int, p Plan) []int {
	home := slices.Clone(given)
	if given == nil {
		for _, place := range p.Places {
			home = append(home, place.Site)
		}
	}
	home[s.dice.IntN(len(home))] = s.dice.IntN(s.Sites+1) - 1
	return home
}
