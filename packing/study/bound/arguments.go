package bound

import (
	"math"
	"sort"
)

// An argument refutes levels. lowest returns the lowest level between two that it found to refute, or
// the higher of the two if it refutes none. An argument that does not refute a level may still refute
// a lower one.
type argument struct {
	name   Argument
	lowest func(low, high float64) float64
}

// by turns a test of the present level into an argument.
func (in *instance) by(name Argument, refutes func(*instance) bool) argument {
	return argument{name, func(low, high float64) float64 { return in.lowest(refutes, low, high) }}
}

// Limits keep the work at a few dozen passes over the items.
const (
	cuts  = 16 // sizes at which huge tasks are excluded, per dimension
	duals = 8  // dual-feasible functions tried on the rest
)

// arguments returns the arguments to try after sums, the cheapest first.
func (in *instance) arguments() []argument {
	list := []argument{{Relaxation, in.priced}}
	if len(in.pinned) > 0 {
		list = append(list, in.by(Pinned, (*instance).overPinned))
	}
	for b := range in.sizes {
		whole := func(in *instance) *run { return in.beside(0, -1, b) }
		list = append(list, in.on(whole)...)
	}
	for _, f := range in.fences() {
		for b := range in.sizes {
			list = append(list, in.on(func(in *instance) *run { return in.within(f, b) })...)
		}
	}
	for a := range in.sizes {
		for cut := range cuts {
			for b := range in.sizes {
				list = append(list, in.on(func(in *instance) *run { return in.beside(a, cut, b) })...)
			}
		}
	}
	for a := 1; a < len(in.sizes); a++ {
		for cut := range cuts {
			for b := range in.sizes {
				if in.fluid(b) && !in.fluid(a) {
					list = append(list, in.by(Slots, func(in *instance) bool { return in.short(a, cut, b) }))
				}
			}
		}
	}
	return list
}

// on returns the arguments about the sizes in one dimension of some tasks and their nodes.
func (in *instance) on(tasks func(*instance) *run) []argument {
	return []argument{
		in.by(Pigeonhole, func(in *instance) bool { return tasks(in).crowded() }),
		in.by(Dual, func(in *instance) bool { return tasks(in).dual(&in.Pace) }),
	}
}

// overPinned reports whether pinned tasks exceed their node.
func (in *instance) overPinned() bool {
	width := len(in.sizes)
	if in.used == nil {
		in.used = make([]float64, len(in.p.Nodes)*width)
	}
	clear(in.used)
	for _, at := range in.pinned {
		for _, n := range in.p.Items[in.kept[at]].Pinned {
			for d := range width {
				in.used[n*width+d] += in.sizes[d][at]
			}
		}
	}
	for n := range in.p.Nodes {
		for d := range width {
			if exceeds(in.used[n*width+d], in.capacity[n*width+d]) {
				return true
			}
		}
	}
	return false
}

// beside lists the sizes in dimension b of the tasks that share no node with a huge one, and the nodes
// left to them. Those tasks have at least some size in dimension a; a task is huge if it leaves less
// than that size of the largest node. A cut of -1 means all tasks on all nodes.
func (in *instance) beside(a, cut, b int) *run {
	r := &in.run
	r.reset(float64(len(in.p.Nodes)), in.most[b])
	least, huge := math.Inf(-1), in.most[a]*(1+slop)
	if cut >= 0 {
		least = in.cut(a, cut)
		huge -= least
	}
	if !(least <= in.most[a]/2) {
		return r
	}
	for _, at := range in.order(b) {
		if in.Seen(1) {
			break
		}
		switch x := in.sizes[a][at]; {
		case x > huge && cut >= 0:
			r.nodes -= in.counts[at]
		case x >= least:
			r.add(in.sizes[b][at], in.counts[at])
		}
	}
	return r
}

// cut returns the size of the cut-th cut in a dimension: evenly by rank among the sizes up to half of
// a node, or +Inf if there is none.
func (in *instance) cut(a, cut int) float64 {
	order, size, half := in.order(a), in.sizes[a], in.most[a]/2
	from := sort.Search(len(order), func(k int) bool { return size[order[k]] <= half })
	if from == len(order) {
		return math.Inf(1)
	}
	return size[order[from+(len(order)-1-from)*cut/(cuts-1)]]
}
