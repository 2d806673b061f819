package packing_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/packing"
	"aliquot/packing/instance"
)

// TestLargeProblemsArePackedAsPublished goes where trees are high, sorting is by counting and nodes repeat.
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
