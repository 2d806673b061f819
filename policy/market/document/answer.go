package document

import (
	"fmt"
	"strings"

	"aliquot/policy/market"
)

// Answer is the front of an instance with what it is to be compared with.
type Answer struct {
	Method     string   `json:"method"`
	Front      []Plan   `json:"front"`
	BestEffort *Measure `json:"bestEffort"` // null: a task fits nowhere
	Bound      Measure  `json:"bound"`      // below all plans
	Gap        Gap      `json:"gap"`
	Exact      bool     `json:"exact"` // no plan is better than those of the front

	// For queries: no plan is better that places tasks in HEFT order at the starts that queries name.
	ExactInOrder bool `json:"exactInOrder,omitempty"`
}

// Measure are the objectives of a plan.
type Measure struct {
	Cost     market.Price `json:"cost"`
	Makespan market.Time  `json:"makespan"`
}

// Gap says how far the cheapest and the fastest plan can be from the best, as parts of these.
type Gap struct {
	Cost     float64 `json:"cost"`
	Makespan float64 `json:"makespan"`
}

// Plan is a plan of the front. A task is a list of whole numbers: its site and start; then the slots that it takes,
// each followed by the processors there, or the price for the delay of others.
type Plan struct {
	Measure
	Tasks [][]int64 `json:"tasks"`
}

// None says that a method found no plan.
type None struct {
	Method string
	Proved bool // there is none; else another method may find one
}

func (n None) Error() string {
	if n.Proved {
		return "there is no plan: the tasks do not fit the slots or sites"
	}
	return n.Method + " found no plan; another method may find one"
}

// method returns the front of an instance. It reports whether the search was complete: on slots among all plans, else
// among those in HEFT order at the starts that queries name. The number is a seed.
type method struct {
	slots   func(*market.Advertised, uint64) (market.Front, bool)
	queries func(*market.Queried) (market.Front, bool)

	slotSteps  func(*market.Advertised) float64
	querySteps func(*market.Queried) float64
}

// The most steps of a method: some ten seconds.
const (
	mostSlotSteps  = 4e9
	mostQuerySteps = 1e10
)

var methods = map[string]method{
	"moga": {
		slots:     func(a *market.Advertised, seed uint64) (market.Front, bool) { return a.MOGA(seed), false },
		slotSteps: (*market.Advertised).MOGASteps,
	},
	"greedy": {
		queries:    func(q *market.Queried) (market.Front, bool) { return q.GreedyFront(), false },
		querySteps: (*market.Queried).GreedySteps,
	},
	"sweep": {
		slots:   func(a *market.Advertised, _ uint64) (market.Front, bool) { return a.Sweep(), false },
		queries: func(q *market.Queried) (market.Front, bool) { return q.Sweep(), false },

		slotSteps:  (*market.Advertised).SearchSteps,
		querySteps: (*market.Queried).SearchSteps,
	},
	"best": {
		slots:   func(a *market.Advertised, _ uint64) (market.Front, bool) { return a.Best() },
		queries: (*market.Queried).Best,

		slotSteps:  (*market.Advertised).SearchSteps,
		querySteps: (*market.Queried).SearchSteps,
	},
}

// Names are those of the methods, the best last.
var Names = []string{"moga", "greedy", "sweep", "best"}

// Solve runs a method. If alpha is not nil, the front has one plan: the choice by α. With greedy, α is the weight of
// each step.
func (in *Instance) Solve(name string, alpha *market.Fraction, seed uint64) (Answer, error) {
	m, known := methods[name]
	switch {
	case !known:
		return Answer{}, fmt.Errorf("there is no method %.40q: the methods are %s", name, strings.Join(Names, ", "))
	case in.Advertised != nil && m.slots == nil:
		return Answer{}, fmt.Errorf("%s asks sites with queues for prices, and the file has slots", name)
	case in.Queried != nil && m.queries == nil:
		return Answer{}, fmt.Errorf("%s chooses among slots, and the sites of the file have queues", name)
	}
	if err := in.affordable(m, name); err != nil {
		return Answer{}, err
	}
	front, complete := in.front(m, alpha, seed, name)
	if len(front) == 0 {
		return Answer{}, None{name, complete || in.bound().Makespan >= market.Ever}
	}
	answer := in.compare(front)
	answer.Method = name
	answer.judge(complete, in.Queried != nil, len(front))
	if alpha != nil {
		front = market.Front{front.Choose(*alpha)}
	}
	for _, p := range front {
		answer.Front = append(answer.Front, in.show(p))
	}
	return answer, nil
}

// affordable refuses instances that are too large for a method.
func (in *Instance) affordable(m method, name string) error {
	steps, most := 0., mostSlotSteps
	if in.Advertised != nil {
		steps = m.slotSteps(in.Advertised)
	} else {
		steps, most = m.querySteps(in.Queried), mostQuerySteps
	}
	if steps <= most {
		return nil
	}
	return fmt.Errorf("the file is too large for %s: about %.0e steps, more than %.0e; take fewer tasks, slots or jobs in queues",
		name, steps, most)
}

func (in *Instance) bound() market.Plan {
	if in.Advertised != nil {
		return in.Advertised.Bound()
	}
	return in.Queried.Bound()
}

func (in *Instance) front(m method, alpha *market.Fraction, seed uint64, name string) (market.Front, bool) {
	if in.Advertised != nil {
		return m.slots(in.Advertised, seed)
	}
	if name != "greedy" || alpha == nil {
		return m.queries(in.Queried)
	}
	p, fits := in.Queried.Greedy(*alpha)
	if !fits {
		return nil, false
	}
	return market.Front{p}, false
}

// compare returns best effort, the bound and the gap.
func (in *Instance) compare(front market.Front) (a Answer) {
	var effort market.Plan
	var fits bool
	bound := in.bound()
	if in.Advertised != nil {
		effort, fits = in.Advertised.BestEffort()
	} else {
		effort, fits = in.Queried.BestEffort()
	}
	if fits {
		a.BestEffort = &Measure{effort.Cost, effort.Makespan}
	}
	a.Bound = Measure{bound.Cost, bound.Makespan}
	a.Gap = Gap{beyond(int64(front[0].Cost), int64(bound.Cost)),
		beyond(int64(front[len(front)-1].Makespan), int64(bound.Makespan))}
	return a
}

// judge says how far a front can be from the best. One plan that is as good as the bound is the best there is.
func (a *Answer) judge(complete, inOrder bool, plans int) {
	a.Exact = complete && !inOrder || a.Gap == Gap{} && plans == 1
	a.ExactInOrder = complete && inOrder
	if a.Exact {
		a.Gap = Gap{}
	}
}

// beyond returns the part by which a number is above a bound.
func beyond(n, bound int64) float64 {
	if n <= bound || n == 0 {
		return 0
	}
	return float64(n-bound) / float64(n)
}

func (in *Instance) show(p market.Plan) Plan {
	shown := Plan{Measure: Measure{p.Cost, p.Makespan}}
	for _, place := range p.Places {
		task := []int64{int64(place.Site), int64(place.Start)}
		for _, part := range place.Parts {
			task = append(task, int64(part.Slot), int64(part.Procs))
		}
		if in.Queried != nil {
			task = append(task, int64(place.Delay))
		}
		shown.Tasks = append(shown.Tasks, task)
	}
	return shown
}
