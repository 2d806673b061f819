package packing_test

import (
	"math/rand/v2"
	"testing"

	"aliquot/packing"
)

// slowNodes draws nodes, some of which are slow, and items of up to three tasks.
func slowNodes(seed uint64) *packing.Problem {
	r, p := rand.New(rand.NewPCG(seed, 0)), &packing.Problem{}
	for range 2 + r.IntN(3) {
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(1 + r.IntN(4)), Rigid: []float64{4}})
	}
	for i := range 1 + r.IntN(6) {
		it := packing.Item{Count: 1 + r.IntN(3), Need: float64(1+r.IntN(8)) / 4, MinCPU: 0.01, Rigid: []float64{1},
			Label: uint64(i)}
		if r.IntN(4) > 0 {
			for range p.Nodes {
				it.Tops = append(it.Tops, []float64{1, 0.5, 0.25}[r.IntN(3)])
				it.Top = max(it.Top, it.Tops[len(it.Tops)-1])
			}
		}
		p.Items = append(p.Items, it)
	}
	return p
}

func TestNoTaskIsPromisedMoreThanItsNodeCanGive(t *testing.T) {
	for seed := range uint64(2000) {
		p := slowNodes(seed)
		if err := p.Validate(); err != nil {
			t.Fatal(err)
		}
		order := make([]int, len(p.Items))
		for i := range order {
			order[i] = i
		}
		r := packing.Search(p, order)
		yields := packing.MaxMin(p, r.Mapping)
		if err := p.Feasible(r.Mapping, yields); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		average, err := packing.Average(p, r.Mapping, 0, nil)
		if err == nil {
			err = p.Feasible(r.Mapping, average)
		}
		if err != nil {
			t.Fatalf("seed %d, average: %v", seed, err)
		}
		for i, y := range yields {
			if least := r.Yield - 1e-9; r.Mapping[i] != nil && y < least && !p.Items[i].Satisfied(y) {
				t.Fatalf("seed %d: item %d has %v at level %v", seed, i, y, r.Yield)
			}
		}
	}
}

func TestOneThatOnlySlowNodesTakeKeepsNobodyElseDown(t *testing.T) {
	p := &packing.Problem{
		Nodes: []packing.Node{{CPU: 1, Rigid: []float64{1}}, {CPU: 1, Rigid: []float64{1}}},
		Items: []packing.Item{
			{Count: 1, Need: 1, Rigid: []float64{1}, Allowed: []bool{false, true}, Tops: []float64{1, 0.25}, Top: 0.25},
			{Count: 1, Need: 1, Rigid: []float64{1}, Tops: []float64{1, 0.25}, Top: 1},
		},
	}
	r := packing.Search(p, []int{0, 1})
	if yields := packing.MaxMin(p, r.Mapping); r.Yield < 0.98 || yields[0] != 0.25 || yields[1] != 1 {
		t.Errorf("level %v, yields %v on %v", r.Yield, yields, r.Mapping)
	}
}

func TestOnlyItsWholeNeedSatisfiesAnItemWithoutATop(t *testing.T) {
	almost := 1 - 1e-12
	whole, slow := packing.Item{}, packing.Item{Top: 0.5}
	if whole.Satisfied(almost) || !whole.Satisfied(1) {
		t.Error("an item that can have all of its need")
	}
	if !slow.Satisfied(almost/2) || slow.Satisfied(0.49) {
		t.Error("an item that can have half of its need")
	}
}
