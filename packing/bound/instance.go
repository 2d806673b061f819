package bound

import (
	"cmp"
	"slices"

	"aliquot/packing"
)

// An instance is some items of a problem at one level after the other.
type instance struct {
	p    *packing.Problem
	kept []int

	level  float64
	risen  bool
	total  []float64   // by dimension: capacity of all nodes
	most   []float64   // by dimension: largest capacity of a node
	counts []float64   // by place in kept: tasks
	sizes  [][]float64 // by dimension, by place: what one task takes at the level
	orders [][]int32   // by dimension: places, the largest size first
	pinned []int32     // places of pinned items
	used   []float64   // scratch: by node and dimension
	run    run         // scratch

}

func begin(p *packing.Problem, kept []int, low float64) *instance {
	in := &instance{p: p, kept: kept}
	width := 1
	if len(p.Nodes) > 0 {
		width += len(p.Nodes[0].Rigid)
	}
	in.total, in.most = make([]float64, width), make([]float64, width)
	for n := range p.Nodes {
		for d := range width {
			c := capacity(&p.Nodes[n], d)
			in.total[d] += c
			in.most[d] = max(in.most[d], c)
		}
	}
	in.sizes, in.orders = make([][]float64, width), make([][]int32, width)
	for d := range width {
		in.sizes[d] = make([]float64, len(kept))
	}
	for at, i := range kept {
		it := &p.Items[i]
		in.counts = append(in.counts, float64(it.Count))
		for d, x := range it.Rigid[:width-1] {
			in.sizes[1+d][at] = x
		}
		if it.Pinned != nil {
			in.pinned = append(in.pinned, int32(at))
		}
	}
	for d := range width {
		if d == 0 {
			in.rise(low)
		}
		in.sort(d)
	}
	return in
}

func capacity(n *packing.Node, d int) float64 {
	if d == 0 {
		return n.CPU
	}
	return n.Rigid[d-1]
}

// rise brings the fluid sizes to a level: the least that tasks take there or at any higher one.
func (in *instance) rise(level float64) {
	if in.risen && in.level == level {
		return
	}
	in.level, in.risen = level, true
	for at, i := range in.kept {
		in.sizes[0][at] = in.p.Items[i].Least(level)
	}
	if order := in.orders[0]; order != nil && !slices.IsSortedFunc(order, in.larger(0)) {
		in.sort(0)
	}
}

// sort orders the places by a size, the largest first.
func (in *instance) sort(d int) {
	if in.orders[d] == nil {
		in.orders[d] = make([]int32, len(in.kept))
		for at := range in.orders[d] {
			in.orders[d][at] = int32(at)
		}
	}
	slices.SortStableFunc(in.orders[d], in.larger(d))
}

func (in *instance) larger(d int) func(a, b int32) int {
	size := in.sizes[d]
	return func(a, b int32) int { return cmp.Compare(size[b], size[a]) }
}
