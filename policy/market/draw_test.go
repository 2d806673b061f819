package market

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// draw draws instances by seed.
type draw struct{ *rand.Rand }

func newDraw(seed int) draw { return draw{rand.New(rand.NewPCG(uint64(seed), 7))} }

// from returns a number from low to high.
func (d draw) from(low, high int) int { return low + d.IntN(high-low+1) }

// workflow draws tasks of up to a number of processors in levels. Each task has up to two parents in the level above.
func (d draw) workflow(tasks, procs int, longest, transfer Time) *Workflow {
	depth := max(1, tasks/3)
	level := make([]int, tasks)
	w := make([]Task, tasks)
	for i := range w {
		level[i] = i * depth / tasks
		w[i] = Task{fmt.Sprint("t", i), d.from(1, procs), Time(d.from(0, int(longest)))}
	}
	var edges []Edge
	for i := range w {
		first := slices.Index(level, level[i]-1)
		width := slices.Index(level, level[i]) - first
		if first < 0 {
			continue
		}
		for range 2 {
			e := Edge{first + d.IntN(width), i, Time(d.from(0, int(transfer)))}
			if !slices.ContainsFunc(edges, func(o Edge) bool { return o.From == e.From && o.To == i }) {
				edges = append(edges, e)
			}
		}
	}
	made, err := NewWorkflow(w, edges)
	if err != nil {
		panic(err)
	}
	return made
}

// advertised draws a workflow and the slots of sites whose processors are busy for some time.
func (d draw) advertised(tasks, sites, slots int) *Advertised {
	a := &Advertised{Workflow: d.workflow(tasks, 3, 9, 4), Sites: sites}
	for r := range sites {
		a.Slots = append(a.Slots, NewSlot(r, Time(d.from(10, 40)), Ever, d.from(3, 6)))
	}
	for len(a.Slots) < slots {
		start := Time(d.from(0, 40))
		a.Slots = append(a.Slots, NewSlot(d.IntN(sites), start, start+Time(d.from(2, 20)), d.from(1, 4)))
	}
	return a
}

// queried draws a workflow and sites with tasks that run and wait.
func (d draw) queried(tasks, sites, jobs int) *Queried {
	q := &Queried{Workflow: d.workflow(tasks, 3, 9, 4)}
	for range sites {
		s := Site{Procs: d.from(4, 8)}
		s.Running = []Lease{{s.Procs / 2, 0, Time(d.from(1, 12))}, {s.Procs - s.Procs/2, 0, Time(d.from(1, 12))}}
		start := Time(d.from(15, 30))
		s.Reservations = []Lease{{d.from(1, s.Procs), start, start + Time(d.from(1, 9))}}
		for range jobs {
			s.Queue = append(s.Queue, Job{d.from(1, s.Procs), Time(d.from(1, 12))})
		}
		q.Sites = append(q.Sites, s)
	}
	return q
}

// instance is a workflow with slots or queues.
type instance interface {
	Check(Plan) error
	Bound() Plan
}

func checked(t *testing.T, front Front, in instance) {
	t.Helper()
	bound := in.Bound()
	if len(front) == 0 {
		t.Error("there is no plan")
	}
	for i, p := range front {
		if err := in.Check(p); err != nil {
			t.Errorf("plan %d: %v", i, err)
		}
		if p.Cost < bound.Cost || p.Makespan < bound.Makespan {
			t.Errorf("plan %d: %d, %d is below the bound %d, %d", i, p.Cost, p.Makespan, bound.Cost, bound.Makespan)
		}
		if i > 0 && (p.Cost <= front[i-1].Cost || p.Makespan >= front[i-1].Makespan) {
			t.Errorf("plan %d does not follow plan %d", i, i-1)
		}
	}
}

func TestPlansOfMOGAPassTheChecker(t *testing.T) {
	for seed := range 10 {
		a := newDraw(seed).advertised(12, 1+seed%3, 14)
		front := a.MOGA(1)
		checked(t, front, a)
		if again := a.MOGA(1); !slices.EqualFunc(front, again, func(p, q Plan) bool {
			return p.Cost == q.Cost && p.Makespan == q.Makespan
		}) {
			t.Errorf("seed %d: two equal runs differ", seed)
		}
		if p, fits := a.Cheapest(); !fits || p.Cost != a.Area() || a.Check(p) != nil {
			t.Errorf("seed %d: divisible slots cost %d in place of %d", seed, p.Cost, a.Area())
		}
	}
}

func TestPlansOfGreedyPayTheDelaysThatTheyCause(t *testing.T) {
	for seed := range 20 {
		q := newDraw(seed).queried(10, 1+seed%3, 5)
		for _, alpha := range Alphas {
			p, fits := q.Greedy(alpha)
			if err := q.Check(p); !fits || err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if alpha.over == alpha.under && p.Cost != q.Area() {
				t.Errorf("seed %d: α=1 costs %d, best effort %d", seed, p.Cost, q.Area())
			}
		}
	}
}

func TestAZeroPriceIsAlwaysOnOffer(t *testing.T) {
	for seed := range 50 {
		q := newDraw(seed).queried(3, 1, 6)
		m := OpenUnder(&q.Sites[0], []Discipline{Conservative, Aggressive}[seed%2])
		list := m.Query(Time(seed), 5, 3)
		if last := list[len(list)-1]; last.Price != 0 {
			t.Errorf("seed %d: the last of %v is not free", seed, list)
		}
	}
}

// Slots that the schedule leaves free are quoted without another look at the queue.
func TestPricesAreThoseOfAWholeSchedule(t *testing.T) {
	for seed := range 50 {
		q := newDraw(seed).queried(1, 1, 8)
		quick, whole := Open(&q.Sites[0]), OpenUnder(&q.Sites[0], Conservative)
		for start := range Time(60) {
			p, open := quick.Quote(start, 4, 2)
			if price, admissible := whole.Quote(start, 4, 2); p != price || open != admissible {
				t.Fatalf("seed %d: at %d %d and %d", seed, start, p, price)
			}
		}
	}
}

func TestBestEffortPaysForItsTasksAlone(t *testing.T) {
	for seed := range 10 {
		d := newDraw(seed)
		a, q := d.advertised(10, 2, 10), d.queried(10, 2, 5)
		one, fits := a.BestEffort()
		if err := a.Workflow.check(one); !fits || err != nil || one.Cost != a.Area() {
			t.Errorf("seed %d: slots: %v", seed, err)
		}
		two, fits := q.BestEffort()
		if err := q.Check(two); !fits || err != nil || two.Cost != q.Area() {
			t.Errorf("seed %d: queues: %v", seed, err)
		}
	}
}

func TestTheCheckerFindsFaults(t *testing.T) {
	a := newDraw(1).advertised(6, 2, 8)
	q := newDraw(1).queried(6, 2, 4)
	advertised, _ := a.Cheapest()
	queried, _ := q.Greedy(Alphas[0])
	spoil := func(p Plan, how func(*Plan)) Plan {
		p.Places = slices.Clone(p.Places)
		how(&p)
		return p
	}
	for name, how := range map[string]func(*Plan){
		"cost":     func(p *Plan) { p.Cost++ },
		"makespan": func(p *Plan) { p.Makespan-- },
		"start":    func(p *Plan) { p.Places[5].Start = 0 },
		"site":     func(p *Plan) { p.Places[5].Site = 1 - p.Places[5].Site; p.Places[5].Start-- },
	} {
		if a.Check(spoil(advertised, how)) == nil {
			t.Errorf("slots: a wrong %s passes", name)
		}
		if q.Check(spoil(queried, how)) == nil {
			t.Errorf("queries: a wrong %s passes", name)
		}
	}
}
