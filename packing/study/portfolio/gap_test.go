package portfolio

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/study/bound"
	"aliquot/packing/study/instance"
)

// TestGapIsAFractionOfThatOfMCB8 holds the promise of docs/packing.md on families that are solved
// instantly. Both gaps are those of the worst-off job's yield under the mapping, not of the level at
// which it was found.
func TestGapIsAFractionOfThatOfMCB8(t *testing.T) {
	for _, of := range []struct {
		instance.Family
		goal float64
	}{
		{instance.Family{Nodes: 128, Tasks: 100, PerJob: 1, Memory: 0.4, Need: 0.6}, 0.6},
		{instance.Family{Nodes: 128, Tasks: 500, PerJob: 5, Memory: 0.7, Need: 2}, 0.6},
		{instance.Family{Nodes: 128, Tasks: 500, PerJob: 5, Memory: 0.9, Need: 3}, 0.6},
		{instance.Family{Nodes: 128, Tasks: 1600, PerJob: 5, Memory: 0.9, Need: 6}, 0.6},
		{instance.Family{Nodes: 128, Tasks: 500, PerJob: 1, Memory: 0.7, Need: 2}, 0.6},
		{instance.Family{Nodes: 128, PerJob: 5, Memory: 0.9, Discrete: true}, 0.5},
		{instance.Family{Nodes: 128, PerJob: 1, Memory: 0.9, Discrete: true}, 0.5},
	} {
		before, after := 0.0, 0.0
		for seed := uint64(1); seed <= 5; seed++ {
			p, order := of.Draw(seed)
			first := packing.Options{Accuracy: 0.001}.Search(p, order)
			yield := 1 / max(1, p.Load(first.Mapping))
			before += bound.Of(p, without(order, first.Dropped, len(p.Items))).Gap(yield)
			r := Options{}.Search(p, order)
			after += r.Bound.Gap(r.Yield)
			if r.Yield < yield-1e-12 || len(r.Dropped) > len(first.Dropped) {
				t.Errorf("%v, seed %d: yield %v, MCB8 %v", of.Family, seed, r.Yield, yield)
			}
		}
		if t.Logf("%v: mean gap %.5f, MCB8's %.5f", of.Family, after/5, before/5); after > of.goal*before {
			t.Errorf("%v: the gap is %.2f of MCB8's", of.Family, after/before)
		}
	}
}
