package portfolio

import (
	"slices"

	"aliquot/packing/radix"
)

// sorted lists the kinds in an order, the largest first. Ties go to the kind that is larger in other
// dimensions, then to the last submitted. If the search is stopped meanwhile, the kinds are in no
// order.
func (in *tableau) sorted(o Order) []int32 {
	keys, spare := make([]radix.Key, len(in.kinds)), []radix.Key(nil)
	for k := range keys {
		keys[k].Rank = int32(k) // by age
	}
	for _, size := range slices.Backward(o.sizes(in.width)) {
		for at := range keys {
			if in.pace.Seen(1) {
				break
			}
			keys[at].Number = radix.Falling(size(in.row(in.share, int(keys[at].Rank))))
		}
		keys, spare = radix.Sort(keys, spare, in.pace.ask)
	}
	kinds := make([]int32, len(keys))
	for at := range keys {
		kinds[at] = keys[at].Rank
	}
	return kinds
}

// sizes returns the sort keys of an order, the first one first.
func (o Order) sizes(width int) (sizes []func(share []float64) float64) {
	if o < Lex {
		for at := range 2 {
			sizes = append(sizes, func(share []float64) float64 { return o.key(share)[at] })
		}
		return sizes
	}
	for d := range width {
		if o == RigidLex {
			d = width - 1 - d
		}
		sizes = append(sizes, func(share []float64) float64 { return share[d] })
	}
	return sizes
}

// key returns the sort key of an order that does not compare dimension by dimension.
func (o Order) key(share []float64) [2]float64 {
	most, next, least, sum := 0.0, 0.0, share[0], 0.0
	for _, x := range share {
		if x >= most {
			most, next = x, most
		} else {
			next = max(next, x)
		}
		least = min(least, x)
		sum += x
	}
	switch o {
	case Max:
		return [2]float64{most, next}
	case Sum:
		return [2]float64{sum, most}
	case Ratio:
		return [2]float64{fraction(most, least), most}
	case Difference:
		return [2]float64{most - least, most}
	}
	return [2]float64{}
}

// A queue holds the kinds with the same largest dimensions, the largest kind first.
type queue struct {
	key   []int   // the largest dimensions
	kinds []int32 // by position
	ranks []int32 // by position: rank among all kinds
	fit   tree
	at    int // no earlier kind fits on the node that is being filled
}

// queues splits sorted kinds by their largest dimensions, as many as the window is wide. If the search
// is stopped meanwhile, some kinds are missing.
func (in *tableau) queues(m Method, sorted []int32) []*queue {
	window := min(m.Window, in.width)
	if m.Fit == FirstFit || m.Fit == ChoosePack && window == in.width {
		window = 0
	}
	byKey, list := map[int]*queue{}, []*queue(nil)
	dims := make([]int, in.width)
	for rank, k := range sorted {
		if in.pace.Seen(1) {
			break
		}
		share := in.row(in.share, int(k))
		largest(dims, func(d int) float64 { return share[d] })
		key := dims[:window]
		if m.Fit == ChoosePack {
			slices.Sort(key)
		}
		code := 0
		for _, d := range key {
			code = code*in.width + d
		}
		q := byKey[code]
		if q == nil {
			q = &queue{key: slices.Clone(key)}
			byKey[code] = q
			list = append(list, q)
		}
		q.kinds, q.ranks = append(q.kinds, k), append(q.ranks, int32(rank))
	}
	for _, q := range list {
		q.fit.reset(len(q.kinds), in.width)
		for at, k := range q.kinds {
			copy(q.fit.leaf(at), in.row(in.size, int(k)))
		}
		q.fit.grow()
	}
	return list
}

// largest sorts the dimensions by falling value, the last of equals first: a task that is equal in CPU
// and memory counts as large in memory.
func largest(dims []int, value func(int) float64) {
	for d := range dims {
		at := d
		for at > 0 && value(dims[at-1]) <= value(d) {
			dims[at] = dims[at-1]
			at--
		}
		dims[at] = d
	}
}
