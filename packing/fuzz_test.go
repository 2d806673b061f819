package packing_test

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/packingtest"
)

// FuzzAnswersAreValid expects either an error or a valid answer for any numbers.
func FuzzAnswersAreValid(f *testing.F) {
	f.Add([]byte{1, 2, 1, 5, 5, 5, 5, 3, 0, 1, 0, 1, 0, 0, 0})
	f.Add([]byte{0, 1, 8, 1, 3, 8, 8, 0, 0, 1, 8, 8, 8, 0, 8, 0, 8})
	f.Add([]byte{2, 4, 9, 9, 9, 9, 9, 9, 7, 0, 9, 9, 9, 9})
	f.Add([]byte{0, 1, 0, 0, 0, 0, 0, 2, 5, 5, 1, 1, 1, 2, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0,
		0, 1, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &packingtest.Hostile{Data: data}
		o := packing.Options{Low: h.Size(), High: h.Size(), Accuracy: h.Size(), Strict: h.Below(2) == 1}
		p := h.Problem()
		if p.Validate() != nil {
			return
		}
		var order []int
		for i := range p.Items {
			order = append(order, i)
		}
		r := o.Search(p, order)
		check := func(yields []float64) {
			for i, y := range yields {
				if !(y >= 0 && y <= 1) || r.Mapping[i] == nil && y != 0 {
					t.Fatalf("item %d has a yield of %v", i, y)
				}
			}
		}
		check(packing.MaxMin(p, r.Mapping))
		if yields, err := packing.Average(p, r.Mapping, h.Size(), nil); err == nil {
			check(yields)
			if err := p.Feasible(r.Mapping, yields); err != nil {
				t.Fatal(err)
			}
		}
		levels, v := make([]float64, len(p.Items)), make([]float64, p.Dimensions())
		for i := range p.Items {
			if it := &p.Items[i]; r.Mapping[i] != nil && it.Need > 0 {
				it.Takes(v, r.Yield)
				levels[i] = min(1, v[0]/it.Need)
			} else if r.Mapping[i] != nil {
				levels[i] = 1
			}
		}
		if err := p.Feasible(r.Mapping, levels); err != nil {
			t.Fatalf("at level %v: %v", r.Yield, err)
		}
	})
}
