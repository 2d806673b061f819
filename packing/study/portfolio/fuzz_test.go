package portfolio

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/packingtest"
)

// FuzzAnswersAreValid expects for any valid numbers that the whole portfolio and every single method
// terminate with an answer that is feasible and no better than the bound.
func FuzzAnswersAreValid(f *testing.F) {
	f.Add([]byte{1, 0, 2, 5, 5, 5, 5, 3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1})
	f.Add([]byte{0, 1, 8, 1, 3, 8, 8, 0, 0, 1, 8, 8, 8, 0, 8, 0, 8})
	f.Add([]byte{2, 1, 4, 9, 9, 9, 9, 9, 9, 7, 0, 9, 9, 9, 9})
	methods := every()
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &packingtest.Hostile{Data: data}
		m, p := methods[h.Below(len(methods))], h.Problem()
		if p.Validate() != nil {
			return
		}
		o := Options{Steps: 100_000}
		for name, r := range map[string]Result{"the portfolio": o.Search(p, indices(len(p.Items))),
			m.String(): m.Search(p, indices(len(p.Items)), o)} {
			if err := p.Feasible(r.Mapping, granted(p, r.Mapping, r.Yield)); err != nil {
				t.Fatalf("%s, at level %v: %v", name, r.Yield, err)
			}
			if r.Yield > r.Bound.Level*(1+1e-8) && len(r.Dropped) < len(p.Items) {
				t.Fatalf("%s: yield %v is above the bound %+v", name, r.Yield, r.Bound)
			}
		}
	})
}

// granted returns the yield of each mapped item at a level.
func granted(p *packing.Problem, m packing.Mapping, level float64) []float64 {
	yields := yieldsAt(p, m, level)
	for i := range yields {
		yields[i] = min(1, yields[i])
	}
	return yields
}
