package packing

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// A flow is progressive filling with fluid dimensions other than CPU. An item's use of each rises with
// its level from one kink to the next. An item stops when it would take more from a node that has
// nothing left.
type flow struct {
	p      *Problem
	m      Mapping
	dims   int // fluid dimensions, CPU first
	yields []float64
	tops   []float64 // by item: its highest yield
	ended  []bool    // by item: it rises no further
	slopes []float64 // by item and dimension: one task's additional use per level at present
	pools  []pool    // by node and dimension
	tasks  [][]int   // by node: their items
	kinks  []kink    // from the lowest level up
	next   poolHeap
	level  float64
}

// A pool is a fluid dimension of a node. At a level, room - rise·level of it is left.
type pool struct {
	room, rise float64
	count      int // of the rising tasks
	full       bool
}

// A kink is a level at which an item's use of a dimension starts or stops to rise, or at which the
// item itself ends.
type kink struct {
	level     float64
	item, dim int
	slope     float64 // from there on; 0: it stops
}

// whole is the dimension of a kink that ends an item.
const whole = -1

// maxMinOfMany is MaxMin with several fluid dimensions.
func (p *Problem) maxMinOfMany(m Mapping) []float64 {
	f := &flow{
		p: p, m: m, dims: 1 + len(p.Nodes[0].Fluid), level: math.Inf(-1),
		yields: make([]float64, len(p.Items)), tops: make([]float64, len(p.Items)), ended: make([]bool, len(p.Items)),
		tasks: make([][]int, len(p.Nodes)),
	}
	f.slopes, f.pools = make([]float64, len(p.Items)*f.dims), make([]pool, len(p.Nodes)*f.dims)
	f.lay()
	for i, nodes := range m {
		if nodes != nil {
			f.wait(i)
		}
	}
	slices.SortFunc(f.kinks, func(a, b kink) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.slope, b.slope), cmp.Compare(a.item, b.item),
			cmp.Compare(a.dim, b.dim))
	})
	for len(f.kinks) > 0 {
		f.step()
	}
	return f.yields
}

// lay fills the pools.
func (f *flow) lay() {
	for n, node := range f.p.Nodes {
		f.pools[n*f.dims].room = node.CPU
		for d, capacity := range node.Fluid {
			f.pools[n*f.dims+1+d].room = capacity
		}
	}
}

// wait puts an item at its floor, and lists the kinks of its use.
func (f *flow) wait(i int) {
	it := &f.p.Items[i]
	floor, line, top := it.floor(), it.Line.straight(), it.topOn(f.m[i])
	if line.Slope == 0 {
		floor = max(floor, min(line.Base, top))
	}
	f.yields[i], f.tops[i] = floor, top
	for _, n := range f.m[i] {
		f.tasks[n] = append(f.tasks[n], i)
		f.pools[n*f.dims].room -= floor * it.Need
		for d, demand := range it.Fluid {
			f.pools[n*f.dims+1+d].room -= demand.at(floor)
		}
	}
	if line.Slope == 0 || floor >= top {
		f.ended[i] = true
		return
	}
	rising := func(dim int, from, to, slope float64) {
		if from < to && slope > 0 {
			f.kinks = append(f.kinks,
				kink{(from - line.Base) / line.Slope, i, dim, slope * line.Slope}, kink{(to - line.Base) / line.Slope, i, dim, 0})
		}
	}
	rising(0, floor, top, it.Need)
	for d, demand := range it.Fluid {
		from, to := demand.rises()
		rising(1+d, max(floor, from), min(top, to), demand.Slope)
	}
	f.kinks = append(f.kinks, kink{(top - line.Base) / line.Slope, i, whole, 0})
}

// rises returns the yields between which the demand rises.
func (d Demand) rises() (from, to float64) {
	if d.Slope == 0 {
		return 0, 0
	}
	from, to = (d.Least-d.Base)/d.Slope, math.Inf(1)
	if d.Most > 0 {
		to = (max(d.Most, d.Least) - d.Base) / d.Slope
	}
	return from, to
}

// step advances to the next kink, or to the level at which the next pool is full.
func (f *flow) step() {
	const tie = 1e-12 // rounding must not stop an item that would take no more anyway
	k := f.kinks[0]
	if len(f.next) > 0 && f.next[0].level < k.level-tie*(1+math.Abs(k.level)) {
		f.spill()
		return
	}
	f.kinks = f.kinks[1:]
	if f.level = max(f.level, k.level); f.ended[k.item] {
		return
	}
	switch {
	case k.dim == whole:
		f.end(k.item, f.tops[k.item])
	case k.slope > 0 && slices.ContainsFunc(f.m[k.item], func(n int) bool { return f.pools[n*f.dims+k.dim].full }):
		f.stop(k.item)
	default:
		f.turn(k.item, k.dim, k.slope)
	}
}

// spill examines the pool that seems to be full next. If it is full, spill stops the items that rise
// there.
func (f *flow) spill() {
	e := heap.Pop(&f.next).(poolEntry)
	pool := &f.pools[e.pool]
	level := pool.fills(f.level)
	if level > e.level && level > f.level {
		if !math.IsInf(level, 1) {
			heap.Push(&f.next, poolEntry{level, e.pool})
		}
		return
	}
	f.level, pool.full = level, true
	for _, i := range f.tasks[e.pool/f.dims] {
		if f.slopes[i*f.dims+e.pool%f.dims] > 0 {
			f.stop(i)
		}
	}
}

// fills returns the level, from the present one on, at which nothing is left.
func (p *pool) fills(now float64) float64 {
	if p.full || p.count == 0 || !(p.rise > 0) {
		return math.Inf(1)
	}
	if level := p.room / p.rise; level > now {
		return level
	}
	return now
}

// turn changes the slope of an item's use of a dimension at the present level.
func (f *flow) turn(i, dim int, slope float64) {
	now := &f.slopes[i*f.dims+dim]
	change, count := slope-*now, 0
	if *now > 0 {
		count--
	}
	if *now = slope; slope > 0 {
		count++
	}
	for _, n := range f.m[i] {
		pool := &f.pools[n*f.dims+dim]
		pool.rise += change
		pool.room += change * f.level
		pool.count += count
		if change > 0 {
			heap.Push(&f.next, poolEntry{pool.fills(f.level), n*f.dims + dim})
		}
	}
}

func (f *flow) stop(i int) {
	const below = 1 - 1e-12 // a yield that rounding raised must not use an exhausted dimension
	line := f.p.Items[i].Line.straight()
	f.end(i, max(f.yields[i], min(line.Slope*f.level+line.Base, f.tops[i])*below))
}

// end fixes an item's yield.
func (f *flow) end(i int, yield float64) {
	f.yields[i], f.ended[i] = yield, true
	for d := range f.dims {
		if f.slopes[i*f.dims+d] > 0 {
			f.turn(i, d, 0)
		}
	}
}

// A poolEntry is a pool and a level below which it is not full.
type poolEntry struct {
	level float64
	pool  int
}

// poolHeap orders pools by the level at which they are full.
type poolHeap []poolEntry

func (h poolHeap) Len() int      { return len(h) }
func (h poolHeap) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h poolHeap) Less(a, b int) bool {
	return h[a].level < h[b].level || h[a].level == h[b].level && h[a].pool < h[b].pool
}
func (h *poolHeap) Push(e any) { *h = append(*h, e.(poolEntry)) }
func (h *poolHeap) Pop() any {
	last := len(*h) - 1
	e := (*h)[last]
	*h = (*h)[:last]
	return e
}
