package market

import (
	"fmt"
	"slices"
	"testing"
)

// bruteQueries returns the exact front of all plans in HEFT order at the starts that queries name.
func bruteQueries(q *Queried) (front Front) {
	order := q.order(q.ranks(len(q.Sites)))
	var place func(at int, markets []*Market, plan Plan)
	place = func(at int, markets []*Market, plan Plan) {
		if at == len(order) {
			plan.measure(q.Workflow)
			front.Add(plan)
			return
		}
		for _, t := range q.tuples(markets, order[at], plan.Places) {
			next, longer := slices.Clone(markets), plan
			next[t.site], longer.Places = markets[t.site].copy(), slices.Clone(plan.Places)
			longer.reserve(q, next, order[at], t)
			place(at+1, next, longer)
		}
	}
	place(0, q.markets(), Plan{Places: make([]Place, len(q.Tasks))})
	return front
}

func TestBestFindsTheFrontOfAllQueries(t *testing.T) {
	for seed := range 6 {
		q := newDraw(seed).queried(3, 1+seed%2, 2)
		want := bruteQueries(q)
		got, complete := q.Best()
		checked(t, got, q)
		if !complete || slices.ContainsFunc(want, func(p Plan) bool { return !got.covers(p.Cost, p.Makespan) }) {
			t.Errorf("seed %d: %v, want %v or better", seed, got, want)
		}
		checked(t, want, q)
	}
}

func TestBestFindsPlansInOtherOrders(t *testing.T) {
	w, err := NewWorkflow([]Task{{"a", 1, 4}, {"b", 2, 1}, {"c", 1, 2}}, []Edge{{1, 2, 0}})
	if err != nil {
		t.Fatal(err)
	}
	q := &Queried{w, []Site{{Procs: 2}}}
	ordered := bruteQueries(q)
	best, _ := q.Best()
	if checked(t, best, q); ordered[0].Makespan != 7 || best[0].Makespan != 5 {
		t.Errorf("%v in HEFT order, %v", ordered, best)
	}
}

func TestQueriesOfManyTasksAreAnswered(t *testing.T) {
	for seed := range 3 {
		q := newDraw(seed).queried(20+10*seed, 1+seed, 6)
		best, _ := q.Best()
		checked(t, best, q)
		checked(t, q.Sweep(), q)
		if best[0].Cost != q.Area() {
			t.Errorf("seed %d: the cheapest plan costs %d, not %d", seed, best[0].Cost, q.Area())
		}
	}
}

func TestTheExhaustiveSearchFindsTheFrontOfAllStarts(t *testing.T) {
	for seed := range 3 {
		q := newDraw(seed).queried(3, 1, 2)
		found, _ := q.Best()
		complete := q.Exhaust(&found, 1_000_000)
		want := bruteStarts(q, found[0].Makespan)
		if checked(t, found, q); !complete || !slices.EqualFunc(found, want, same) {
			t.Errorf("seed %d: %v, want %v", seed, found, want)
		}
	}
}

// bruteStarts returns the exact front of all plans on one site that end by a time.
func bruteStarts(q *Queried, last Time) (front Front) {
	h := q.haggle()
	plan := Plan{Places: make([]Place, len(q.Tasks))}
	var place func(at int)
	place = func(at int) {
		if at < len(q.sorted) {
			i := q.sorted[at]
			for start := q.ready(i, 0, plan.Places); start+q.Tasks[i].Run <= last; start++ {
				plan.Places[i] = Place{Start: start}
				place(at + 1)
			}
			return
		}
		p := Plan{Places: slices.Clone(plan.Places)}
		if h.price(&p) {
			p.measure(q.Workflow)
			front.Add(p)
		}
	}
	place(0)
	return front
}

func TestASearchOfAllQueriesIsNotBegunWhereOneTakesTooLong(t *testing.T) {
	q := busy(1, 1, 1000, 2000)
	if front := (Front{}); q.finish(&front) || len(front) > 0 {
		t.Errorf("%v", front)
	}
}

// busy draws a machine with a queue, and a workflow whose levels have a number of tasks.
func busy(tasks, width, procs, jobs int) *Queried {
	d := newDraw(1)
	s := Site{Procs: procs, Running: []Lease{{procs * 3 / 4, 0, 900}, {procs / 4, 0, 2700}}}
	for range jobs {
		s.Queue = append(s.Queue, Job{d.from(1, procs/2), Time(d.from(60, 7200))})
	}
	var all []Task
	var edges []Edge
	for i := range tasks {
		all = append(all, Task{fmt.Sprint("t", i), d.from(1, 43), Time(d.from(500, 1500))})
		if i >= width {
			edges = append(edges, Edge{From: (i/width-1)*width + d.IntN(width), To: i})
		}
	}
	w, err := NewWorkflow(all, edges)
	if err != nil {
		panic(err)
	}
	return &Queried{Workflow: w, Sites: []Site{s}}
}

func BenchmarkCheapestPlanOfQueries(b *testing.B) {
	for name, q := range map[string]*Queried{"100": busy(100, 10, 430, 40), "10000": busy(10_000, 100, 1000, 60)} {
		h := q.haggle()
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h.try(terms{latest: slices.Repeat([]Time{Ever}, len(q.Tasks))})
			}
		})
	}
}

func BenchmarkFastestPlanOfQueries(b *testing.B) {
	h := busy(100, 10, 430, 40).haggle()
	for b.Loop() {
		h.try(terms{latest: make([]Time, 100)})
	}
}
