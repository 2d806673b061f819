package portfolio

import (
	"aliquot/packing"
)

// A tableau holds some items of a problem at one level after the other. Items with identical tasks
// that may run anywhere form one kind.
type tableau struct {
	p        *packing.Problem
	width    int
	rigid    int       // number of rigid dimensions, which follow CPU; the rest are fluid
	task     []float64 // scratch: by dimension
	capacity []float64 // by node and dimension, as is the next
	pinned   []float64 // use of pinned tasks at the level
	mean     []float64 // capacity of the mean node
	alike    bool      // all nodes have the same capacity

	level float64
	pace  *work // counts the examined items
	selection
}

// newTableau returns a tableau without items.
func newTableau(p *packing.Problem) *tableau {
	in := &tableau{p: p, width: p.Dimensions(), alike: true, pace: new(work)}
	in.mean, in.task = make([]float64, in.width), make([]float64, in.width)
	if len(p.Nodes) > 0 {
		in.rigid = len(p.Nodes[0].Rigid)
	}
	in.capacity = make([]float64, 0, len(p.Nodes)*in.width)
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

// rise computes all sizes at a level. It returns false if no mapping could reach the level, because
// pinned tasks exceed a node or a yield would be above 1, or if the search is stopped.
func (in *tableau) rise(level float64) bool {
	in.level = level
	for k := range in.kinds {
		if in.pace.Seen(1) {
			return false
		}
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

// fits reports whether one more task fits beside the used part.
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

// fraction returns the fraction of a capacity. Nothing of nothing is 0.
func fraction(quantity, capacity float64) float64 {
	if quantity == 0 {
		return 0
	}
	return quantity / capacity
}
