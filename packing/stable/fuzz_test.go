package stable_test

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/assign"
	"aliquot/packing/packingtest"
	"aliquot/packing/stable"
)

// FuzzAnswersAreValid expects a feasible mapping of the items that MCB8 maps, for any valid numbers
// and any present mapping.
func FuzzAnswersAreValid(f *testing.F) {
	f.Add([]byte{1, 0, 2, 5, 5, 5, 5, 3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1})
	f.Add([]byte{0, 1, 8, 1, 3, 8, 8, 0, 0, 1, 8, 8, 8, 0, 8, 0, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &packingtest.Hostile{Data: data}
		o := stable.Options{Tolerance: []float64{0, 0.01, 0.5, 0.999}[h.Below(4)], Budget: 100_000}
		p := h.Problem()
		for i := range p.Items {
			p.Items[i].Line = packing.Line{}
		}
		if p.Validate() != nil {
			return
		}
		now := h.Mapping(p)
		r := o.Search(p, now, order(p))
		if err := p.Feasible(r.Mapping, packing.MaxMin(p, r.Mapping)); err != nil {
			t.Fatal(err)
		}
		if r.Yield < r.Best*(1-o.Tolerance)*(1-1e-8) {
			t.Fatalf("yield %v of %v at a tolerance of %v", r.Yield, r.Best, o.Tolerance)
		}
		home := stable.Home(p, now, packing.Search(p, order(p)).Mapping, o.Budget)
		if err := p.Feasible(home, packing.MaxMin(p, home)); err != nil || stable.Least(p, home) < r.Best*(1-1e-8) {
			t.Fatalf("at home the yield is %v of %v: %v", stable.Least(p, home), r.Best, err)
		}
		if moved := assign.Moved(p, now, r.Mapping); moved != r.Moved || !(r.Yield >= 0 && r.Yield <= 1) {
			t.Fatalf("%v is moved, says %+v", moved, r)
		}
	})
}
