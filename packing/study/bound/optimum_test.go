package bound_test

import (
	"slices"
	"testing"

	"aliquot/packing"
	"aliquot/packing/study/bound"
)

// TestBoundIsNeverBelowTheOptimumAndSeldomAbove compares the bound with the best of all mappings for
// every problem of five tasks on two nodes whose needs and requirements are quarters of a node, and
// for every problem of up to three jobs of one or two tasks on one to three nodes. It logs how far
// above the optimum the bound is.
func TestBoundIsNeverBelowTheOptimumAndSeldomAbove(t *testing.T) {
	problems, impossible, told, distance := 0, 0, 0, [5]int{}
	check := func(p *packing.Problem) {
		b := bound.Of(p, all(p))
		best, possible := optimum(p)
		if possible && (b.Impossible || b.Level < best*(1-1e-12)) {
			t.Fatalf("bound %+v, but a mapping reaches %v: %v", b, best, p.Items)
		}
		if !possible {
			impossible++
			if b.Impossible {
				told++
			}
			return
		}
		problems++
		distance[min(int(20*(b.Level-best)+1-1e-6), len(distance)-1)]++
	}
	eachFiveTasks(check)
	eachThreeJobs(check)
	t.Logf("%d problems; %d more cannot be mapped, the bound tells in %.1f %% of these", problems, impossible,
		100*float64(told)/float64(impossible))
	for k, label := range []string{"none", "to 0.05", "to 0.10", "to 0.15", "more"} {
		t.Logf("bound above the optimum: %-8s %5.1f %%", label, 100*float64(distance[k])/float64(problems))
	}
	if told < impossible*9/10 || distance[0] < problems*8/10 {
		t.Errorf("far looser than it should be")
	}
}

func eachFiveTasks(do func(*packing.Problem)) {
	node := packing.Node{CPU: 4, Rigid: []float64{4}}
	var extend func(items []packing.Item, kind int)
	extend = func(items []packing.Item, kind int) {
		if len(items) == 5 {
			do(&packing.Problem{Nodes: []packing.Node{node, node}, Items: items})
			return
		}
		for ; kind < 16; kind++ {
			it := packing.Item{Count: 1, Need: float64(1 + kind/4), Rigid: []float64{float64(1 + kind%4)}}
			extend(append(items[:len(items):len(items)], it), kind)
		}
	}
	extend(nil, 0)
}

func eachThreeJobs(do func(*packing.Problem)) {
	var kinds []packing.Item
	for tasks := 1; tasks <= 2; tasks++ {
		for _, need := range []float64{1, 3, 4} {
			for _, memory := range []float64{1, 2, 3} {
				kinds = append(kinds, packing.Item{Count: tasks, Need: need, Rigid: []float64{memory}})
			}
		}
	}
	for nodes := 1; nodes <= 3; nodes++ {
		var extend func(items []packing.Item, kind int)
		extend = func(items []packing.Item, kind int) {
			if len(items) > 0 {
				do(&packing.Problem{Nodes: slices.Repeat([]packing.Node{{CPU: 4, Rigid: []float64{4}}}, nodes), Items: items})
			}
			for ; kind < len(kinds) && len(items) < 3; kind++ {
				extend(append(items[:len(items):len(items)], kinds[kind]), kind)
			}
		}
		extend(nil, 0)
	}
}

// optimum tries every mapping of the tasks.
func optimum(p *packing.Problem) (best float64, possible bool) {
	var tasks []*packing.Item
	for i := range p.Items {
		tasks = append(tasks, slices.Repeat([]*packing.Item{&p.Items[i]}, p.Items[i].Count)...)
	}
	cpu, memory := make([]float64, len(p.Nodes)), make([]float64, len(p.Nodes))
	var place func(k int)
	place = func(k int) {
		if k == len(tasks) {
			best, possible = max(best, 1/max(1, slices.Max(cpu)/p.Nodes[0].CPU)), true
			return
		}
		for n := range p.Nodes {
			if it := tasks[k]; memory[n]+it.Rigid[0] <= p.Nodes[n].Rigid[0] {
				cpu[n], memory[n] = cpu[n]+it.Need, memory[n]+it.Rigid[0]
				place(k + 1)
				cpu[n], memory[n] = cpu[n]-it.Need, memory[n]-it.Rigid[0]
			}
		}
	}
	place(0)
	return best, possible
}
