package provisioning

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"aliquot/policy/market"
)

// compare measures our best method against the exact front, or against MOGA.
func (e Experiment) compare(numbers map[string]float64, clock func() time.Duration) error {
	dice := rand.New(rand.NewPCG(uint64(e.Number), 19))
	switch e.Kind {
	case small:
		return e.smallSlots(numbers, dice)
	case queries:
		return e.smallQueries(numbers, dice)
	}
	site, _ := snapshot(430, Experiment{Procs: 430, Load: 88 + 2*(e.Number%4)}.arrivals(dice), begin)
	a := &market.Advertised{Workflow: workflow(dice, 100, means[e.Number%4]), Sites: 1,
		Slots: market.Open(&site).Advertise(0)}
	from := clock()
	theirs := a.MOGA(1)
	half := clock()
	front, _ := a.Best()
	end := clock()
	numbers["slots"] = float64(len(a.Slots))
	numbers["moga seconds"], numbers["best seconds"] = (half - from).Seconds(), (end - half).Seconds()
	all := union(theirs, front)
	numbers["moga"], numbers["best"] = part(theirs, all, a.Bound()), part(front, all, a.Bound())
	return valid(front, a.Check)
}

// Steps after which the search for an exact front is given up.
const (
	mostOnSlots   = 100_000_000
	mostOnQueries = 1_000_000
)

// smallSlots compares with the exact front of an instance of few tasks and slots. It is not known where the search was
// cut short.
func (e Experiment) smallSlots(numbers map[string]float64, dice *rand.Rand) error {
	sites := 1 + e.Number%2
	a := &market.Advertised{Workflow: tiny(dice, 4+e.Number%5), Sites: sites}
	for r := range sites {
		a.Slots = append(a.Slots, market.NewSlot(r, market.Time(10+dice.IntN(30)), market.Ever, 3+dice.IntN(4)))
	}
	for len(a.Slots) < 5+e.Number%10 {
		start := market.Time(dice.IntN(40))
		a.Slots = append(a.Slots, market.NewSlot(dice.IntN(sites), start, start+market.Time(2+dice.IntN(19)), 1+dice.IntN(4)))
	}
	front, _ := a.Best()
	exact := slices.Clone(front)
	known := a.Exhaust(&exact, mostOnSlots)
	judge(numbers, known, exact, a.Bound(), map[string]market.Front{"best": front, "moga": a.MOGA(1), "sweep": a.Sweep()})
	return errors.Join(valid(front, a.Check), valid(exact, a.Check))
}

// smallQueries is smallSlots for sites with queues.
func (e Experiment) smallQueries(numbers map[string]float64, dice *rand.Rand) error {
	q := &market.Queried{Workflow: tiny(dice, 4+e.Number%5)}
	for range 1 + e.Number%2 {
		s := market.Site{Procs: 4 + dice.IntN(5)}
		s.Running = []market.Lease{{Procs: s.Procs / 2, End: market.Time(1 + dice.IntN(12))},
			{Procs: s.Procs - s.Procs/2, End: market.Time(1 + dice.IntN(12))}}
		for range 2 + e.Number%5 {
			s.Queue = append(s.Queue, market.Job{Procs: 1 + dice.IntN(s.Procs), Run: market.Time(1 + dice.IntN(12))})
		}
		q.Sites = append(q.Sites, s)
	}
	front, _ := q.Best()
	exact := slices.Clone(front)
	known := q.Exhaust(&exact, mostOnQueries)
	judge(numbers, known, exact, q.Bound(), map[string]market.Front{"best": front, "greedy": q.GreedyFront(),
		"sweep": q.Sweep()})
	return errors.Join(valid(front, q.Check), valid(exact, q.Check))
}

// judge notes the hypervolumes of fronts, as parts of the exact one if that is known.
func judge(numbers map[string]float64, known bool, exact market.Front, bound market.Plan, all map[string]market.Front) {
	if numbers["known"] = 0; known {
		numbers["known"] = 1
	}
	for name, front := range all {
		numbers[name] = numbers["known"] * part(front, exact, bound)
	}
}

// tiny draws a workflow of a few tasks of up to three processors.
func tiny(dice *rand.Rand, tasks int) *market.Workflow {
	w := workflow(dice, tasks, 2)
	for i := range w.Tasks {
		w.Tasks[i].Run = market.Time(1 + dice.IntN(9))
	}
	return w
}

func valid(front market.Front, check func(market.Plan) error) (err error) {
	for _, p := range front {
		err = errors.Join(err, check(p))
	}
	return err
}

// union returns the front of the plans of two fronts.
func union(a, b market.Front) (both market.Front) {
	for _, front := range []market.Front{a, b} {
		for _, p := range front {
			both.Add(p)
		}
	}
	return both
}

// part returns the hypervolume of a front as a part of another's, up to a tenth beyond the other's ends.
func part(front, other market.Front, bound market.Plan) float64 {
	most := market.Plan{Cost: other[len(other)-1].Cost, Makespan: other[0].Makespan}
	most.Cost += (most.Cost-bound.Cost)/10 + 1
	most.Makespan += (most.Makespan-bound.Makespan)/10 + 1
	return front.Hypervolume(bound, most) / other.Hypervolume(bound, most)
}
