package bound_test

import (
	"math"
	"slices"
	"testing"

	"aliquot/packing"
	"aliquot/packing/packingtest"
	"aliquot/packing/study/bound"
	"aliquot/packing/study/portfolio"
)

// FuzzNothingReachesMoreThanTheBound expects for any valid numbers a bound within the range of levels
// that neither MCB8 nor the portfolio exceeds with the items that they map.
func FuzzNothingReachesMoreThanTheBound(f *testing.F) {
	f.Add([]byte{0, 1, 1, 0, 2, 5, 5, 5, 5, 3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1})
	f.Add([]byte{0, 0, 0, 1, 8, 1, 3, 8, 8, 0, 0, 1, 8, 8, 8, 0, 8, 0, 8})
	f.Add([]byte{15, 14, 2, 1, 4, 9, 9, 9, 9, 9, 9, 7, 0, 9, 9, 9, 9})
	f.Add([]byte("0001000007Z1010")) // a node with next to nothing of a dimension that no task uses
	f.Fuzz(func(t *testing.T, data []byte) {
		h := &packingtest.Hostile{Data: data}
		low, high, p := h.Size(), h.Size(), h.Problem()
		if p.Validate() != nil {
			return
		}
		from, to := packing.Levels(low, high)
		of := func(items []int) bound.Bound {
			b := bound.Options{Low: low, High: high}.Of(p, items)
			if !(b.Level >= from && b.Level <= to && b.Relaxation >= b.Level) {
				t.Fatalf("%+v, within %v and %v", b, from, to)
			}
			return b
		}
		of(all(p))
		mcb8 := packing.Options{Low: low, High: high}.Search(p, all(p))
		best := portfolio.Options{Low: low, High: high, Steps: 100_000}.Search(p, all(p))
		for name, r := range map[string]packing.Result{"MCB8": mcb8, "the portfolio": {Mapping: best.Mapping,
			Yield: best.Yield}} {
			kept := slices.DeleteFunc(all(p), func(i int) bool { return r.Mapping[i] == nil })
			if b := of(kept); len(kept) > 0 && (b.Impossible || r.Yield > b.Level+math.Abs(b.Level)*1e-8) {
				t.Fatalf("%s reaches %v, the bound is %+v\n%+v\n%v", name, r.Yield, b, p, r.Mapping)
			}
		}
	})
}
