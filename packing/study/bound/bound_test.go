package bound_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/study/bound"
)

func all(p *packing.Problem) (items []int) {
	for i := range p.Items {
		items = append(items, i)
	}
	return items
}

// tasks returns single tasks with the given CPU needs and memory requirements on nodes of 10 and 10.
func tasks(nodes int, sizes ...[2]float64) *packing.Problem {
	p := &packing.Problem{Nodes: slices.Repeat([]packing.Node{{CPU: 10, Rigid: []float64{10}}}, nodes)}
	for _, size := range sizes {
		p.Items = append(p.Items, packing.Item{Count: 1, Need: size[0], Rigid: size[1:]})
	}
	return p
}

func TestArgumentsGiveTheBoundTheyAreFor(t *testing.T) {
	for name, c := range map[string]struct {
		p    *packing.Problem
		want bound.Bound
	}{
		"enough for everybody": {tasks(2, [2]float64{5, 5},
			[2]float64{5, 5}), bound.Bound{Level: 1, Relaxation: 1, Argument: bound.Full}},
		"twice as much needed as there is": {tasks(1, [2]float64{10, 1},
			[2]float64{10, 1}), bound.Bound{Level: 0.5, Relaxation: 0.5, Argument: bound.Relaxation}},
		"more needed by one than a node has": {tasks(4, [2]float64{40, 1}),
			bound.Bound{Level: 0.25, Relaxation: 1, Argument: bound.Pigeonhole}},
		"three equal tasks on two nodes": {tasks(2, [2]float64{10, 1},
			[2]float64{10, 1}, [2]float64{10, 1}), bound.Bound{Level: 0.5, Relaxation: 2.0 / 3, Argument: bound.Pigeonhole}},
		"one has all memory of its node, two share the other": {tasks(2, [2]float64{1, 10},
			[2]float64{10, 1}, [2]float64{10, 1}), bound.Bound{Level: 0.5, Relaxation: 20.0 / 21, Argument: bound.Pigeonhole}},
		"three to a node, but tasks of nine tenths of the memory leave room for one": {slots(),
			bound.Bound{Level: 0.25, Relaxation: 10.0 / 26, Argument: bound.Slots}},
		"more memory than there is": {tasks(1, [2]float64{1, 6},
			[2]float64{1, 6}), bound.Bound{Argument: bound.Relaxation, Impossible: true}},
		"three of more than half the memory on two nodes": {tasks(2, [2]float64{1, 6},
			[2]float64{1, 6}, [2]float64{1, 6}), bound.Bound{Level: 0, Relaxation: 1, Argument: bound.Pigeonhole,
			Impossible: true}},
		"one of seven tenths and three of four on two nodes": {tasks(2, [2]float64{1, 7},
			[2]float64{1, 4}, [2]float64{1, 4}, [2]float64{1, 4}), bound.Bound{Relaxation: 1, Argument: bound.Dual,
			Impossible: true}},
	} {
		got := bound.Of(c.p, all(c.p))
		near := func(a, b float64) bool { return a > b-1e-12 && a < b+1e-8 }
		if !near(got.Level, c.want.Level) || got.Argument != c.want.Argument || got.Impossible != c.want.Impossible ||
			!got.Impossible && !near(got.Relaxation, c.want.Relaxation) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestBoundIsThatOfTheItemsKept(t *testing.T) {
	p := tasks(1, [2]float64{10, 1}, [2]float64{10, 1})
	if b := bound.Of(p, []int{1}); b.Level != 1 {
		t.Errorf("one of two tasks: %+v", b)
	}
	if b := bound.Of(p, nil); b.Level != 1 || b.Impossible {
		t.Errorf("nobody: %+v", b)
	}
}

func TestPinnedTasksAreBoundByTheirNode(t *testing.T) {
	p := tasks(2, [2]float64{10, 1}, [2]float64{10, 1})
	p.Items[0].Pinned, p.Items[1].Pinned = []int{0}, []int{0}
	if b := bound.Of(p, all(p)); b.Level > 0.5+1e-8 || b.Argument != bound.Pinned {
		t.Errorf("%+v, want 0.5 as both are on one node", b)
	}
}

func TestGapOfAReachedBoundIsZero(t *testing.T) {
	b := bound.Bound{Level: 0.5000000001}
	if b.Gap(0.5) != 0 || b.Gap(0.25) < 0.49 {
		t.Errorf("gaps %v and %v, want 0 and a half", b.Gap(0.5), b.Gap(0.25))
	}
	if gap := (bound.Bound{Impossible: true}).Gap(0); gap != 0 {
		t.Errorf("nothing reached of nothing possible: gap %v", gap)
	}
}

// A search returns a mapping and a level at which it holds. No bound may contradict it.
func TestNoMappingReachesALevelAboveTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := problem(t)
		order := rapid.Permutation(all(p)).Draw(t, "order")
		o := packing.Options{Low: 0, High: rapid.SampledFrom([]float64{1, 2}).Draw(t, "high"), Accuracy: 0.0001}
		r := o.Search(p, order)
		kept := slices.DeleteFunc(all(p), func(i int) bool { return r.Mapping[i] == nil })
		if b := (bound.Options{High: o.High}).Of(p, kept); len(kept) > 0 && (b.Impossible || r.Yield > b.Level*(1+1e-9)) {
			t.Fatalf("a mapping reaches %v, the bound is %+v", r.Yield, b)
		}
	})
}

// problem draws unlike nodes and items with lines, pins, restrictions and smallest shares, in up to
// three dimensions.
func problem(t *rapid.T) *packing.Problem {
	p, dims := &packing.Problem{}, rapid.IntRange(0, 2).Draw(t, "rigid dimensions")
	vector := func(most int, label string) (v []float64) {
		for range dims {
			v = append(v, float64(rapid.IntRange(0, most).Draw(t, label)))
		}
		return v
	}
	same := rapid.Bool().Draw(t, "alike")
	for range rapid.IntRange(1, 5).Draw(t, "nodes") {
		p.Nodes = append(p.Nodes, packing.Node{CPU: float64(10 * rapid.IntRange(0, 3).Draw(t, "CPU")),
			Rigid: vector(20, "capacity")})
		if same {
			p.Nodes[len(p.Nodes)-1] = p.Nodes[0]
		}
	}
	for i := range rapid.IntRange(1, 10).Draw(t, "items") {
		it := packing.Item{
			Count: rapid.IntRange(1, 3).Draw(t, "tasks"), Need: float64(rapid.IntRange(0, 20).Draw(t, "need")),
			MinCPU: float64(rapid.IntRange(0, 3).Draw(t, "least")), Rigid: vector(12, "requirement"), Label: uint64(i),
		}
		switch rapid.IntRange(0, 3).Draw(t, "kind") {
		case 0:
			it.Line = packing.Line{Slope: float64(rapid.IntRange(0, 8).Draw(t, "slope")) / 4,
				Base: float64(rapid.IntRange(-2, 2).Draw(t, "base")) / 4, Idle: float64(rapid.IntRange(0, 2).Draw(t, "idle"))}
		case 1:
			it.Pinned = rapid.SliceOfN(rapid.IntRange(0, len(p.Nodes)-1), it.Count, it.Count).Draw(t, "pins")
		}
		if it.Pinned == nil {
			it.Spread = rapid.IntRange(0, 4).Draw(t, "spread") == 0
			it.Together = !it.Spread && rapid.IntRange(0, 4).Draw(t, "together") == 0
		}
		if it.Pinned == nil && rapid.IntRange(0, 2).Draw(t, "choosy") == 0 {
			it.Allowed = rapid.SliceOfN(rapid.Bool(), len(p.Nodes), len(p.Nodes)).Draw(t, "allowed")
		}
		p.Items = append(p.Items, it)
	}
	return p
}

// slots returns ten nodes for 26 tasks that need all CPU of a node. Each task with nine tenths of the
// memory fills two of three slots.
func slots() *packing.Problem {
	p := tasks(10)
	p.Items = []packing.Item{{Count: 5, Need: 10, Rigid: []float64{9}}, {Count: 21, Need: 10, Rigid: []float64{1}}}
	return p
}
