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
		if checked(t, got, a.Check); !complete || !slices.EqualFunc(got, want, same) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
		if bound := a.Bound(); want[0].Cost < bound.Cost || want[len(want)-1].Makespan < bound.Makespan {
			t.Errorf("seed %d: the bound %+v is above %v", seed, bound, want)
		}
	}
}

func TestAnExactFrontHasPlansAsGoodAsAllOthers(t *testing.T) {
	for seed := range 8 {
		a := newDraw(seed).advertised(4+seed%3, 1+seed%2, 5+seed)
		best, complete := a.Best()
		checked(t, best, a.Check)
		for _, front := range []Front{a.MOGA(1), a.Sweep()} {
			checked(t, front, a.Check)
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
		checked(t, best, a.Check)
		checked(t, a.MOGA(1), a.Check)
	}
}

func TestLateWorkflowsWithoutAnySlotHaveNoPlan(t *testing.T) {
	a := &Advertised{Workflow: chain(t, 3, 3), Sites: 1, Slots: []Slot{NewSlot(0, 0, 5, 4)}}
	if best, _ := a.Best(); len(best)+len(a.MOGA(1))+len(a.Sweep()) > 0 {
		t.Errorf("%v", best)
	}
}
