package portfolio

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/packing"
)

func TestEveryMethodPacksAsItsPublicationSays(t *testing.T) {
	methods := every()
	rapid.Check(t, func(t *rapid.T) {
		p := problem(t, rapid.IntRange(0, 3).Draw(t, "rigid dimensions"), false)
		level := float64(rapid.IntRange(0, 64).Draw(t, "level/64")) / 64
		m := rapid.SampledFrom(methods).Draw(t, "method")
		want, ok := plain(p, m, level)
		s := Options{}.begin(p)
		s.choose(indices(len(p.Items)))
		if !s.rise(level) {
			return
		}
		s.pack(m, s.now)
		if (s.now.rest == 0) != ok {
			t.Fatalf("%v leaves %d tasks, plainly success is %v", m, s.now.rest, ok)
		}
		for n := range p.Nodes {
			if diff := cmp.Diff(want[n], s.row(s.now.used, n)); ok && diff != "" {
				t.Fatalf("%v, node %d: %s", m, n, diff)
			}
		}
	})
}

func TestPermutationPackOfTwoDimensionsIsMCB8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problem(t, 1, false)
		order := rapid.Permutation(indices(len(p.Items))).Draw(t, "order")
		want := packing.Options{Accuracy: 0.01}.Search(p, order)
		got := MCB8.Search(p, order, Options{Accuracy: 0.01})
		if diff := cmp.Diff(want.Dropped, got.Dropped); diff != "" {
			t.Fatalf("dropped: %s", diff)
		}
		if got.Yield < want.Yield-1e-12 {
			t.Fatalf("level %v, MCB8 found %v", got.Yield, want.Yield)
		}
		for i, nodes := range want.Mapping {
			if !slices.Equal(nodes, got.Mapping[i]) {
				t.Fatalf("item %d is on %v, with MCB8 on %v", i, got.Mapping[i], nodes)
			}
		}
	})
}

func TestNamesOfMethodsAreReadBack(t *testing.T) {
	for _, m := range every() {
		if got, err := Parse(m.String()); err != nil || got != m {
			t.Errorf("%v is read as %v, %v", m, got, err)
		}
	}
	if _, err := Parse("FFD"); err == nil {
		t.Error("FFD was taken")
	}
}

func TestOnlyMethodsThatDifferArePublished(t *testing.T) {
	names := func(list []Method) (names []string) {
		for _, m := range list {
			names = append(names, m.String())
		}
		return names
	}
	want := []string{
		"PP1/max", "PP1/sum", "PP1/ratio", "PP1/difference", "PP1/lex", "PP1/rigid-lex",
		"FF/max", "FF/sum", "FF/ratio", "FF/difference", "FF/lex", "FF/rigid-lex",
		"BF/max", "BF/sum", "BF/ratio", "BF/difference", "BF/lex", "BF/rigid-lex",
	}
	if diff := cmp.Diff(want, names(Published(2, true))); diff != "" {
		t.Error(diff)
	}
	if got := len(Published(2, false)); got != 3*len(want) {
		t.Errorf("%d methods where nodes differ, want %d", got, 3*len(want))
	}
	if got := names(Published(1, true)); len(got) != 2 {
		t.Errorf("in one dimension: %v", got)
	}
}
