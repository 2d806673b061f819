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

	level    float64
	risen    bool
	capacity []float64   // by node and dimension
	task     []float64   // scratch: by dimension
	total    []float64   // by dimension: capacity of all nodes
	most     []float64   // by dimension: largest capacity of a node
	counts   []float64   // by place in kept: tasks
	sizes    [][]float64 // by dimension, by place: what one task takes at the level
	orders   [][]int32   // by dimension: places, the largest size first
	pinned   []int32     // places of pinned items
	choosy   bool        // some item that is not pinned may not go everywhere, or is spread
	used     []float64   // scratch: by node and dimension
	run      run         // scratch
	*pace
}

func newInstance(p *packing.Problem, kept []int, stop func() bool) *instance {
	width := p.Dimensions()
	return &instance{pace: &pace{stop: stop}, p: p, kept: kept, total: make([]float64, width), most: make([]float64, width), task: make([]float64, width)}
}

// begin adds up what the nodes have, and brings the items to the lowest level.
func (in *instance) begin(low float64) {
	p, kept, width := in.p, in.kept, len(in.task)
	for n := range p.Nodes {
		p.Nodes[n].Capacity(in.task)
		in.capacity = append(in.capacity, in.task...)
		for d, c := range in.task {
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
		in.counts = append(in.counts, float64(it.Count/it.Unit()))
		if it.Pinned != nil {
			in.pinned = append(in.pinned, int32(at))
		} else {
			in.choosy = in.choosy || it.Allowed != nil || it.Spread
		}
	}
	in.rise(low)
	for d := range width {
		in.sort(d)
	}
}

// rise brings the sizes to a level: the least that tasks take there or at any higher one. Tasks that have to be
// together are one.
func (in *instance) rise(level float64) {
	if in.risen && in.level == level {
		return
	}
	in.level, in.risen = level, true
	in.seen(len(in.kept))
	for at, i := range in.kept {
		it := &in.p.Items[i]
		it.TakesLeast(in.task, level)
		for d, x := range in.task {
			in.sizes[d][at] = float64(it.Unit()) * x
		}
	}
	for d, order := range in.orders {
		if order != nil && in.fluid(d) && !slices.IsSortedFunc(order, in.larger(d)) {
			in.sort(d)
		}
	}
}

// fluid says whether what tasks take of a dimension depends on the level.
func (in *instance) fluid(d int) bool {
	return d == 0 || len(in.p.Nodes) > 0 && d > len(in.p.Nodes[0].Rigid)
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

// larger compares sizes. Once there is to be an end to it all are equal, so that sorting ends too.
func (in *instance) larger(d int) func(a, b int32) int {
	size := in.sizes[d]
	return func(a, b int32) int {
		if in.seen(1); in.ended {
			return 0
		}
		return cmp.Compare(size[b], size[a])
	}
}
