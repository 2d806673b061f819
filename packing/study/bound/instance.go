package bound

import (
	"slices"

	"aliquot/packing"
	"aliquot/packing/pace"
	"aliquot/packing/radix"
)

// An instance holds some items of a problem at one level after the other.
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
	sizes    [][]float64 // by dimension, by place: one task's use at the level
	orders   []ranking   // by dimension: places, the largest size first
	needs    []float64   // by place: CPU need, as is the next; nil if the use depends on more
	shares   []float64   // smallest share of CPU
	pinned   []int32     // places of pinned items
	choosy   bool        // some item that is not pinned is restricted or spread
	used     []float64   // scratch: by node and dimension
	run      run         // scratch, as are the next
	keys     []radix.Key
	spare    []radix.Key
	pace.Pace
}

func newInstance(p *packing.Problem, kept []int, stop func() bool) *instance {
	width := p.Dimensions()
	return &instance{Pace: pace.Pace{Stop: stop}, p: p, kept: kept, total: make([]float64, width),
		most: make([]float64, width), task: make([]float64, width)}
}

// begin adds up the capacities, and computes the sizes at the lowest level.
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
	in.sizes, in.orders = make([][]float64, width), make([]ranking, width)
	for d := range width {
		in.sizes[d] = make([]float64, len(kept))
	}
	in.counts, in.needs, in.shares = make([]float64, len(kept)), make([]float64, len(kept)), make([]float64, len(kept))
	plain := true
	for at, i := range kept {
		if in.Seen(1) {
			return
		}
		it := &p.Items[i]
		in.take(at, it, low)
		in.needs[at], in.shares[at] = it.Need, min(it.MinCPU, it.Need)
		in.counts[at] = float64(it.Count / it.Unit())
		plain = plain && it.Line == packing.Line{} && it.Fluid == nil && it.Unit() == 1
		if it.Pinned != nil {
			in.pinned = append(in.pinned, int32(at))
		} else {
			in.choosy = in.choosy || it.Allowed != nil || it.Spread
		}
	}
	if in.level, in.risen = low, true; !plain {
		in.needs, in.shares = nil, nil
	}
}

// take writes the least use of an item's units at the level or any higher one. Tasks that must be
// together are one unit.
func (in *instance) take(at int, it *packing.Item, level float64) {
	it.TakesLeast(in.task, level)
	for d, x := range in.task {
		in.sizes[d][at] = float64(it.Unit()) * x
	}
}

// rise computes the sizes at a level. If the search is stopped meanwhile, some are missing.
func (in *instance) rise(level float64) {
	if in.risen && in.level == level {
		return
	}
	in.level, in.risen = level, true
	for d := range in.orders {
		in.orders[d].stale = in.orders[d].stale || in.fluid(d)
	}
	if in.needs != nil {
		in.Seen(len(in.kept))
		for at, need := range in.needs {
			in.sizes[0][at] = min(max(level*need, in.shares[at]), need)
		}
		return
	}
	for at, i := range in.kept {
		if in.Seen(1) {
			return
		}
		in.take(at, &in.p.Items[i], level)
	}
}

// fluid reports whether the use of a dimension depends on the level.
func (in *instance) fluid(d int) bool {
	return d == 0 || len(in.p.Nodes) > 0 && d > len(in.p.Nodes[0].Rigid)
}

// A ranking lists places by size.
type ranking struct {
	places []int32 // nil: not needed so far
	stale  bool    // the sizes have changed since
}

// order lists the places by size, the largest first. If the search is stopped meanwhile, they are in
// no order.
func (in *instance) order(d int) []int32 {
	r := &in.orders[d]
	if r.places != nil && !r.stale {
		return r.places
	}
	if r.places == nil {
		r.places = make([]int32, len(in.kept))
		for at := range r.places {
			r.places[at] = int32(at)
		}
	}
	in.keys = slices.Grow(in.keys[:0], len(in.kept))[:len(in.kept)]
	for k, at := range r.places {
		in.keys[k] = radix.Key{Number: radix.Falling(in.sizes[d][at]), Rank: at}
	}
	if in.Seen(len(in.keys)) {
		return r.places
	}
	in.keys, in.spare = radix.Sort(in.keys, in.spare, in.Ask)
	for k := range in.keys {
		r.places[k] = in.keys[k].Rank
	}
	r.stale = in.Ended
	return r.places
}
