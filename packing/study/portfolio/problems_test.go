package portfolio

import (
	"pgregory.net/rapid"

	"aliquot/packing"
)

// problem draws nodes that are alike or not, and items of one to five tasks with the given number of
// rigid dimensions. If restricted, some items may not go everywhere.
func problem(t *rapid.T, rigid int, restricted bool) *packing.Problem {
	p := &packing.Problem{}
	vector := func(least, most int, label string) (v []float64) {
		for range rigid {
			v = append(v, float64(rapid.IntRange(least, most).Draw(t, label)))
		}
		return v
	}
	fluid := restricted && rapid.IntRange(0, 3).Draw(t, "fluid") == 0
	node := packing.Node{CPU: 100, Rigid: vector(50, 100, "capacity")}
	different := rapid.Bool().Draw(t, "different nodes")
	for range rapid.IntRange(1, 8).Draw(t, "nodes") {
		if different {
			node = packing.Node{CPU: float64(rapid.IntRange(0, 200).Draw(t, "CPU")), Rigid: vector(0, 100, "capacity")}
		}
		if fluid {
			node.Fluid = []float64{float64(rapid.IntRange(50, 200).Draw(t, "network"))}
		}
		p.Nodes = append(p.Nodes, node)
	}
	for i := range rapid.IntRange(0, 12).Draw(t, "items") {
		it := packing.Item{
			Count: rapid.IntRange(1, 5).Draw(t, "tasks"), Need: float64(rapid.IntRange(0, 100).Draw(t, "need")),
			MinCPU: float64(rapid.SampledFrom([]int{0, 0, 1, 10}).Draw(t, "least")), Rigid: vector(0, 40, "requirement"),
			Label: uint64(i),
		}
		if fluid {
			it.Need++
			it.Fluid = []packing.Demand{{Slope: float64(rapid.IntRange(0, 60).Draw(t, "traffic")),
				Least: float64(rapid.IntRange(0, 2).Draw(t, "least traffic"))}}
		}
		if restricted {
			restrict(t, p, &it)
		}
		p.Items = append(p.Items, it)
	}
	return p
}

func restrict(t *rapid.T, p *packing.Problem, it *packing.Item) {
	switch nodes := len(p.Nodes); rapid.IntRange(0, 6).Draw(t, "restriction") {
	case 0:
		it.Spread = true
	case 1:
		it.Allowed = rapid.SliceOfN(rapid.Bool(), nodes, nodes).Draw(t, "allowed")
	case 2:
		it.Pinned = rapid.SliceOfN(rapid.IntRange(0, nodes-1), it.Count, it.Count).Draw(t, "pinned")
	case 3:
		it.Together = true
	case 4:
		it.Line = packing.Line{Slope: float64(rapid.IntRange(0, 8).Draw(t, "slope")) / 4,
			Base: float64(rapid.IntRange(-2, 2).Draw(t, "base")) / 4}
	}
}
