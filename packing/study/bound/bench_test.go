package bound_test

import (
	"fmt"
	"testing"

	"aliquot/packing"
	"aliquot/packing/study/bound"
	"aliquot/packing/study/instance"
)

// BenchmarkOf bounds different tasks on nodes that are alike, and on nodes of several sizes where a
// third of the tasks may only go to half of them.
func BenchmarkOf(b *testing.B) {
	for _, nodes := range []int{1000, 10_000} {
		for _, sizes := range []int{1, 3, 30} {
			p := distinct(nodes, sizes)
			b.Run(fmt.Sprintf("%dx%d/sizes=%d", nodes, 10*nodes, sizes), func(b *testing.B) {
				for b.Loop() {
					bound.Of(p, all(p))
				}
			})
		}
	}
}

func distinct(nodes int, sizes int) *packing.Problem {
	p, _ := instance.Family{Nodes: nodes, Tasks: 10 * nodes, PerJob: 1, Memory: 0.7, Need: 2}.Draw(1)
	if sizes == 1 {
		return p
	}
	some := make([]bool, nodes)
	for n := range p.Nodes {
		p.Nodes[n].CPU *= float64(1+n%sizes) * 3 / float64(sizes)
		p.Nodes[n].Rigid = []float64{p.Nodes[n].Rigid[0] * float64(2*sizes-n%sizes) / float64(sizes)}
		some[n] = n%2 == 0
	}
	for i := range p.Items {
		if i%3 == 0 {
			p.Items[i].Allowed = some
		}
	}
	return p
}
