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

func TestOrdersOfTasksAreThoseOfTheLiterature(t *testing.T) {
	p := &packing.Problem{Nodes: []packing.Node{{CPU: 100, Rigid: []float64{100}}}}
	names := "ABCDE"
	for i, size := range [][2]float64{{90, 10}, {60, 60}, {30, 80}, {50, 40}, {25, 1}} {
		p.Items = append(p.Items, packing.Item{Count: 1, Need: size[0], Rigid: []float64{size[1]}, Label: uint64(i)})
	}
	in := newTableau(p)
	in.choose(indices(len(p.Items)))
	in.rise(1)
	for order, want := range map[Order]string{Max: "ACBDE", Sum: "BCADE", Ratio: "EACDB", Difference: "ACEDB",
		Lex: "ABDCE", RigidLex: "CBDAE"} {
		got := ""
		for _, k := range in.sorted(order) {
			got += names[in.kinds[k].item:][:1]
		}
		if got != want {
			t.Errorf("%s: %s, want %s", orders[order], got, want)
		}
	}
}

func TestTasksAreSortedAsPlainly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problem(t, rapid.IntRange(0, 3).Draw(t, "rigid dimensions"), false)
		level := float64(rapid.IntRange(0, 64).Draw(t, "level/64")) / 64
		in := newTableau(p)
		in.choose(indices(len(p.Items)))
		in.rise(level)
		for order := range Order(len(orders)) {
			var want, got [][]float64
			for _, t := range plainTasks(p, order, level) {
				want = append(want, t.size)
			}
			for _, k := range in.sorted(order) {
				got = append(got, slices.Repeat([][]float64{in.row(in.size, int(k))}, int(in.kinds[k].count))...)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s: %s", orders[order], diff)
			}
		}
	})
}

// The second node has more capacity in sum, but less in the sum of fractions of the mean node.
func TestOrdersOfNodesAreThoseOfTheLiterature(t *testing.T) {
	in := newTableau(&packing.Problem{Nodes: []packing.Node{
		{CPU: 100, Rigid: []float64{100}}, {CPU: 20, Rigid: []float64{190}}, {CPU: 30, Rigid: []float64{30}},
	}})
	for order, want := range map[NodeOrder][]int{AsGiven: {0, 1, 2}, Smallest: {2, 1, 0}, Largest: {0, 1, 2}} {
		if diff := cmp.Diff(want, in.nodesIn(order)); diff != "" {
			t.Errorf("%q: %s", nodeOrders[order], diff)
		}
	}
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
