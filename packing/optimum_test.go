package packing

import (
	"testing"
)

// TestNoMappingBeatsTheOptimum compares with the best of all mappings in every problem of five
// tasks on two nodes whose needs and requirements are quarters of a node, and logs how far
// MCB8 is from it.
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

// eachSmallProblem calls do with every multiset of five items out of sixteen kinds.
func eachSmallProblem(do func(*Problem)) {
	node := Node{4, []float64{4}}
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
