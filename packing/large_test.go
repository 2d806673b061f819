package packing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/packing"
	"aliquot/packing/study/instance"
)

// TestLargeProblemsArePackedAsPublished covers high trees, sorting by counting and repeated nodes.
func TestLargeProblemsArePackedAsPublished(t *testing.T) {
	for _, f := range []instance.Family{
		{Nodes: 60, Tasks: 700, PerJob: 1, Memory: 0.8, Need: 2},
		{Nodes: 60, Tasks: 600, PerJob: 5, Memory: 0.8, Need: 3},
		{Nodes: 100, PerJob: 3, Memory: 0.7, Discrete: true},
		{Nodes: 150, PerJob: 1, Memory: 0.9, Discrete: true},
	} {
		p, _ := f.Draw(7)
		for _, level := range []float64{1.0 / 128, 0.25, 0.5} {
			m, ok := packing.Pack(p, level)
			plain, plainOK := packing.PlainPack(p, level)
			if diff := cmp.Diff(plain, m); ok != plainOK || diff != "" {
				t.Errorf("%v at level %v: success %v, plainly %v, %s", f, level, ok, plainOK, diff)
			}
		}
	}
}

// TestLargeProblemsAreSearchedAsPublished covers levels that are accepted or refused before all tasks
// are placed.
func TestLargeProblemsAreSearchedAsPublished(t *testing.T) {
	o := packing.Options{High: 1, Accuracy: 0.01}
	for _, f := range []instance.Family{
		{Nodes: 60, Tasks: 700, PerJob: 1, Memory: 0.4, Need: 1},
		{Nodes: 60, Tasks: 1200, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 60, Tasks: 600, PerJob: 5, Memory: 0.9, Need: 6},
		{Nodes: 40, Tasks: 400, PerJob: 1, Memory: 1.1, Need: 2},
		{Nodes: 100, PerJob: 1, Memory: 0.7, Discrete: true},
		{Nodes: 100, PerJob: 5, Memory: 0.5, Discrete: true},
	} {
		for seed := range uint64(3) {
			p, order := f.Draw(seed)
			r := o.Search(p, order)
			m, yield, dropped := packing.PlainSearch(p, o, order)
			want := packing.Result{Mapping: m, Yield: yield, Dropped: dropped, Probes: r.Probes}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Errorf("%v, seed %d: %s", f, seed, diff)
			}
		}
	}
}
