package portfolio

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/study/instance"
)

// yieldsAt returns the yield of every mapped item at a level.
func yieldsAt(p *packing.Problem, m packing.Mapping, level float64) []float64 {
	yields, v := make([]float64, len(m)), make([]float64, p.Dimensions())
	for i, nodes := range m {
		if it := &p.Items[i]; nodes != nil && it.Need > 0 {
			it.Takes(v, level)
			yields[i] = v[0] / it.Need
		} else if nodes != nil {
			yields[i] = 1
		}
	}
	return yields
}

func TestAnswersAreFeasibleNoWorseThanMCB8AndWithinTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problem(t, rapid.IntRange(0, 2).Draw(t, "rigid dimensions"), rapid.Bool().Draw(t, "restricted"))
		order := rapid.Permutation(indices(len(p.Items))).Draw(t, "order")
		first := packing.Options{Accuracy: 0.001}.Search(p, order)
		r := Options{}.Search(p, order)
		if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
			t.Fatal(err)
		}
		if r.Cut {
			t.Fatal("was cut short")
		}
		if r.Yield > r.Bound.Level*(1+1e-9) {
			t.Fatalf("yield %v above the bound %v", r.Yield, r.Bound)
		}
		for i, nodes := range r.Mapping {
			if (nodes == nil) != slices.Contains(r.Dropped, i) {
				t.Fatalf("item %d: mapped to %v, dropped: %v", i, nodes, r.Dropped)
			}
		}
		if len(r.Dropped) > len(first.Dropped) || len(r.Dropped) == len(first.Dropped) && r.Yield < first.Yield-1e-12 {
			t.Fatalf("yield %v, dropped %v; MCB8 %v, %v", r.Yield, r.Dropped, first.Yield, first.Dropped)
		}
	})
}

func TestSameProblemGivesTheSameResult(t *testing.T) {
	for _, f := range []instance.Family{
		{Nodes: 40, Tasks: 160, PerJob: 5, Memory: 0.9, Need: 3}, {Nodes: 40, PerJob: 5, Memory: 0.9, Discrete: true},
	} {
		p, order := f.Draw(1)
		if diff := cmp.Diff(Options{}.Search(p, order), Options{}.Search(p, order)); diff != "" {
			t.Errorf("%v: %s", f, diff)
		}
	}
}

func TestBudgetIsKeptAndTheAnswerSaysThatItWasUsedUp(t *testing.T) {
	p, order := instance.Family{Nodes: 128, Tasks: 1000, PerJob: 1, Memory: 0.9, Need: 4}.Draw(1)
	whole := Options{}.Search(p, order)
	for _, steps := range []int64{1, 10_000, 1_000_000} {
		r := Options{Steps: steps}.Search(p, order)
		if !r.Cut || r.Steps > steps+50_000 {
			t.Errorf("budget %d: used %d, cut %v", steps, r.Steps, r.Cut)
		}
		if r.Yield > whole.Yield+1e-3 || len(r.Dropped) > 0 {
			t.Errorf("budget %d: yield %v, dropped %v", steps, r.Yield, r.Dropped)
		}
	}
}

func TestSearchEndsSoonAfterItIsStopped(t *testing.T) {
	p, order := instance.Family{Nodes: 128, Tasks: 1000, PerJob: 1, Memory: 0.9, Need: 4}.Draw(1)
	whole := Options{}.Search(p, order).Steps
	for _, after := range []int64{0, 1, 3, 40, 80} {
		asked := int64(0)
		r := Options{Stop: func() bool { asked++; return asked > after }}.Search(p, order)
		if !r.Cut || asked != after+1 || r.Steps > whole {
			t.Errorf("stopped at question %d: asked %d times, %d steps, cut %v", after+1, asked, r.Steps, r.Cut)
		}
		if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
			t.Error(err)
		}
	}
}

// Decreasing sizes fill one node of size 10 with 4 and 4 and another with three times 3, which leaves
// one 3 over.
func TestItemsThatMCB8GivesUpAreMappedWhereThereIsRoom(t *testing.T) {
	p := &packing.Problem{Nodes: slices.Repeat([]packing.Node{{CPU: 100, Rigid: []float64{10}}}, 2)}
	for i, memory := range []float64{4, 4, 3, 3, 3, 3} {
		p.Items = append(p.Items, packing.Item{Count: 1, Need: 10, Rigid: []float64{memory}, Label: uint64(i)})
	}
	if first := packing.Search(p, indices(6)); len(first.Dropped) != 1 {
		t.Fatalf("MCB8 drops %v", first.Dropped)
	}
	r := Options{}.Search(p, indices(6))
	if len(r.Dropped) > 0 || r.Yield != 1 || r.Method != "PP1/max+repair" {
		t.Errorf("dropped %v, yield %v, found by %s", r.Dropped, r.Yield, r.Method)
	}
	if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
		t.Error(err)
	}
}
