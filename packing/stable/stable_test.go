package stable_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/packing"
	"aliquot/packing/assign"
	"aliquot/packing/stable"
	"aliquot/packing/study/churn"
	"aliquot/packing/study/instance"
)

// cluster returns nodes of 1000 CPU and 10 memory, and items of one task with the given need and
// memory.
func cluster(nodes int, sizes ...[2]float64) *packing.Problem {
	p := &packing.Problem{}
	for range nodes {
		p.Nodes = append(p.Nodes, packing.Node{CPU: 1000, Rigid: []float64{10}})
	}
	for i, s := range sizes {
		p.Items = append(p.Items, packing.Item{Count: 1, Need: s[0], Rigid: []float64{s[1]}, Label: uint64(i)})
	}
	return p
}

func order(p *packing.Problem) (list []int) {
	for i := range p.Items {
		list = append(list, i)
	}
	return list
}

func TestAGoodPackingStays(t *testing.T) {
	p := cluster(2, [2]float64{500, 4}, [2]float64{500, 4}, [2]float64{500, 4}, [2]float64{500, 4})
	now := packing.Mapping{{1}, {0}, {0}, {1}}
	r := stable.Options{}.Search(p, now, order(p))
	want := stable.Result{Mapping: now, Yield: 1, Best: 1}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestArrivalsGoWhereThereIsRoom(t *testing.T) {
	p := cluster(2, [2]float64{500, 4}, [2]float64{500, 8}, [2]float64{500, 4})
	r := stable.Options{}.Search(p, packing.Mapping{{1}, {0}, nil}, order(p))
	if r.Moved != 0 || !cmp.Equal(r.Mapping, packing.Mapping{{1}, {0}, {1}}) {
		t.Errorf("%+v", r)
	}
}

func TestTheTaskWithTheLeastMemoryLeavesACrowdedNode(t *testing.T) {
	p := cluster(2, [2]float64{1000, 4}, [2]float64{1000, 3}, [2]float64{1000, 2}, [2]float64{1000, 1})
	r := stable.Options{}.Search(p, packing.Mapping{{0}, {0}, {0}, {1}}, order(p))
	if r.Moved != 2 || !cmp.Equal(r.Mapping[2], []int{1}) || r.Yield != 0.5 {
		t.Errorf("%+v", r)
	}
}

func TestATaskThatFitsElsewhereMakesRoom(t *testing.T) {
	p := cluster(2, [2]float64{100, 5}, [2]float64{100, 6}, [2]float64{100, 2}, [2]float64{100, 5})
	r := stable.Options{}.Search(p, packing.Mapping{{0}, {1}, {0}, nil}, order(p))
	if r.Moved != 2 || !cmp.Equal(r.Mapping, packing.Mapping{{0}, {1}, {1}, {0}}) {
		t.Errorf("%+v", r)
	}
}

func TestSeveralMakeRoomForALargeOne(t *testing.T) {
	p := cluster(3, [2]float64{100, 2}, [2]float64{100, 2}, [2]float64{100, 7}, [2]float64{100, 7}, [2]float64{100, 10})
	r := stable.Options{}.Search(p, packing.Mapping{{0}, {0}, {1}, {2}, nil}, order(p))
	if r.Moved != 4 || r.Anew || !cmp.Equal(r.Mapping[4], []int{0}) {
		t.Errorf("%+v", r)
	}
}

func TestYieldIsGivenUpForFewerMovesAsFarAsTheToleranceGoes(t *testing.T) {
	p := cluster(2, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{100, 1})
	now := packing.Mapping{{0}, {0}, {0}, {1}, {1}}
	for tolerance, moved := range map[float64]float64{0: 1, 0.2: 1, 0.35: 0} {
		r := stable.Options{Tolerance: tolerance}.Search(p, now, order(p))
		if r.Moved != moved || r.Yield < r.Best*(1-tolerance) {
			t.Errorf("tolerance %v: %+v", tolerance, r)
		}
	}
}

func TestPlansGiveUpMoreAndMoreYieldUntilNothingMoves(t *testing.T) {
	p := cluster(2, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{1000, 1}, [2]float64{100, 1})
	now, tolerances := packing.Mapping{{0}, {0}, {0}, {1}, {1}}, []float64{0, 0.2, 0.35, 0.5}
	plans := stable.Plans(p, now, tolerances)
	if len(plans) != 2 {
		t.Fatalf("%+v", plans)
	}
	for i, r := range plans {
		if r.Moved != 1 || r.Yield < r.Best*(1-tolerances[i]) || r.Yield != stable.Least(p, r.Mapping) ||
			r.Best != (stable.Options{}).Search(p, now, order(p)).Best {
			t.Errorf("tolerance %v: %+v", tolerances[i], r)
		}
	}
	p.Items[0].Rigid[0] = 11 // more than any node has
	if plans := stable.Plans(p, now, tolerances); plans != nil {
		t.Errorf("with an item that fits nowhere: %+v", plans)
	}
}

func TestATaskThatMayNotStayLeaves(t *testing.T) {
	p := cluster(2, [2]float64{100, 1}, [2]float64{100, 1})
	p.Items[0].Allowed = []bool{false, true}
	r := stable.Options{}.Search(p, packing.Mapping{{0}, {0}}, order(p))
	if r.Moved != 1 || !cmp.Equal(r.Mapping, packing.Mapping{{1}, {0}}) {
		t.Errorf("%+v", r)
	}
}

// drawState draws a problem and a mapping of some of its items, which may exceed the nodes.
func drawState(t *rapid.T) (p *packing.Problem, now packing.Mapping) {
	p = &packing.Problem{}
	for range rapid.IntRange(1, 5).Draw(t, "nodes") {
		p.Nodes = append(p.Nodes, packing.Node{
			CPU:   rapid.SampledFrom([]float64{1000, 1000, 1000, 2000, 2000, 1, 1e9}).Draw(t, "CPU"),
			Rigid: []float64{10 * float64(rapid.IntRange(1, 2).Draw(t, "memory"))}, Fluid: []float64{8},
		})
	}
	for i := range rapid.IntRange(0, 12).Draw(t, "items") {
		it := packing.Item{
			Count: rapid.IntRange(1, 3).Draw(t, "tasks"), Need: 250 * float64(rapid.IntRange(1, 6).Draw(t, "need")), MinCPU: 10,
			Rigid: []float64{float64(rapid.IntRange(0, 8).Draw(t, "memory"))}, Label: uint64(i),
			Spread: rapid.IntRange(0, 5).Draw(t, "spread") == 0,
			Fluid:  []packing.Demand{{Slope: float64(rapid.IntRange(0, 3).Draw(t, "disk"))}},
		}
		it.Together = !it.Spread && rapid.IntRange(0, 5).Draw(t, "together") == 0
		var nodes []int
		if rapid.IntRange(0, 3).Draw(t, "new") > 0 {
			nodes = rapid.SliceOfN(rapid.IntRange(0, len(p.Nodes)-1), it.Count, it.Count).Draw(t, "now")
		}
		switch special := rapid.IntRange(0, 9).Draw(t, "special"); {
		case special == 0 && nodes != nil:
			it.Pinned = nodes
		case special == 1:
			it.Allowed = rapid.SliceOfN(rapid.Bool(), len(p.Nodes), len(p.Nodes)).Draw(t, "allowed")
			it.Allowed[0] = true
		}
		p.Items, now = append(p.Items, it), append(now, nodes)
	}
	return p, now
}

func TestMappingsAreFeasibleAndNoWorseThanTheToleranceAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, now := drawState(t)
		o := stable.Options{Tolerance: rapid.SampledFrom([]float64{0, 0.01, 0.3}).Draw(t, "tolerance"),
			Budget: rapid.SampledFrom([]int{0, 50, 300}).Draw(t, "budget")}
		anew := packing.Search(p, order(p))
		r := o.Search(p, now, order(p))
		if err := p.Feasible(r.Mapping, packing.MaxMin(p, r.Mapping)); err != nil {
			t.Fatal(err)
		}
		for i := range p.Items {
			if (r.Mapping[i] == nil) != (anew.Mapping[i] == nil) {
				t.Fatalf("item %d is mapped to %v, by MCB8 to %v", i, r.Mapping[i], anew.Mapping[i])
			}
		}
		if least := stable.Least(p, anew.Mapping); r.Best != least || r.Yield < least*(1-o.Tolerance)-1e-9 ||
			r.Yield != stable.Least(p, r.Mapping) {
			t.Fatalf("yield %v of %v, says %v of %v", stable.Least(p, r.Mapping), least, r.Yield, r.Best)
		}
		if moved := assign.Moved(p, now, r.Mapping); moved != r.Moved || !slices.Equal(r.Dropped, anew.Dropped) {
			t.Fatalf("moves %v, says %+v", moved, r)
		}
	})
}

func TestAToleranceNeverMovesMoreThanNone(t *testing.T) {
	moves := func(t interface{ Fatalf(string, ...any) }, p *packing.Problem, now packing.Mapping, tolerance float64,
		budget int) {
		lossless := stable.Options{Budget: budget}.Search(p, now, order(p)).Moved
		if moved := (stable.Options{Tolerance: tolerance, Budget: budget}).Search(p, now, order(p)).Moved; moved > lossless {
			t.Fatalf("tolerance %v moves %v, none %v", tolerance, moved, lossless)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p, now := drawState(t)
		moves(t, p, now, rapid.SampledFrom([]float64{0.01, 0.1, 0.3}).Draw(t, "tolerance"),
			rapid.SampledFrom([]int{0, 50, 300}).Draw(t, "budget"))
	})
	for seed := range uint64(20) { // large and crowded, so that the repair often fails
		s := churn.Begin(instance.Family{Nodes: 32, Tasks: 80, PerJob: 1, Memory: 0.9, Need: 1.25}, seed)
		first, _, priorities := s.Step()
		s.Adopt(packing.Search(first, priorities).Mapping)
		p, now, _ := s.Step()
		moves(t, p, now, 0.01, 0)
	}
}

func TestTasksGoHome(t *testing.T) {
	for _, c := range []struct {
		name      string
		p         *packing.Problem
		now, next packing.Mapping
		moved     float64
	}{
		{"to room that is left", cluster(2, [2]float64{100, 5}, [2]float64{100, 3}), packing.Mapping{{0}, {1}},
			packing.Mapping{{1}, {1}}, 0},
		{"not where there is none", cluster(2, [2]float64{100, 5}, [2]float64{100, 8}), packing.Mapping{{0}, {1}},
			packing.Mapping{{1}, {0}}, 0},
		{"not beyond memory", cluster(2, [2]float64{100, 5}, [2]float64{100, 8}), packing.Mapping{{0}, {0}},
			packing.Mapping{{1}, {0}}, 5},
		{"not beyond the yield", cluster(2, [2]float64{600, 5}, [2]float64{600, 5}), packing.Mapping{{0}, {0}},
			packing.Mapping{{1}, {0}}, 5},
		{"two of them in exchange", cluster(2, [2]float64{100, 6}, [2]float64{100, 7}), packing.Mapping{{0}, {1}},
			packing.Mapping{{1}, {0}}, 0},
		{"one, in exchange for one that comes", cluster(2, [2]float64{100, 6}, [2]float64{100, 7}), packing.Mapping{{0}, nil},
			packing.Mapping{{1}, {0}}, 0},
		{"one by one, as others leave", cluster(3, [2]float64{100, 6}, [2]float64{100, 7}, [2]float64{100, 8}),
			packing.Mapping{{0}, {1}, {2}}, packing.Mapping{{1}, {2}, {0}}, 0},
		{"to another node that their job has left", &packing.Problem{
			Nodes: cluster(3).Nodes, Items: []packing.Item{{Count: 2, Need: 1, Rigid: []float64{6}},
				{Count: 1, Need: 1, Rigid: []float64{6}, Label: 1}},
		}, packing.Mapping{{0, 1}, nil}, packing.Mapping{{1, 2}, {0}}, 0},
		{"to the one of them where there is room", &packing.Problem{
			Nodes: cluster(3).Nodes, Items: []packing.Item{{Count: 2, Need: 1, Rigid: []float64{5}},
				{Count: 1, Need: 1, Rigid: []float64{6}, Label: 1}},
		}, packing.Mapping{{0, 1}, {0}}, packing.Mapping{{2, 2}, {0}}, 5},
	} {
		for _, budget := range []int{0, 1000} {
			if moved := assign.Moved(c.p, c.now, stable.Home(c.p, c.now, c.next, budget)); moved != c.moved {
				t.Errorf("%s, budget %d: %v is moved, not %v", c.name, budget, moved, c.moved)
			}
		}
	}
}

func TestGoingHomeCostsNoYieldAndMovesNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, now := drawState(t)
		next := packing.Search(p, order(p)).Mapping
		home := stable.Home(p, now, next, rapid.SampledFrom([]int{0, 5, 1000}).Draw(t, "budget"))
		if err := p.Feasible(home, packing.MaxMin(p, home)); err != nil {
			t.Fatal(err)
		}
		if before, after := stable.Least(p, next), stable.Least(p, home); after < before-1e-9 {
			t.Fatalf("the yield was %v and is %v", before, after)
		}
		if before, after := assign.Moved(p, now, next), assign.Moved(p, now, home); after > before {
			t.Fatalf("%v was moved and %v is:\n%v\n%v", before, after, next, home)
		}
		for i := range p.Items {
			if len(home[i]) != len(next[i]) || p.Items[i].Pinned != nil && next[i] != nil && !slices.Equal(home[i], next[i]) {
				t.Fatalf("item %d was mapped to %v and is to %v", i, next[i], home[i])
			}
		}
	})
}

func TestALargeNodeGrantsASmallOneNothing(t *testing.T) {
	p := cluster(2, [2]float64{1, 1}, [2]float64{1, 1})
	p.Nodes[0].CPU, p.Nodes[1].CPU = 1e9, 1
	now := packing.Mapping{{1}, {1}}
	if r := (stable.Options{}).Search(p, now, order(p)); r.Yield != 1 {
		t.Errorf("mended: %+v", r)
	}
	if home := stable.Home(p, now, packing.Mapping{{1}, {0}}, 1000); stable.Least(p, home) != 1 {
		t.Errorf("at home: %v", home)
	}
}

func TestTheBudgetCountsTasksThatAreLeftOnANode(t *testing.T) {
	p := cluster(2)
	p.Nodes[0].Rigid[0], p.Nodes[1].Rigid[0] = 1000, 1000
	p.Items = []packing.Item{{Count: 1000, Need: 1, Rigid: []float64{1}}}
	here, there := packing.Mapping{make([]int, 1000)}, packing.Mapping{slices.Repeat([]int{1}, 1000)}
	if moved := assign.Moved(p, here, stable.Home(p, here, there, 5000)); moved < 990 || moved == 1000 {
		t.Errorf("%v of 1000 are not at home after 5000 steps", moved)
	}
	p.Nodes[0].Rigid[0] = 500
	if r := (stable.Options{Budget: 5000}).Search(p, here, order(p)); !r.Anew {
		t.Errorf("500 of 1000 were taken off a node in 5000 steps")
	}
}

// Sums of tenths depend on their order. A set that fits in one order must not be refused in another.
func TestFractionsOfANodeStayFeasibleThroughManyMoves(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		p, now := &packing.Problem{Nodes: slices.Repeat([]packing.Node{{CPU: 1, Rigid: []float64{1}}}, 3)}, packing.Mapping{}
		for i := range 9 {
			p.Items = append(p.Items, packing.Item{Count: 1, Need: 0.1, Rigid: []float64{float64(1+r.IntN(5)) / 10},
				Label: uint64(i)})
			now = append(now, []int{r.IntN(3)})
		}
		got := stable.Options{}.Search(p, now, order(p))
		if err := p.Feasible(got.Mapping, packing.MaxMin(p, got.Mapping)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// Without arrivals and departures a cluster comes to rest: a repaired mapping is not repaired again.
func TestANewPackingStays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, now := drawState(t)
		o := stable.Options{Tolerance: rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "tolerance")}
		first := o.Search(p, now, order(p))
		if again := o.Search(p, first.Mapping, order(p)); again.Moved != 0 {
			t.Fatalf("moves %v, then %v:\n%v\n%v", first.Moved, again.Moved, first.Mapping, again.Mapping)
		}
	})
}

func TestNothingFromNothing(t *testing.T) {
	if r := (stable.Options{}).Search(&packing.Problem{}, nil, nil); r.Yield != 1 || r.Moved != 0 {
		t.Errorf("%+v", r)
	}
}

// BenchmarkHome measures a step of a sequence on 10,000 nodes, after the assignment.
func BenchmarkHome(b *testing.B) {
	s := churn.Begin(instance.Family{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.9, Need: 2}, 1)
	p, _, priorities := s.Step()
	s.Adopt(packing.Search(p, priorities).Mapping)
	p, now, priorities := s.Step()
	next := assign.Parts(p, now, packing.Search(p, priorities).Mapping, 1<<26).Mapping
	for b.Loop() {
		stable.Home(p, now, next, 1<<28)
	}
}

// BenchmarkSearch measures a step of a sequence on 1,000 nodes, MCB8's own search included.
func BenchmarkSearch(b *testing.B) {
	for _, f := range churn.Families()[15:20] {
		s := churn.Begin(f, 1)
		p, _, order := s.Step()
		s.Adopt(packing.Search(p, order).Mapping)
		p, now, order := s.Step()
		for _, tolerance := range []float64{0, 0.01} {
			b.Run(fmt.Sprintf("%v/tolerance=%v", f, tolerance), func(b *testing.B) {
				for b.Loop() {
					stable.Options{Tolerance: tolerance}.Search(p, now, order)
				}
			})
		}
	}
}
