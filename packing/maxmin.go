package packing

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// MaxMin returns the max-min fair yield in [0,1] of every item for a fixed mapping, 0 for
// items that are not mapped: no yield can be raised without lowering one that is no larger,
// or one that its smallest share holds up. The smallest is 1/max(1,Λ), unless smallest
// shares bind. All tasks of an item have its yield. No item gets less than its smallest
// share, not even where these exceed a node; the others there get nothing, and
// [Problem.Feasible] tells.
//
// It fills progressively: the yield of all items rises together from 0; an item whose
// smallest share gives it more joins when the others have come up to it; when a node has no
// CPU left, the items that rise there stop.
// Reference: D. Bertsekas, R. Gallager, "Data Networks", chapter 6 (max-min flow control).
func MaxMin(p *Problem, m Mapping) []float64 {
	f := newFilling(p, m)
	for f.step() {
	}
	for i, rising := range f.rising {
		if rising {
			f.yields[i] = 1
		}
	}
	return f.yields
}

// A filling is the state of progressive filling at some level.
type filling struct {
	p       *Problem
	m       Mapping
	yields  []float64 // by item: final, or its floor as long as it rises or waits
	rising  []bool    // by item
	waiting []int     // items that have not joined yet, those with the highest floor first
	basins  []basin   // by node
	next    basinHeap // the basin that is full next is first
	level   float64   // how far the rising items have come
}

// A basin is a node while it fills up.
type basin struct {
	items []int   // with a task here, once per task
	spare float64 // CPU left by the tasks that do not rise
	need  float64 // sum of the needs of the tasks that rise
	tasks int     // number of the tasks that rise
	full  bool
	level float64 // at which the rising tasks take all that is spare
	place int     // in the heap
}

func newFilling(p *Problem, m Mapping) *filling {
	f := &filling{
		p:      p,
		m:      m,
		yields: make([]float64, len(p.Items)),
		rising: make([]bool, len(p.Items)),
		basins: make([]basin, len(p.Nodes)),
	}
	for n := range f.basins {
		f.basins[n] = basin{spare: p.Nodes[n].CPU, level: math.Inf(1), place: n}
		f.next = append(f.next, &f.basins[n])
	}
	for i, nodes := range m {
		if nodes == nil {
			continue
		}
		f.yields[i] = p.Items[i].floor()
		f.waiting = append(f.waiting, i)
		for _, n := range nodes {
			f.basins[n].items = append(f.basins[n].items, i)
			f.basins[n].spare -= p.Items[i].demand(0)
		}
	}
	slices.SortFunc(f.waiting, func(a, b int) int {
		return cmp.Or(cmp.Compare(f.yields[b], f.yields[a]), cmp.Compare(b, a))
	})
	return f
}

// step goes on to the next level below 1 at which an item joins or a node is full; false if there is none.
func (f *filling) step() bool {
	joins, full := math.Inf(1), math.Inf(1)
	if last := len(f.waiting) - 1; last >= 0 {
		joins = f.yields[f.waiting[last]]
	}
	if len(f.next) > 0 {
		full = f.next[0].level
	}
	f.level = min(joins, full)
	switch {
	case f.level >= 1:
		return false
	case joins <= full:
		f.join()
	default:
		f.stop(f.next[0])
	}
	return true
}

// join lets the next waiting item rise, unless one of its nodes is full already.
func (f *filling) join() {
	last := len(f.waiting) - 1
	i := f.waiting[last]
	f.waiting = f.waiting[:last]
	if slices.ContainsFunc(f.m[i], func(n int) bool { return f.basins[n].full }) {
		return
	}
	f.rising[i] = true
	for _, n := range f.m[i] {
		f.shift(&f.basins[n], f.p.Items[i].Need, 1)
	}
}

// stop ends the rise of all items on a node that is full.
func (f *filling) stop(b *basin) {
	b.full = true
	for _, i := range b.items {
		if !f.rising[i] {
			continue
		}
		f.rising[i], f.yields[i] = false, f.level
		for _, n := range f.m[i] {
			f.shift(&f.basins[n], -f.p.Items[i].Need, -1)
		}
	}
}

// shift adds tasks with this need to the rising ones of a node, or takes them away.
func (f *filling) shift(b *basin, need float64, tasks int) {
	b.spare += need * f.level
	b.need += need
	b.tasks += tasks
	b.level = math.Inf(1)
	if b.tasks > 0 && b.need > 0 { // the sum may round to nothing beside needs that were taken away
		b.level = max(f.level, b.spare/b.need)
	}
	heap.Fix(&f.next, b.place)
}

// basinHeap implements heap.Interface; heap.Fix is all that is used.
type basinHeap []*basin

func (h basinHeap) Len() int           { return len(h) }
func (h basinHeap) Less(a, b int) bool { return h[a].level < h[b].level }
func (h basinHeap) Swap(a, b int) {
	h[a], h[b] = h[b], h[a]
	h[a].place, h[b].place = a, b
}
func (h *basinHeap) Push(any) { panic("packing: nodes are not added while they fill up") }
func (h *basinHeap) Pop() any { panic("packing: nodes are not taken away while they fill up") }
