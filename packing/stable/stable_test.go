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
	"aliquot/packing/churn"
	"aliquot/packing/instance"
	"aliquot/packing/stable"
)

// cluster is nodes of 1000 CPU and 10 memory, and items of one task with that need and memory.
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

func TestWhatIsPackedWellStays(t *testing.T) {
	p := cluster(2, [2]float64{500, 4}, [2]float64{500, 4}, [2]float64{500, 4}, [2]float64{500, 4})
	now := packing.Mapping{{1}, {0}, {0}, {1}}
	r := stable.Options{}.Search(p, now, order(p))
	want := stable.Result{Mapping: now, Yield: 1, Best: 1}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhoComesGoesWhereThereIsRoom(t *testing.T) {
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

func TestOneMakesRoomWhoFitsElsewhere(t *testing.T) {
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

func TestWhoIsNotAllowedToStayLeaves(t *testing.T) {
	p := cluster(2, [2]float64{100, 1}, [2]float64{100, 1})
	p.Items[0].Allowed = []bool{false, true}
	r := stable.Options{}.Search(p, packing.Mapping{{0}, {0}}, order(p))
	if r.Moved != 1 || !cmp.Equal(r.Mapping, packing.Mapping{{1}, {0}}) {
		t.Errorf("%+v", r)
	}
}

// drawState draws a problem and a mapping of some of its items, which may be more than nodes hold.
func drawState(t *rapid.T) (p *packing.Problem, now packing.Mapping) {
	p = &packing.Problem{}
	for range rapid.IntRange(1, 5).Draw(t, "nodes") {
		p.Nodes = append(p.Nodes, packing.Node{
			CPU: 1000 * float64(rapid.IntRange(1, 2).Draw(t, "CPU")), Rigid: []float64{10 * float64(rapid.IntRange(1, 2).Draw(t, "memory"))}, Fluid: []float64{8},
		})
	}
	for i := range rapid.IntRange(0, 12).Draw(t, "items") {
		it := packing.Item{
			Count: rapid.IntRange(1, 3).Draw(t, "tasks"), Need: 250 * float64(rapid.IntRange(1, 6).Draw(t, "need")), MinCPU: 10,
			Rigid: []float64{float64(rapid.IntRange(0, 8).Draw(t, "memory"))}, Label: uint64(i), Spread: rapid.IntRange(0, 5).Draw(t, "spread") == 0,
			Fluid: []packing.Demand{{Slope: float64(rapid.IntRange(0, 3).Draw(t, "disk"))}},
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
		o := stable.Options{Tolerance: rapid.SampledFrom([]float64{0, 0.01, 0.3}).Draw(t, "tolerance"), Budget: rapid.SampledFrom([]int{0, 50, 300}).Draw(t, "budget")}
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
		if least := stable.Least(p, anew.Mapping); r.Best != least || r.Yield < least*(1-o.Tolerance)-1e-9 || r.Yield != stable.Least(p, r.Mapping) {
			t.Fatalf("yield %v of %v, says %v of %v", stable.Least(p, r.Mapping), least, r.Yield, r.Best)
		}
		if moved := assign.Moved(p, now, r.Mapping); moved != r.Moved || !slices.Equal(r.Dropped, anew.Dropped) {
			t.Fatalf("moves %v, says %+v", moved, r)
		}
	})
}

func TestAToleranceNeverMovesMoreThanNone(t *testing.T) {
	moves := func(t interface{ Fatalf(string, ...any) }, p *packing.Problem, now packing.Mapping, tolerance float64, budget int) {
		lossless := stable.Options{Budget: budget}.Search(p, now, order(p)).Moved
		if moved := (stable.Options{Tolerance: tolerance, Budget: budget}).Search(p, now, order(p)).Moved; moved > lossless {
			t.Fatalf("tolerance %v moves %v, none %v", tolerance, moved, lossless)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p, now := drawState(t)
		moves(t, p, now, rapid.SampledFrom([]float64{0.01, 0.1, 0.3}).Draw(t, "tolerance"), rapid.SampledFrom([]int{0, 50, 300}).Draw(t, "budget"))
	})
	for seed := range uint64(20) { // large and crowded, so that mending often comes to no end
		s := churn.Begin(instance.Family{Nodes: 32, Tasks: 80, PerJob: 1, Memory: 0.9, Need: 1.25}, seed)
		first, _, priorities := s.Step()
		s.Adopt(packing.Search(first, priorities).Mapping)
		p, now, _ := s.Step()
		moves(t, p, now, 0.01, 0)
	}
}

// Sums of tenths depend on their order; what fits in one must not be refused in another.
func TestFractionsOfANodeStayFeasibleThroughManyMoves(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		p, now := &packing.Problem{Nodes: slices.Repeat([]packing.Node{{CPU: 1, Rigid: []float64{1}}}, 3)}, packing.Mapping{}
		for i := range 9 {
			p.Items = append(p.Items, packing.Item{Count: 1, Need: 0.1, Rigid: []float64{float64(1+r.IntN(5)) / 10}, Label: uint64(i)})
			now = append(now, []int{r.IntN(3)})
		}
		got := stable.Options{}.Search(p, now, order(p))
		if err := p.Feasible(got.Mapping, packing.MaxMin(p, got.Mapping)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// A cluster that nobody joins or leaves comes to rest: what was mended once is not mended again.
func TestWhatWasPackedAnewStays(t *testing.T) {
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

// BenchmarkSearch is a step of a sequence on 1,000 nodes. MCB8's own search is part of it.
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
