package assign_test

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/assign"
	"aliquot/packing/packingtest"
)

// FuzzAnswersAreValid expects for any valid numbers and any present mapping that the assignment moves
// no more than the input would, and no less than the bound.
func FuzzAnswersAreValid(f *testing.F) {
	f.Add([]byte{0, 2, 5, 5, 5, 5, 3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1})
	f.Add([]byte{1, 8, 1, 3, 8, 8, 0, 0, 1, 8, 8, 8, 0, 8, 0, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &packingtest.Hostile{Data: data}
		p := h.Problem()
		if p.Validate() != nil {
			return
		}
		var order []int
		for i := range p.Items {
			order = append(order, i)
		}
		now, next := h.Mapping(p), packing.Search(p, order).Mapping
		r := assign.Parts(p, now, next, []int{0, 10, 1000, assign.Exact}[h.Below(4)])
		before, after := assign.Moved(p, now, next), assign.Moved(p, now, r.Mapping)
		if !(after <= before) || after != r.Moved || !(r.Bound <= after*(1+1e-9)) {
			t.Fatalf("%v is moved instead of %v, says %v, at least %v", after, before, r.Moved, r.Bound)
		}
		if len(r.Mapping) != len(p.Items) {
			t.Fatalf("%d items are mapped, of %d", len(r.Mapping), len(p.Items))
		}
	})
}
