package packing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sound returns a problem that each case below spoils in one way.
func sound() *Problem {
	return &Problem{
		Nodes: []Node{{CPU: 1000, Rigid: []float64{100}}, {CPU: 2000, Rigid: []float64{50}}},
		Items: []Item{
			{Count: 2, Need: 500, MinCPU: 10, Rigid: []float64{20}, Allowed: []bool{true, true}},
			{Count: 2, Need: 500, Rigid: []float64{20}, Pinned: []int{0, 1}},
		},
	}
}

// withFlow gives the nodes a fluid dimension that the first item uses.
func withFlow(p *Problem, capacity float64, d Demand) {
	p.Nodes[0].Fluid, p.Nodes[1].Fluid = []float64{capacity}, []float64{1}
	p.Items[0].Fluid = []Demand{d}
}

func TestMalformedProblemsAreNamed(t *testing.T) {
	if err := sound().Validate(); err != nil {
		t.Fatal(err)
	}
	if err := new(Problem).Validate(); err != nil {
		t.Fatalf("an empty problem: %v", err)
	}
	for want, spoil := range map[string]func(*Problem){
		"node 0: CPU is -1, must be between 0 and 1e+100": func(p *Problem) {
			p.Nodes[0].CPU = -1
		},
		"node 1: CPU is +Inf, must be between 0 and 1e+100": func(p *Problem) {
			p.Nodes[1].CPU = math.Inf(1)
		},
		"node 1: rigid dimension 0 is NaN, must be between 0 and 1e+100": func(p *Problem) {
			p.Nodes[1].Rigid[0] = math.NaN()
		},
		"node 1: has 0 rigid dimensions, node 0 has 1": func(p *Problem) {
			p.Nodes[1].Rigid = nil
		},
		"item 0: count is 0, must be between 1 and 67108864": func(p *Problem) {
			p.Items[0].Count = 0
		},
		"item 0: CPU is NaN, must be between 0 and 1e+100": func(p *Problem) {
			p.Items[0].Need = math.NaN()
		},
		"item 0: smallest CPU share is -10, must be between 0 and 1e+100": func(p *Problem) {
			p.Items[0].MinCPU = -10
		},
		"item 0: rigid dimension 0 is -20, must be between 0 and 1e+100": func(p *Problem) {
			p.Items[0].Rigid[0] = -20
		},
		"item 0: slope is -1, must be between 0 and 1e+100": func(p *Problem) {
			p.Items[0].Line.Slope = -1
		},
		"item 0: base is -Inf, must be between -1e+100 and 1e+100": func(p *Problem) {
			p.Items[0].Line.Base = math.Inf(-1)
		},
		"item 0: idle share is NaN, must be between 0 and 1e+100": func(p *Problem) {
			p.Items[0].Line.Idle = math.NaN()
		},
		"item 1: with its tasks there are 67108866, must be at most 67108864": func(p *Problem) {
			p.Items[0].Count, p.Items[1].Count, p.Items[1].Pinned = MaxTasks, 2, nil
		},
		"item 0: has 2 rigid dimensions, the nodes have 1": func(p *Problem) {
			p.Items[0].Rigid = []float64{1, 2}
		},
		"item 0: allowed lists 1 nodes, must list 2": func(p *Problem) {
			p.Items[0].Allowed = []bool{true}
		},
		"item 1: pins 1 of 2 tasks, must pin all or none": func(p *Problem) {
			p.Items[1].Pinned = []int{0}
		},
		"item 1: task 1 is pinned to node 2 of 2": func(p *Problem) {
			p.Items[1].Pinned[1] = 2
		},
		"item 1: task 0 is pinned to node -1 of 2": func(p *Problem) {
			p.Items[1].Pinned[0] = -1
		},
		"node 1: has 1 fluid dimensions beside CPU, node 0 has 0": func(p *Problem) {
			p.Nodes[1].Fluid = []float64{1}
		},
		"node 0: fluid dimension 0 is NaN, must be between 0 and 1e+100": func(p *Problem) {
			withFlow(p, math.NaN(), Demand{})
		},
		"item 0: has 2 fluid dimensions beside CPU, the nodes have 0": func(p *Problem) {
			p.Items[0].Fluid = make([]Demand, 2)
		},
		"item 0: fluid dimension 0: slope is -1, must be between 0 and 1e+100": func(p *Problem) {
			withFlow(p, 1, Demand{Slope: -1})
		},
		"item 0: fluid dimension 0: base is +Inf, must be between -1e+100 and 1e+100": func(p *Problem) {
			withFlow(p, 1, Demand{Base: math.Inf(1)})
		},
		"item 0: fluid dimension 0: limit 1 is -2, must be between 0 and 1e+100": func(p *Problem) {
			withFlow(p, 1, Demand{Most: -2})
		},
		"item 0: its 2 tasks are to be spread, and to be together": func(p *Problem) {
			p.Items[0].Spread, p.Items[0].Together = true, true
		},
		"item 1: task 1 is pinned to node 1, where it is not allowed": func(p *Problem) {
			p.Items[1].Allowed = []bool{true, false}
		},
	} {
		p := sound()
		spoil(p)
		if err := p.Validate(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestInfeasibleMappingsAreNamed(t *testing.T) {
	type answer struct {
		m      Mapping
		yields []float64
	}
	good := func() *answer { return &answer{Mapping{{0, 1}, {0, 1}}, []float64{1, 1}} }
	if a := good(); sound().Feasible(a.m, a.yields) != nil {
		t.Fatal(sound().Feasible(a.m, a.yields))
	}
	for want, spoil := range map[string]func(*Problem, *answer){
		"2 items, but a mapping of 1 and yields of 2": func(p *Problem, a *answer) { a.m = a.m[:1] },
		"2 items, but a mapping of 2 and yields of 1": func(p *Problem, a *answer) {
			a.yields = a.yields[:1]
		},
		"item 0: 1 of 2 tasks are mapped, must be all or none": func(p *Problem, a *answer) { a.m[0] = []int{0} },
		"item 0: task 1 is mapped to node 2 of 2":              func(p *Problem, a *answer) { a.m[0][1] = 2 },
		"item 0: task 0 is mapped to node 0, where it is not allowed": func(p *Problem, a *answer) {
			p.Items[0].Allowed[0] = false
		},
		"item 1: is mapped to nodes [1 0], but pinned to [0 1]": func(p *Problem, a *answer) { a.m[1] = []int{1, 0} },
		"item 0: is mapped to nodes [1 1], but its tasks are to be spread": func(p *Problem, a *answer) {
			p.Items[0].Spread, a.m[0] = true, []int{1, 1}
		},
		"item 0: is mapped to nodes [0 1], but its tasks are to be together": func(p *Problem, a *answer) {
			p.Items[0].Together = true
		},
		"node 0: tasks take 3 of 2 in fluid dimension 0": func(p *Problem, a *answer) {
			withFlow(p, 2, Demand{Slope: 3})
		},
		"item 0: is not mapped, but has a yield of 1": func(p *Problem, a *answer) { a.m[0] = nil },
		"item 0: yield is 0.019, must be within [0.02, 1]": func(p *Problem, a *answer) {
			a.yields[0] = 0.019
		},
		"item 1: yield is 1.01, must be within [0, 1]": func(p *Problem, a *answer) {
			a.yields[1] = 1.01
		},
		"item 1: yield is NaN, must be within [0, 1]": func(p *Problem, a *answer) {
			a.yields[1] = math.NaN()
		},
		"node 0: tasks take 1000 of 999 CPU": func(p *Problem, a *answer) {
			p.Nodes[0].CPU = 999
		},
		"node 1: tasks require 40 of 39 in rigid dimension 0": func(p *Problem, a *answer) {
			p.Nodes[1].Rigid[0] = 39
		},
	} {
		p, a := sound(), good()
		spoil(p, a)
		if err := p.Feasible(a.m, a.yields); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestOrderThatIsNoPermutationPanics(t *testing.T) {
	for _, order := range [][]int{nil, {0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1, 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("order %v was taken", order)
				}
			}()
			Search(sound(), order)
		}()
	}
}

func TestMemoryIsKeptToTheLastByte(t *testing.T) {
	p := &Problem{
		Nodes: []Node{{CPU: 16000, Rigid: []float64{1 << 40}}},
		Items: []Item{{Count: 1, Need: 100, Rigid: []float64{1<<40 - 1}}, {Count: 1, Need: 100, Rigid: []float64{1}}},
	}
	if _, ok := Pack(p, 1); !ok {
		t.Error("an exact fit was refused")
	}
	p.Items[1].Rigid[0] = 2
	if _, ok := Pack(p, 1); ok {
		t.Error("a byte too many was taken")
	}
	if p.Feasible(Mapping{{0}, {0}}, []float64{1, 1}) == nil {
		t.Error("a byte too many is feasible")
	}
}

// A share of nothing is infinite, and equal to the bound that the first row of a list is compared
// with.
func TestTasksThatNeedCPUDoNotFitOnNodesWithoutCPU(t *testing.T) {
	p := &Problem{Nodes: []Node{{Rigid: []float64{10}}},
		Items: []Item{{Count: 1, Need: 5, Line: Line{Slope: 0.5, Base: 0.25}, Rigid: []float64{1}}}}
	if m, ok := Pack(p, 0.5); ok {
		t.Errorf("mapped to %v", m)
	}
}

// Sums of tenths depend on their order: MCB8 adds up node by node, Feasible item by item.
func TestTenthsOfANodeAreFeasibleInAnyOrder(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := &Problem{Nodes: slices.Repeat([]Node{{CPU: 1, Rigid: []float64{1}}}, 3)}
		for i := range 9 {
			p.Items = append(p.Items, Item{Count: 1, Need: 0.1, Rigid: []float64{float64(1+r.IntN(5)) / 10}, Label: uint64(i)})
		}
		m := Search(p, all(9)).Mapping
		if err := p.Feasible(m, MaxMin(p, m)); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestSmallestShareAboveTheNeedIsTheNeed(t *testing.T) {
	p := &Problem{
		Nodes: []Node{{CPU: 8}},
		Items: []Item{{Count: 1, Need: 5, MinCPU: 10}, {Count: 1, Need: 6}},
	}
	r := Search(p, []int{0, 1})
	if r.Yield != 0.5 || len(r.Dropped) != 0 {
		t.Errorf("yield %v, dropped %v; want 0.5 and none", r.Yield, r.Dropped)
	}
	if y := MaxMin(p, r.Mapping); y[0] != 1 || y[1] != 0.5 {
		t.Errorf("yields %v, want 1 and 0.5", y)
	}
}

func TestSearchesAllocateNothingByItem(t *testing.T) {
	p := &Problem{Nodes: make([]Node, 100)}
	for n := range p.Nodes {
		p.Nodes[n] = Node{CPU: 1000, Rigid: []float64{1000}}
	}
	for i := range 1000 {
		p.Items = append(p.Items, Item{Count: 1, Need: float64(1 + i%200), Rigid: []float64{float64(1 + i*7%150)},
			Label: uint64(i)})
	}
	order := all(len(p.Items))
	if n := testing.AllocsPerRun(10, func() { Search(p, order) }); n > 100 {
		t.Errorf("a search for %d items allocates %v times", len(p.Items), n)
	}
}

func TestProbesDoNotAllocate(t *testing.T) {
	p, _ := cluster(20, 200, 3)
	k := everything(p)
	level := 0.0
	if n := testing.AllocsPerRun(50, func() { k.pack(level); level += 0.02 }); n != 0 {
		t.Errorf("a probe allocates %v times", n)
	}
}
