package radix

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
	for _, n := range []int{0, 1, 2, 100, many - 1, many, 3 * many, 5000} {
		keys, of := make([]Key, n), make([]float64, n)
		for rank := range keys {
			of[rank] = sizes[r.IntN(len(sizes))]
			keys[rank] = Key{Falling(of[rank]), int32(rank)}
		}
		want := slices.Clone(keys)
		slices.SortStableFunc(want, func(a, b Key) int { return cmp.Compare(of[b.Rank], of[a.Rank]) })
		got, rest := Sort(keys, nil, nil)
		if !slices.Equal(want, got) {
			t.Errorf("%d keys: %s", n, gocmp.Diff(want, got))
		}
		if again, _ := Sort(got, rest, nil); n > 0 && &again[0] != &got[0] {
			t.Errorf("%d keys that were in order were moved", n)
		}
	}
}

func TestEndIsAskedForBeforeEveryPass(t *testing.T) {
	keys := make([]Key, 5000)
	for rank := range keys {
		keys[rank] = Key{uint64(rank) * 0x9e3779b97f4a7c15, int32(rank)}
	}
	for end := 1; end <= 6; end++ { // 64 digits, 11 at a time
		asked := 0
		got, _ := Sort(slices.Clone(keys), nil, func() bool { asked++; return asked == end })
		if asked != end || len(got) != len(keys) {
			t.Errorf("end at question %d: asked %d times, %d keys", end, asked, len(got))
		}
	}
}
