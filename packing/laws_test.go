package packing

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func drawLevel(t *rapid.T) float64 {
	return float64(rapid.IntRange(0, 128).Draw(t, "level/128")) / 128
}

func dropImpossible(p *Problem, lowest float64) {
	k := everything(p)
	k.used = vectors{p.width(), make([]float64, len(p.Nodes)*p.width())}
	var possible []Item
	for i := range p.Items {
		if k.possible(i, taken(p, i, p.Items[i].least(lowest), p.Items[i].leastYield(lowest))) {
			possible = append(possible, p.Items[i])
		}
	}
	p.Items = possible
}

func drawOptions(t *rapid.T) Options {
	if rapid.Bool().Draw(t, "published") {
		return Options{High: 1, Accuracy: 0.01}
	}
	low := float64(rapid.IntRange(-2, 2).Draw(t, "low")) / 4
	return Options{
		Low: low, High: low + float64(rapid.IntRange(1, 8).Draw(t, "range"))/4,
		Accuracy: rapid.SampledFrom([]float64{0.01, 0.1, 0.001}).Draw(t, "accuracy"),
		Strict:   rapid.Bool().Draw(t, "strict"),
	}
}

// yieldsAt returns the yield of every mapped item when a probe at the level succeeds.
func yieldsAt(p *Problem, m Mapping, level float64) []float64 {
	yields := make([]float64, len(m))
	for i, nodes := range m {
		if nodes != nil {
			yields[i] = p.Items[i].floor()
			if it := &p.Items[i]; it.Need > 0 {
				yields[i] = it.demand(level) / it.Need
			}
		}
	}
	return yields
}

func TestPackedMappingsAreFeasible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, level := differentNodes(t), drawLevel(t)
		m, ok := Pack(p, level)
		if !ok {
			return
		}
		if slices.ContainsFunc(m, func(nodes []int) bool { return nodes == nil }) {
			t.Fatalf("success, but not everything is mapped: %v", m)
		}
		if err := p.Feasible(m, yieldsAt(p, m, level)); err != nil {
			t.Fatal(err)
		}
	})
}

func TestPackAgreesWithPlainMCB8(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, level := anyNodes(t), drawLevel(t)
		m, ok := Pack(p, level)
		plain, plainOK := plainPack(p, level)
		if ok != plainOK {
			t.Fatalf("success %v, plainly %v", ok, plainOK)
		}
		if diff := cmp.Diff(plain, m); ok && diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestSearchAgreesWithPlainSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, o := anyNodes(t), drawOptions(t)
		dropImpossible(p, o.lowest())
		order := drawOrder(t, p)
		r := o.Search(p, order)
		m, yield, dropped := plainSearch(p, o, order)
		if r.Yield != yield {
			t.Fatalf("yield %v, plainly %v", r.Yield, yield)
		}
		if diff := cmp.Diff(dropped, r.Dropped); diff != "" {
			t.Fatalf("dropped: %s", diff)
		}
		if diff := cmp.Diff(m, r.Mapping); diff != "" {
			t.Fatalf("mapping: %s", diff)
		}
	})
}

func TestAnswersDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, o := anyNodes(t), drawOptions(t)
		order := drawOrder(t, p)
		o.Whole = rapid.Bool().Draw(t, "whole")
		want := o.Search(p, order)
		if rapid.Bool().Draw(t, "may be stopped") {
			o.Stop = func() bool { return false }
		}
		for o.Workers = 2; o.Workers <= 4; o.Workers++ {
			if diff := cmp.Diff(want, o.Search(p, order)); diff != "" {
				t.Fatalf("%d workers: %s", o.Workers, diff)
			}
		}
	})
}

func TestSearchResultIsFeasibleAndSaysWhatItDropped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		r := Search(p, drawOrder(t, p))
		if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
			t.Fatal(err)
		}
		for i, nodes := range r.Mapping {
			if (nodes == nil) != slices.Contains(r.Dropped, i) {
				t.Fatalf("item %d: mapped to %v, dropped: %v", i, nodes, r.Dropped)
			}
		}
	})
}

func TestYieldOfSearchIsWithinTheCapacityOfAllNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		r := Search(p, drawOrder(t, p))
		demand := 0.0
		for i, nodes := range r.Mapping {
			demand += float64(len(nodes)) * p.Items[i].demand(r.Yield)
		}
		if capacity := everything(p).total[0]; demand > capacity {
			t.Fatalf("at yield %v the items demand %v of %v", r.Yield, demand, capacity)
		}
	})
}

func TestSharesOfAMappingAreAtLeastTheYieldOfItsSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		r := Search(p, drawOrder(t, p))
		yields := MaxMin(p, r.Mapping)
		if err := p.Feasible(r.Mapping, yields); err != nil {
			t.Fatal(err)
		}
		for i, nodes := range r.Mapping {
			if found := min(1, p.Items[i].Line.yield(r.Yield)); nodes != nil && yields[i] < found*(1-slop) {
				t.Fatalf("item %d has yield %v, the search found %v", i, yields[i], found)
			}
		}
	})
}

func TestSameProblemGivesTheSameResultAndIsLeftAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		order := drawOrder(t, p)
		before := clone(p)
		first, second := Search(p, order), Search(p, order)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(MaxMin(p, first.Mapping), MaxMin(p, second.Mapping)); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(before, p); diff != "" {
			t.Fatal(diff)
		}
	})
}

func clone(p *Problem) *Problem {
	q := &Problem{slices.Clone(p.Nodes), slices.Clone(p.Items)}
	for n := range q.Nodes {
		q.Nodes[n].Rigid = slices.Clone(q.Nodes[n].Rigid)
	}
	for i := range q.Items {
		it := &q.Items[i]
		it.Rigid, it.Allowed, it.Pinned = slices.Clone(it.Rigid), slices.Clone(it.Allowed), slices.Clone(it.Pinned)
	}
	return q
}

func TestOrderOfItemsDoesNotMatterWhenLabelsDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, level := differentNodes(t), drawLevel(t)
		shuffled := drawOrder(t, p)
		q := &Problem{Nodes: p.Nodes}
		for _, i := range shuffled {
			q.Items = append(q.Items, p.Items[i])
		}
		m, ok := Pack(p, level)
		got, gotOK := Pack(q, level)
		if ok != gotOK {
			t.Fatalf("success %v, shuffled %v", ok, gotOK)
		}
		if !ok {
			return
		}
		for k, i := range shuffled {
			if diff := cmp.Diff(m[i], got[k]); diff != "" {
				t.Fatalf("item %d: %s", i, diff)
			}
		}
	})
}

func TestSmallestMaxMinYieldIsThatOfTheMostLoadedNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		for i := range p.Items {
			p.Items[i].MinCPU, p.Items[i].Line, p.Items[i].Fluid = 0, Line{}, nil
		}
		m := drawMapping(t, p)
		smallest := 1.0
		for i, y := range MaxMin(p, m) {
			if m[i] != nil {
				smallest = min(smallest, y)
			}
		}
		if want := 1 / max(1, p.Load(m)); math.Abs(smallest-want) > slop {
			t.Fatalf("smallest yield %v, want %v", smallest, want)
		}
	})
}

// levelOf returns the level at which a rising item has a yield. It is not called for other items.
func levelOf(it *Item, yield float64) float64 {
	line := it.Line.straight()
	if line.Slope == 0 {
		return math.Inf(-1)
	}
	return (yield - line.Base) / line.Slope
}

// An item has a bottleneck under two conditions: one of its nodes has nothing left of a fluid dimension that the item
// would take more of, and no item that uses that pool has a larger yield that could be lowered. This makes yields
// max-min fair.
func TestEveryYieldBelowOneHasABottleneck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		m := drawMapping(t, p)
		yields := MaxMin(p, m)
		width := p.width()
		capacity, used := p.capacities(vectors{}), vectors{width, make([]float64, len(p.Nodes)*width)}
		// the highest level that could be lowered to free the dimension
		most := slices.Repeat([]float64{math.Inf(-1)}, len(p.Nodes)*width)
		for i, nodes := range m {
			it := &p.Items[i]
			now, less := taken(p, i, yields[i]*it.Need, yields[i]), taken(p, i, (yields[i]-1e-6)*it.Need, yields[i]-1e-6)
			for _, n := range nodes {
				add(used.row(n), 1, now)
				for d := range width {
					if yields[i] > it.floor()+slop && now[d] > less[d] {
						most[n*width+d] = max(most[n*width+d], levelOf(it, yields[i]))
					}
				}
			}
		}
		for i, nodes := range m {
			it := &p.Items[i]
			now, more := taken(p, i, yields[i]*it.Need, yields[i]), taken(p, i, (yields[i]+1e-6)*it.Need, yields[i]+1e-6)
			bottleneck := func(n int) bool {
				for d := range width {
					if more[d] > now[d] && used.row(n)[d] >= capacity.row(n)[d]*(1-slop) && most[n*width+d] <= levelOf(it,
						yields[i])+slop {
						return true
					}
				}
				return false
			}
			if nodes != nil && yields[i] < 1 && it.Line.straight().Slope > 0 && !slices.ContainsFunc(nodes, bottleneck) {
				t.Fatalf("yield %v of item %d can be raised: %v", yields[i], i, yields)
			}
		}
	})
}

func TestMaxMinAgreesWithPlainFilling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		m := drawMapping(t, p)
		got, want := MaxMin(p, m), plainMaxMin(p, m)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6 {
				t.Fatalf("item %d: yield %v, plainly %v", i, got, want)
			}
		}
	})
}

func TestStoppedSearchReturnsItsBestResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := differentNodes(t)
		order := drawOrder(t, p)
		whole := Search(p, order)
		asked, after := 0, rapid.IntRange(0, 20).Draw(t, "asked before")
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		r := Options{Workers: workers, Stop: func() bool { asked++; return asked > after }}.Search(p, order)
		if asked > after+1 {
			t.Fatalf("asked %d times, wanted an end at the %dth", asked, after+1)
		}
		if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
			t.Fatal(err)
		}
		for i, nodes := range r.Mapping {
			if (nodes == nil) != slices.Contains(r.Dropped, i) {
				t.Fatalf("item %d: mapped to %v, dropped: %v", i, nodes, r.Dropped)
			}
		}
		if diff := cmp.Diff(whole, r); asked <= after && diff != "" {
			t.Fatalf("was not stopped, but differs: %s", diff)
		}
	})
}

func TestWholeSearchMapsAllItemsIfSomeLevelDownToTheLowEndWorks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, o := anyNodes(t), drawOptions(t)
		o.Strict = false // because Pack is not strict
		if rapid.Bool().Draw(t, "enormous") {
			for i := range p.Items {
				p.Items[i].Need *= 1 << 40
			}
		}
		order := drawOrder(t, p)
		o.Strict = false // because Pack is not strict
		plain := o.Search(p, order)
		o.Whole = true
		r := o.Search(p, order)
		if err := p.Feasible(r.Mapping, yieldsAt(p, r.Mapping, r.Yield)); err != nil {
			t.Fatal(err)
		}
		_, fit := Pack(p, o.Low)
		for level, n := o.High, 0; n < max(o.halvings(), 10); n++ {
			level = (o.Low + level) / 2
			_, ok := Pack(p, level)
			fit = fit || ok
		}
		switch {
		case len(plain.Dropped) == 0:
			if diff := cmp.Diff(plain, r); diff != "" {
				t.Fatalf("nobody had to be dropped: %s", diff)
			}
		case fit && (len(r.Dropped) > 0 || r.Yield > o.lowest()):
			t.Fatalf("all fit somewhere from %v, but at no level from %v: %+v", o.Low, o.lowest(), r)
		case !fit && len(r.Dropped) < len(p.Items):
			t.Fatalf("they fit nowhere from %v, but some are mapped: %+v", o.Low, r)
		}
	})
}

func TestAccuracyOfAThousandthDoesNotDecideWhetherAWholeSearchSucceeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Problem{Nodes: []Node{{Rigid: []float64{0}}}}
		for range 2 {
			p.Nodes = append(p.Nodes, Node{CPU: 1, Rigid: []float64{float64(rapid.IntRange(20, 40).Draw(t, "memory"))}})
		}
		for i := range 3 {
			p.Items = append(p.Items, Item{Count: 1, Need: float64(rapid.IntRange(1, 4).Draw(t, "need")),
				Rigid: []float64{float64(rapid.IntRange(0, 40).Draw(t, "memory"))}, Label: uint64(i)})
		}
		p.Items[0].Allowed = []bool{false, true, false}
		order := all(3)
		o := Options{Accuracy: 0.001, Whole: true}
		fine := o.Search(p, order)
		o.Accuracy = rapid.Float64Range(0.001, 1).Draw(t, "accuracy")
		if coarse := o.Search(p, order); !slices.Equal(coarse.Dropped, fine.Dropped) {
			t.Fatalf("dropped %v, at accuracy %v %v", fine.Dropped, o.Accuracy, coarse.Dropped)
		}
	})
}

func TestWholeSearchTriesNoMoreLevelsIfEverythingFits(t *testing.T) {
	p := &Problem{Nodes: []Node{{CPU: 1}}, Items: []Item{{Count: 30, Need: 1}}}
	plain, whole := Search(p, []int{0}), Options{Whole: true}.Search(p, []int{0})
	if diff := cmp.Diff(plain, whole); diff != "" || plain.Probes != 7 {
		t.Errorf("%d probes: %s", plain.Probes, diff)
	}
}

func TestWholeSearchFindsYieldsThatAreTiny(t *testing.T) {
	p := &Problem{Nodes: []Node{{CPU: 1}}, Items: []Item{{Count: 1, Need: 1 << 60}}}
	if r := (Options{Whole: true}).Search(p, []int{0}); len(r.Dropped) > 0 || r.Yield*(1<<60) < 0.98 {
		t.Errorf("yield %v, dropped %v; want 2^-60 and none", r.Yield, r.Dropped)
	}
}
