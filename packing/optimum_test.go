package packing

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoMappingBeatsTheOptimum compares MCB8 with the best of all mappings for every problem of five
// tasks on two nodes whose needs and requirements are quarters of a node, and logs the distance.
func TestNoMappingBeatsTheOptimum(t *testing.T) {
	missed, solved, gaps := 0, 0, [5]int{}
	eachSmallProblem(func(p *Problem) {
		best, possible := optimum(p)
		r := Search(p, all(len(p.Items)))
		if !possible && len(r.Dropped) == 0 {
			t.Fatalf("mapped what no mapping can: %v", p.Items)
		}
		if !possible {
			return
		}
		if len(r.Dropped) > 0 {
			missed++
			return
		}
		smallest := 1 / max(1, p.Load(r.Mapping))
		if r.Yield > best || smallest > best {
			t.Fatalf("yield %v of the search, %v of its mapping, optimum %v: %v", r.Yield, smallest, best, p.Items)
		}
		solved++
		gaps[min(int(20*(best-smallest)+0.99), len(gaps)-1)]++
	})
	if solved == 0 || missed > solved/10 {
		t.Errorf("%d solved, %d missed: far worse than MCB8 should be", solved, missed)
	}
	t.Logf("%d problems can be mapped; MCB8 dropped a job in %d of them", solved+missed, missed)
	for k, label := range []string{"none", "to 0.05", "to 0.10", "to 0.15", "more"} {
		t.Logf("yield below the optimum: %-8s %5.1f %%", label, 100*float64(gaps[k])/float64(solved))
	}
}

// eachSmallProblem calls do for every multiset of five items out of sixteen kinds.
func eachSmallProblem(do func(*Problem)) {
	node := Node{CPU: 4, Rigid: []float64{4}}
	var extend func(items []Item, kind int)
	extend = func(items []Item, kind int) {
		if len(items) == 5 {
			do(&Problem{[]Node{node, node}, items})
			return
		}
		for ; kind < 16; kind++ {
			it := Item{Count: 1, Need: float64(1 + kind/4), Rigid: []float64{float64(1 + kind%4)}, Label: uint64(len(items))}
			extend(append(items[:len(items):len(items)], it), kind)
		}
	}
	extend(nil, 0)
}

// optimum tries every mapping of single tasks to two nodes.
func optimum(p *Problem) (best float64, possible bool) {
	for bits := range 1 << len(p.Items) {
		var cpu, mem [2]float64
		for i, it := range p.Items {
			n := bits >> i & 1
			cpu[n] += it.Need
			mem[n] += it.Rigid[0]
		}
		if mem[0] > p.Nodes[0].Rigid[0] || mem[1] > p.Nodes[1].Rigid[0] {
			continue
		}
		load := max(cpu[0]/p.Nodes[0].CPU, cpu[1]/p.Nodes[1].CPU)
		best, possible = max(best, 1/max(1, load)), true
	}
	return best, possible
}

// TestEverySmallProblemIsPackedAsPublished compares with the plain algorithms, and with the best of
// all mappings, on one to three nodes with every set of up to three jobs of one or two tasks, in two
// orders of priority.
func TestEverySmallProblemIsPackedAsPublished(t *testing.T) {
	o := Options{High: 1, Accuracy: 0.01}
	eachSmallCluster(func(p *Problem) {
		order := all(len(p.Items))
		for range 2 {
			slices.Reverse(order)
			r := o.Search(p, order)
			m, yield, dropped := plainSearch(p, o, order)
			if diff := cmp.Diff(Result{m, yield, dropped, r.Probes}, r); diff != "" {
				t.Fatalf("%v: %s", p, diff)
			}
			smallest := 1.0
			for i, y := range MaxMin(p, r.Mapping) {
				if r.Mapping[i] != nil {
					smallest = min(smallest, y)
				}
			}
			kept := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return r.Mapping[i] == nil })
			if best := bestYield(p, kept); r.Yield > best || smallest > best+slop {
				t.Fatalf("%v: yield %v of the search, %v of its mapping, optimum %v", p, r.Yield, smallest, best)
			}
		}
	})
}

func eachSmallCluster(do func(*Problem)) {
	var kinds []Item
	for tasks := 1; tasks <= 2; tasks++ {
		for _, need := range []float64{1, 3, 4} {
			for _, memory := range []float64{1, 2, 3} {
				kinds = append(kinds, Item{Count: tasks, Need: need, Rigid: []float64{memory}})
			}
		}
	}
	for nodes := 1; nodes <= 3; nodes++ {
		var extend func(items []Item, kind int)
		extend = func(items []Item, kind int) {
			p := &Problem{slices.Repeat([]Node{{CPU: 4, Rigid: []float64{4}}}, nodes), items}
			if len(items) > 0 {
				dropImpossible(p, 1.0/128)
			}
			if len(p.Items) == len(items) {
				do(p)
			}
			for ; kind < len(kinds) && len(items) < 3; kind++ {
				it := kinds[kind]
				it.Label = uint64(len(items))
				extend(append(items[:len(items):len(items)], it), kind)
			}
		}
		extend(nil, 0)
	}
}

// bestYield tries every mapping of the tasks of some items.
func bestYield(p *Problem, items []int) (best float64) {
	var tasks []int
	for _, i := range items {
		tasks = append(tasks, slices.Repeat([]int{i}, p.Items[i].Count)...)
	}
	cpu, memory := make([]float64, len(p.Nodes)), make([]float64, len(p.Nodes))
	var place func(k int)
	place = func(k int) {
		if k == len(tasks) {
			best = max(best, 1/max(1, slices.Max(cpu)/p.Nodes[0].CPU))
			return
		}
		it := &p.Items[tasks[k]]
		for n := range p.Nodes {
			if memory[n]+it.Rigid[0] <= p.Nodes[n].Rigid[0] {
				cpu[n], memory[n] = cpu[n]+it.Need, memory[n]+it.Rigid[0]
				place(k + 1)
				cpu[n], memory[n] = cpu[n]-it.Need, memory[n]-it.Rigid[0]
			}
		}
	}
	place(0)
	return best
}
