package portfolio_test

import (
	"testing"

	"aliquot/packing"
	"aliquot/packing/study/portfolio"
)

func threeNodes() *packing.Problem {
	return &packing.Problem{Nodes: []packing.Node{{CPU: 1, Rigid: []float64{1}}, {CPU: 1, Rigid: []float64{1}},
		{CPU: 1, Rigid: []float64{1}}}}
}

func TestVeryManyIdenticalTasksAreSharedEvenly(t *testing.T) {
	for name, items := range map[string][]packing.Item{
		"one kind": {{Count: 400_000, Need: 0.1, Rigid: []float64{0}}},
		"three kinds": {{Count: 200_000, Need: 0.1, Rigid: []float64{0}}, {Count: 140_000, Need: 0.2, Rigid: []float64{1e-6}},
			{Count: 60_000, Need: 0.05, Rigid: []float64{2e-6}}},
	} {
		p, order := threeNodes(), []int{0, 1, 2}[:len(items)]
		p.Items = items
		if r := (portfolio.Options{Whole: true}).Search(p, order); r.Cut || r.Bound.Gap(r.Yield) > 1e-4 {
			t.Errorf("%s: yield %g of %g, cut short: %v", name, r.Yield, r.Bound.Level, r.Cut)
		}
	}
}

// Each exchange visits all tasks of both nodes, and there are many here. That is the cost, not the few tasks that
// move.
func TestExchangesBetweenCrowdedNodesCountAllTheirTasks(t *testing.T) {
	const tasks, budget = 20_000, 1_000_000
	p, order := threeNodes(), make([]int, tasks)
	for i := range order {
		order[i] = i
		p.Items = append(p.Items, packing.Item{Count: 1, Need: 0.1 + float64(i)*1e-7, Rigid: []float64{0}})
	}
	r := portfolio.Options{Steps: budget, Whole: true}.Search(p, order)
	if !r.Cut || r.Steps > budget+2*tasks {
		t.Errorf("%d steps, cut short: %v", r.Steps, r.Cut)
	}
}
