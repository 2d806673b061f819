package portfolio

import (
	"cmp"
	"slices"
)

// sorted lists the kinds in an order, the largest first; ties go to what is larger in other dimensions, then to the
// last submitted. Once there is to be an end, they are in no order.
func (in *tableau) sorted(o Order) []int32 {
	kinds := make([]int32, len(in.kinds))
	keys := make([][2]float64, len(kinds))
	for k := range kinds {
		kinds[k], keys[k] = int32(k), o.key(in.row(in.share, k))
	}
	slices.SortFunc(kinds, func(a, b int32) int {
		if in.pace.seen(1) {
			return 0
		}
		x, y := keys[a], keys[b]
		if c := cmp.Or(cmp.Compare(y[0], x[0]), cmp.Compare(y[1], x[1])); c != 0 {
			return c
		}
		if o >= Lex {
			if c := o.lexically(in.row(in.share, int(b)), in.row(in.share, int(a))); c != 0 {
				return c
			}
		}
		return in.kinds[a].age - in.kinds[b].age
	})
	return kinds
}

// key is what an order looks at first, and where that is equal.
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

func (o Order) lexically(a, b []float64) int {
	if o == Lex {
		return slices.Compare(a, b)
	}
	for d := len(a) - 1; d >= 0; d-- {
		if c := cmp.Compare(a[d], b[d]); c != 0 {
			return c
		}
	}
	return 0
}

// A queue holds kinds whose largest dimensions are the same, the largest kind first.
type queue struct {
	key   []int   // the largest dimensions
	kinds []int32 // by position
	ranks []int32 // by position: place among all kinds
	fit   tree
	at    int // no kind before it fits on the node that is being filled
}

// queues splits sorted kinds by their largest dimensions, so many as the window is wide.
func (in *tableau) queues(m Method, sorted []int32) []*queue {
	window := min(m.Window, in.width)
	if m.Fit == FirstFit || m.Fit == ChoosePack && window == in.width {
		window = 0
	}
	byKey, list := map[int]*queue{}, []*queue(nil)
	dims := make([]int, in.width)
	in.pace.seen(len(sorted))
	for rank, k := range sorted {
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

// largest puts the dimensions in order, that with the largest value first and among equals the last: what is
// equal in CPU and memory counts as large in memory.
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
