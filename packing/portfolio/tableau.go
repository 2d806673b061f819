package portfolio

import (
	"slices"

	"aliquot/packing"
)

// An tableau is some items of a problem at one level after the other. Items whose tasks are identical and may
// run anywhere are one kind.
type tableau struct {
	p        *packing.Problem
	width    int
	rigid    int       // dimensions from 1 on that are rigid; all others are fluid
	task     []float64 // scratch: by dimension
	capacity []float64 // by node and dimension, as is the next
	pinned   []float64 // what pinned tasks take at the level
	mean     []float64 // capacity of the mean node
	alike    bool      // all nodes have the same capacity

	level float64
	pace  *work // is told what was looked at; nil: nobody asks
	selection
}

// A selection is the items that are to be mapped.
type selection struct {
	items []int
	kinds []kind
	size  []float64 // by kind and dimension: what one task takes at the level
	share []float64 // the same as fractions of the mean node
	fixed []int     // items that are pinned
	tasks int       // that are free
	bound bool      // some kind may not go everywhere or has to be spread
}

// A kind is identical tasks.
type kind struct {
	item   int   // the first of them
	age    int   // 0 for the last submitted
	count  int   // of all members: tasks, or items whose tasks are to be together
	member []int // items
}

// newTableau is an empty one.
func newTableau(p *packing.Problem) *tableau {
	in := &tableau{p: p, width: p.Dimensions(), alike: true}
	in.mean, in.task = make([]float64, in.width), make([]float64, in.width)
	if len(p.Nodes) > 0 {
		in.rigid = len(p.Nodes[0].Rigid)
	}
	for n := range p.Nodes {
		p.Nodes[n].Capacity(in.task)
		in.capacity = append(in.capacity, in.task...)
		for d, x := range in.row(in.capacity, n) {
			in.alike = in.alike && x == in.capacity[d]
			if x != in.mean[d] { // the mean of equals is exact
				in.mean[d] += (x - in.mean[d]) / float64(n+1)
			}
		}
	}
	in.pinned = make([]float64, len(in.capacity))
	return in
}

func (in *tableau) row(table []float64, i int) []float64 {
	return table[i*in.width : (i+1)*in.width]
}

// choose sets the items that are to be mapped; false if there was to be an end before, and all is as it was.
func (in *tableau) choose(items []int) bool {
	sel, byAge := selection{items: items}, slices.Clone(items)
	slices.SortFunc(byAge, func(a, b int) int {
		if in.pace.seen(1) {
			return 0
		}
		if x, y := in.p.Items[a].Label, in.p.Items[b].Label; x != y {
			return less(x > y)
		}
		return b - a
	})
	known := map[likeness]int{}
	for age, i := range byAge {
		if in.pace.seen(1) {
			return false
		}
		sel.add(in, i, age, known)
	}
	sel.size, sel.share = make([]float64, len(sel.kinds)*in.width), make([]float64, len(sel.kinds)*in.width)
	in.selection = sel
	return true
}

// add takes an item, as one of a kind that is known already if there is such.
func (sel *selection) add(in *tableau, i, age int, known map[likeness]int) {
	it := &in.p.Items[i]
	if it.Pinned != nil {
		sel.fixed = append(sel.fixed, i)
		return
	}
	sel.tasks += it.Count / it.Unit()
	like, may := in.likeness(it)
	if k, ok := known[like]; ok && may {
		sel.kinds[k].count += it.Count / it.Unit()
		sel.kinds[k].member = append(sel.kinds[k].member, i)
		return
	}
	if may {
		known[like] = len(sel.kinds)
	}
	sel.bound = sel.bound || it.Allowed != nil || it.Spread
	sel.kinds = append(sel.kinds, kind{i, age, it.Count / it.Unit(), []int{i}})
}

// likeness tells identical tasks apart from others.
type likeness struct {
	need, least float64
	line        packing.Line
	rigid       [3]float64
}

// likeness of an item, and whether it may be one kind with others.
func (in *tableau) likeness(it *packing.Item) (l likeness, may bool) {
	l = likeness{need: it.Need, least: it.MinCPU, line: it.Line}
	return l, copy(l.rigid[:], it.Rigid) == len(it.Rigid) && it.Allowed == nil && it.Fluid == nil && !it.Spread && !it.Together
}

// rise brings everything to a level; false if no mapping could reach it, as pinned tasks exceed a node or a
// yield would be above 1.
func (in *tableau) rise(level float64) bool {
	in.level = level
	in.pace.seen(len(in.kinds))
	for k := range in.kinds {
		size := in.row(in.size, k)
		it := &in.p.Items[in.kinds[k].item]
		it.Takes(size, level)
		for d, share := 0, in.row(in.share, k); d < in.width; d++ {
			size[d] *= float64(it.Unit())
			share[d] = fraction(size[d], in.mean[d])
		}
	}
	clear(in.pinned)
	for _, i := range in.fixed {
		it := &in.p.Items[i]
		it.Takes(in.task, level)
		for _, n := range it.Pinned {
			used, capacity := in.row(in.pinned, n), in.row(in.capacity, n)
			add(used, in.task, 1)
			for d := range used {
				if used[d] > capacity[d] {
					return false
				}
			}
		}
	}
	return true
}

// fits says whether one more task fits beside what is used.
func fits(used, size, capacity []float64) bool {
	for d, x := range size {
		if used[d]+x > capacity[d] {
			return false
		}
	}
	return true
}

func add(used, size []float64, sign float64) {
	for d, x := range size {
		used[d] += sign * x
	}
}

// fraction of a capacity; nothing of nothing is 0.
func fraction(quantity, capacity float64) float64 {
	if quantity == 0 {
		return 0
	}
	return quantity / capacity
}

func less(is bool) int {
	if is {
		return -1
	}
	return 1
}
