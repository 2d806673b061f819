package hetero

import (
	"math"
	"testing"

	"aliquot/packing/linear"
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

// alone returns the least sum of job times of all plans without parallel runs, in seconds: the cheapest assignment of
// jobs to places from the last on a machine (Horn; Bruno, Coffman, Sethi).
func alone(t *testing.T, s *site.Site, jobs []site.Job) float64 {
	t.Helper()
	p := &linear.Program{Limits: make([]float64, len(s.Times.Types))}
	for _, j := range jobs {
		p.Limits[j.Type]++
	}
	for c, cluster := range s.Clusters {
		for place := range 1 + len(jobs)/8 {
			p.Limits = append(p.Limits, float64(len(cluster.Members)))
			for kind := range s.Times.Types {
				cost := float64(place+1) * float64(s.Times.Sequential[kind][cluster.Members[0]]) / 1000
				p.Columns = append(p.Columns, linear.Column{Gain: dear - cost, Most: float64(len(s.Clusters[c].Members)),
					Entries: []linear.Entry{{Row: kind, Value: 1}, {Row: len(p.Limits) - 1, Value: 1}}})
			}
		}
	}
	x, err := p.Maximum()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	for i, part := range x {
		sum += part * (dear - p.Columns[i].Gain)
	}
	return sum
}

func TestSJSIsNearTheBestPlanWithoutClusters(t *testing.T) {
	for _, n := range []int{5, 10, 20, 50, 100, 200} {
		e := batch(0, sjs, n)
		r, err := Run(e, still)
		if err != nil {
			t.Fatal(err)
		}
		if best := alone(t, Campus(0), e.draw()); r.Sum < best-1e-3 || r.Sum > 1.07*best {
			t.Errorf("%d jobs: %g, the best plan has %g", n, r.Sum, best)
		}
	}
}
