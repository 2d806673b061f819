package assign_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/assign"
)

func node(memory float64) packing.Node { return packing.Node{CPU: 100, Rigid: []float64{memory}} }

func item(count int, memory float64) packing.Item {
	return packing.Item{Count: count, Need: 1, Rigid: []float64{memory}}
}

func TestPartsGoBackToTheNodesTheyAreOn(t *testing.T) {
	p := &packing.Problem{Nodes: []packing.Node{node(10), node(10), node(10)},
		Items: []packing.Item{item(2, 4), item(1, 6), item(1, 1)}}
	now := packing.Mapping{{0, 1}, {2}, {2}}
	next := packing.Mapping{{2, 1}, {0}, {1}}
	got := assign.Parts(p, now, next, assign.Exact)
	want := assign.Result{Mapping: packing.Mapping{{0, 1}, {2}, {1}}, Moved: 1, Bound: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPartsStayOnNodesThatAreNotAlike(t *testing.T) {
	for name, p := range map[string]*packing.Problem{
		"capacity": {Nodes: []packing.Node{node(10), node(11)}, Items: []packing.Item{item(1, 4), item(1, 6)}},
		"bandwidth": {Nodes: []packing.Node{{CPU: 1, Rigid: []float64{10}, Fluid: []float64{1}},
			{CPU: 1, Rigid: []float64{10}, Fluid: []float64{2}}}, Items: []packing.Item{item(1, 4), item(1, 6)}},
		"allowed": {Nodes: []packing.Node{node(10), node(10)}, Items: []packing.Item{item(1, 4), item(1, 6),
			{Count: 1, Rigid: []float64{1}, Allowed: []bool{true, false}}}},
		"pinned": {Nodes: []packing.Node{node(10), node(10)}, Items: []packing.Item{item(1, 4), item(1, 6),
			{Count: 1, Rigid: []float64{1}, Pinned: []int{0}}}},
	} {
		next := packing.Mapping{{1}, {0}, {0}}[:len(p.Items)]
		got := assign.Parts(p, packing.Mapping{{0}, {1}, {0}}[:len(p.Items)], next, assign.Exact)
		if got.Moved != 10 || got.Bound != 10 || !cmp.Equal(got.Mapping, next) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestItemsThatStartOrStopMoveNothing(t *testing.T) {
	p := &packing.Problem{Nodes: []packing.Node{node(10), node(10)}, Items: []packing.Item{item(1, 4), item(1, 6),
		item(2, 1)}}
	got := assign.Parts(p, packing.Mapping{nil, {1}, {0}}, packing.Mapping{{0}, nil, {1, 1}}, assign.Exact)
	if got.Moved != 0 || got.Bound != 0 || !cmp.Equal(got.Mapping, packing.Mapping{{1}, nil, {0, 0}}) {
		t.Errorf("%+v", got)
	}
}

// drawMoves draws a problem of few nodes and two mappings of it.
func drawMoves(t *rapid.T) (p *packing.Problem, now, next packing.Mapping) {
	p = &packing.Problem{}
	for range rapid.IntRange(1, 6).Draw(t, "nodes") {
		p.Nodes = append(p.Nodes, node(float64(rapid.IntRange(1000, 1001).Draw(t, "capacity"))))
	}
	on := rapid.IntRange(0, len(p.Nodes)-1)
	for range rapid.IntRange(0, 8).Draw(t, "items") {
		it := item(rapid.IntRange(1, 4).Draw(t, "tasks"), float64(rapid.IntRange(0, 3).Draw(t, "memory")))
		mapped := func(name string) []int {
			if rapid.IntRange(0, 4).Draw(t, name+" unmapped") == 0 {
				return nil
			}
			return rapid.SliceOfN(on, it.Count, it.Count).Draw(t, name)
		}
		a, b := mapped("now"), mapped("next")
		switch rapid.IntRange(0, 9).Draw(t, "special") {
		case 0:
			it.Pinned = b
		case 1:
			it.Spread = b == nil || len(slices.Compact(slices.Sorted(slices.Values(b)))) == len(b)
		case 2:
			it.Together = b == nil || len(slices.Compact(slices.Sorted(slices.Values(b)))) == 1
		case 3:
			it.Allowed = make([]bool, len(p.Nodes))
			for n := range it.Allowed {
				it.Allowed[n] = slices.Contains(b, n) || rapid.Bool().Draw(t, "allowed")
			}
		}
		p.Items, now, next = append(p.Items, it), append(now, a), append(next, b)
	}
	return p, now, next
}

// least tries all exchanges of parts between nodes that are alike and returns the least memory that
// has to move, given that tasks of alike items may also be exchanged.
func least(p *packing.Problem, now, next packing.Mapping) float64 {
	home, best := make([]int, len(p.Nodes)), math.Inf(1)
	for n := range home {
		home[n] = n
	}
	var try func(k int)
	try = func(k int) {
		if k == len(home) {
			best = min(best, moving(p, now, next, home))
			return
		}
		for l := k; l < len(home); l++ {
			home[k], home[l] = home[l], home[k]
			if legal(p, next, k, home[k]) {
				try(k + 1)
			}
			home[k], home[l] = home[l], home[k]
		}
	}
	try(0)
	return best
}

// moving returns the memory that has to move if each part is on its home.
func moving(p *packing.Problem, now, next packing.Mapping, home []int) (memory float64) {
	type place struct {
		kind string
		node int
	}
	places := map[place]int{}
	for i := range next {
		for _, n := range next[i] {
			places[place{like(p, i), home[n]}]++
		}
	}
	for i := range now {
		for _, n := range now[i] {
			if at := (place{like(p, i), n}); next[i] == nil {
				continue
			} else if places[at] > 0 {
				places[at]--
			} else {
				memory += p.Items[i].Rigid[0]
			}
		}
	}
	return memory
}

// like returns a key that is equal for items that are alike.
func like(p *packing.Problem, i int) string {
	if it := p.Items[i]; it.Pinned != nil || it.Spread || it.Together {
		return fmt.Sprint(i)
	}
	return fmt.Sprint(p.Items[i].Rigid, p.Items[i].Allowed)
}

// legal reports whether a part may be on the other node.
func legal(p *packing.Problem, next packing.Mapping, part, n int) bool {
	if p.Nodes[part].Rigid[0] != p.Nodes[n].Rigid[0] {
		return false
	}
	for i, it := range p.Items {
		if it.Pinned != nil && part != n && slices.Contains(next[i], part) ||
			it.Allowed != nil && it.Allowed[part] != it.Allowed[n] {
			return false
		}
	}
	return true
}

func TestNoAssignmentMovesLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, now, next := drawMoves(t)
		got := assign.Parts(p, now, next, assign.Exact)
		if want := least(p, now, next); got.Moved != want || got.Bound != want {
			t.Fatalf("moves %v, at least %v; %v would do", got.Moved, got.Bound, want)
		}
		if moved := assign.Moved(p, now, got.Mapping); moved != got.Moved {
			t.Fatalf("says it moves %v, moves %v", got.Moved, moved)
		}
	})
}

func TestABudgetBoundsTheStepsAndTheBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, now, next := drawMoves(t)
		got := assign.Parts(p, now, next, rapid.IntRange(0, 30).Draw(t, "budget"))
		if want := least(p, now, next); got.Bound > want || got.Moved < want || got.Moved > assign.Moved(p, now, next) {
			t.Fatalf("moves %v, at least %v; %v would do, %v was given", got.Moved, got.Bound, want, assign.Moved(p, now, next))
		}
	})
}

func TestWithoutNodesNothingMoves(t *testing.T) {
	p := &packing.Problem{Items: []packing.Item{{Count: 1, Allowed: []bool{}}}}
	if r := assign.Parts(p, packing.Mapping{nil}, packing.Mapping{nil}, assign.Exact); r.Moved != 0 ||
		r.Mapping[0] != nil {
		t.Errorf("%+v", r)
	}
}

// The assignment exchanges parts and never changes one.
func TestAssignmentKeepsThePartsAndChangesTheirNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, now, next := drawMoves(t)
		got := assign.Parts(p, now, next, assign.Exact).Mapping
		if err := p.Feasible(got, make([]float64, len(got))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(parts(p, next), parts(p, got)); diff != "" {
			t.Fatalf("-before +after:\n%s", diff)
		}
	})
}

// parts lists the contents of the nodes, independent of the order of nodes.
func parts(p *packing.Problem, m packing.Mapping) (list []string) {
	on := make([][]string, len(p.Nodes))
	for i := range m {
		for _, n := range m[i] {
			on[n] = append(on[n], like(p, i))
		}
	}
	for n := range on {
		slices.Sort(on[n])
		list = append(list, fmt.Sprint(p.Nodes[n], on[n]))
	}
	slices.Sort(list)
	return list
}

// scattered returns a cluster on which all tasks are mapped anew at random: the hardest case for an
// assignment.
func scattered(nodes, tasks int) (p *packing.Problem, now, next packing.Mapping) {
	r := rand.New(rand.NewPCG(1, 1))
	p = &packing.Problem{}
	for range nodes {
		p.Nodes = append(p.Nodes, node(100))
	}
	for range tasks {
		p.Items = append(p.Items, item(1, float64(1+r.IntN(1000))))
		now, next = append(now, []int{r.IntN(nodes)}), append(next, []int{r.IntN(nodes)})
	}
	return p, now, next
}

func BenchmarkParts(b *testing.B) {
	for name, size := range map[string][2]int{"128x1280": {128, 1280}, "1000x10000": {1000, 10_000},
		"10000x100000": {10_000, 100_000}} {
		b.Run(name, func(b *testing.B) {
			p, now, next := scattered(size[0], size[1])
			for b.Loop() {
				budget := assign.Exact
				r := assign.Parts(p, now, next, budget)
				b.ReportMetric(r.Moved/assign.Moved(p, now, next), "moved")
			}
		})
	}
}
