package market

import (
	"slices"
	"testing"
)

// brute returns the exact front: every task at every start up to a last one, on all ways to divide it among slots.
func brute(a *Advertised, last Time) (front Front) {
	plan := Plan{Places: make([]Place, len(a.Tasks))}
	var place func(at int)
	place = func(at int) {
		if at == len(a.Tasks) {
			p := Plan{Cost: a.cost(plan.Places), Places: clonePlaces(plan.Places)}
			if p.measure(a.Workflow); !front.covers(p.Cost, p.Makespan) && a.Check(p) == nil {
				front.Add(p)
			}
			return
		}
		i := a.sorted[at]
		for r := range a.Sites {
			for start := a.ready(i, r, plan.Places); start <= last; start++ {
				for _, parts := range divisions(a.Slots, r, 0, a.Tasks[i].Procs) {
					plan.Places[i] = Place{Site: r, Start: start, Parts: parts}
					place(at + 1)
				}
			}
		}
	}
	place(0)
	return front
}

func divisions(slots []Slot, site, slot, n int) (all [][]Part) {
	if n == 0 {
		return [][]Part{nil}
	}
	if slot == len(slots) {
		return nil
	}
	all = divisions(slots, site, slot+1, n)
	for k := 1; k <= n && slots[slot].Site == site; k++ {
		for _, rest := range divisions(slots, site, slot+1, n-k) {
			all = append(all, append([]Part{{slot, k}}, rest...))
		}
	}
	return all
}

// tiny draws three tasks on slots of one or two sites.
func tiny(seed int) *Advertised {
	d := newDraw(seed)
	a := &Advertised{Workflow: d.workflow(3, 2, 2, 1), Sites: 1 + seed%2}
	a.Slots = append(a.Slots, NewSlot(0, Time(d.from(2, 4)), Ever, 2))
	for range 3 {
		start := Time(d.from(0, 5))
		a.Slots = append(a.Slots, NewSlot(d.IntN(a.Sites), start, start+Time(d.from(2, 4)), d.from(1, 2)))
	}
	return a
}

func same(a, b Plan) bool { return a.Cost == b.Cost && a.Makespan == b.Makespan }

func TestBestFindsTheFrontOfBruteForce(t *testing.T) {
	for seed := range 5 {
		a := tiny(seed)
		want := brute(a, 9)
		got, complete := a.Best()
		if checked(t, got, a); !complete || !slices.EqualFunc(got, want, same) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
		checked(t, want, a)
		for _, other := range []*Advertised{backwards(a), rotated(a)} {
			if front, _ := other.Best(); !slices.EqualFunc(front, want, same) {
				t.Errorf("seed %d: with other numbers %v, want %v", seed, front, want)
			}
		}
	}
}

// backwards returns the instance with its tasks numbered the other way round.
func backwards(a *Advertised) *Advertised {
	return renumbered(a, func(i int) int { return len(a.Tasks) - 1 - i })
}

// rotated returns the instance with its last task first.
func rotated(a *Advertised) *Advertised {
	return renumbered(a, func(i int) int { return (i + 1) % len(a.Tasks) })
}

func renumbered(a *Advertised, number func(int) int) *Advertised {
	tasks := make([]Task, len(a.Tasks))
	var edges []Edge
	for i, t := range a.Tasks {
		tasks[number(i)] = t
		for _, p := range a.parents[i] {
			edges = append(edges, Edge{number(p.task), number(i), p.transfer})
		}
	}
	w, err := NewWorkflow(tasks, edges)
	if err != nil {
		panic(err)
	}
	return &Advertised{w, a.Sites, a.Slots}
}

// A parent without run time whose child has a lower number begins with that child at the latest.
func TestTheExactSearchTriesParentsBeforeChildrenOfLowerNumbers(t *testing.T) {
	w, err := NewWorkflow([]Task{{"a", 2, 0}, {"b", 1, 5}, {"c", 1, 4}, {"d", 1, 0}, {"e", 1, 4}},
		[]Edge{{0, 1, 0}, {0, 2, 0}, {2, 3, 0}})
	if err != nil {
		t.Fatal(err)
	}
	a := &Advertised{w, 1, []Slot{NewSlot(0, 1, 6, 1), NewSlot(0, 8, 12, 1), NewSlot(0, 10, 13, 1), NewSlot(0, 2, 8, 2),
		NewSlot(0, 3, 8, 2), NewSlot(0, 11, 14, 1), NewSlot(0, 9, Ever, 2)}}
	one, _ := a.Best()
	two, _ := backwards(a).Best()
	if checked(t, one, a); !slices.EqualFunc(one, two, same) {
		t.Errorf("%v, and with other numbers %v", one, two)
	}
}

// The last task must come first, against its rank. There are too many tasks for the exact search.
func TestBestTriesOtherOrdersWhereHEFTFindsNoPlan(t *testing.T) {
	tasks := named(3, 9, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	edges := []Edge{{0, 1, 0}}
	for i := 3; i < len(tasks); i++ {
		edges = append(edges, Edge{1, i, 0})
	}
	w, err := NewWorkflow(tasks, edges)
	if err != nil {
		t.Fatal(err)
	}
	a := &Advertised{w, 1, []Slot{NewSlot(0, 0, 10, 1), NewSlot(0, 2, 5, 1), NewSlot(0, 20, 30, 1),
		NewSlot(0, 40, 41, 11)}}
	if best, _ := a.Best(); len(a.Sweep()) > 0 {
		t.Error("the sweep finds a plan")
	} else {
		checked(t, best, a)
	}
}

func TestATaskWithoutRunTimeNeedsAnOpenSlot(t *testing.T) {
	w := chain(t, 10, 0)
	shut := &Advertised{w, 1, []Slot{NewSlot(0, 0, 10, 1)}}
	if best, _ := shut.Best(); len(best)+len(shut.MOGA(1)) > 0 || shut.Bound().Makespan < Ever {
		t.Errorf("%v, bound %v", best, shut.Bound())
	}
	late := &Advertised{w, 1, []Slot{NewSlot(0, 0, 10, 1), NewSlot(0, 14, Ever, 1)}}
	if best, _ := late.Best(); len(best) != 1 || best[0].Makespan != 14 || late.Bound().Makespan != 14 {
		t.Errorf("%v, bound %v", best, late.Bound())
	}
}

func TestAnExactFrontHasPlansAsGoodAsAllOthers(t *testing.T) {
	for seed := range 8 {
		a := newDraw(seed).advertised(4+seed%3, 1+seed%2, 5+seed)
		best, complete := a.Best()
		checked(t, best, a)
		for _, front := range []Front{a.MOGA(1), a.Sweep()} {
			checked(t, front, a)
			for _, p := range front {
				if complete && !best.covers(p.Cost, p.Makespan) {
					t.Errorf("seed %d: nothing is as good as %d, %d", seed, p.Cost, p.Makespan)
				}
			}
		}
	}
}

func TestSlotsOfAllKindsAreBoughtByTheirRules(t *testing.T) {
	for seed := range 10 {
		d := newDraw(seed)
		a := d.advertised(12, 2, 12)
		for i := range a.Slots[a.Sites:] {
			s := &a.Slots[a.Sites+i]
			s.Divisible, s.Extensible = d.IntN(2) == 0, d.IntN(2) == 0
			s.Charge, s.Fixed = Price(d.from(0, 3)), Price(d.from(0, 9))
		}
		best, _ := a.Best()
		checked(t, best, a)
		checked(t, a.MOGA(1), a)
	}
}

func TestLateWorkflowsWithoutAnySlotHaveNoPlan(t *testing.T) {
	a := &Advertised{Workflow: chain(t, 3, 3), Sites: 1, Slots: []Slot{NewSlot(0, 0, 5, 4)}}
	if best, _ := a.Best(); len(best)+len(a.MOGA(1))+len(a.Sweep()) > 0 {
		t.Errorf("%v", best)
	}
}
