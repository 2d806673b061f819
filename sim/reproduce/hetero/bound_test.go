package hetero

import (
	"math"
	"testing"

	"aliquot/sim/site"
)

func TestTheBoundOfOneJobInParallelIsItsTime(t *testing.T) {
	s := Campus(0)
	s.Clusters = s.Clusters[:1]
	got, err := lowerBound(s, []site.Job{{Type: 1}, {Type: 1}})
	p, e := float64(s.Times.Parallel[1][0])/1000, float64(s.Times.Sequential[1][0])/1000
	if want := min(3*p, 2*(e/16+e/2)+e/8); err != nil || math.Abs(got-want) > 1e-6 {
		t.Errorf("%g, want %g: %v", got, want, err)
	}
}

func TestNoPlanIsBelowTheBound(t *testing.T) {
	for number := range 3 {
		for _, n := range []int{1, 7, 25} {
			e := batch(number, priced, n)
			r, err := Run(e, still)
			if err != nil {
				t.Fatal(err)
			}
			least, err := Run(batch(number, bound, n), still)
			if err != nil || least.Sum > r.Sum+1e-6 || least.Sum < r.Sum/2 {
				t.Errorf("site %d, %d jobs: bound %g, ours %g: %v", number, n, least.Sum, r.Sum, err)
			}
		}
	}
}
