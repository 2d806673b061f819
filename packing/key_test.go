package packing

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

func TestKeysAreSortedTheSameHoweverMany(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sizes := []float64{0, math.Copysign(0, -1), 1, -1, 1.5, -1e-300, 1e100, -1e100, math.Inf(1), math.Inf(-1), 3, 1 << 40}
	for _, n := range []int{0, 1, 2, 100, many - 1, many, 3 * many} {
		keys := make([]key, n)
		for rank := range keys {
			keys[rank] = key{sizes[r.IntN(len(sizes))], int32(rank)}
		}
		want := slices.Clone(keys)
		slices.SortStableFunc(want, func(a, b key) int { return cmp.Compare(b.size, a.size) })
		if got, _ := sortKeys(keys, nil); !slices.Equal(want, got) {
			t.Errorf("%d keys: %s", n, gocmp.Diff(want, got, gocmp.AllowUnexported(key{})))
		}
	}
}
