package bound

import "math"

// short reports whether tasks take more slots than there are. At most k tasks of at least a size in dimension a share
// a node, since the k + 1 smallest of them exceed dimension b. Let that size be the unit, and g the number of units
// of a node. Then a task of u units takes u - (g - k) slots of k, but at least one. Tasks that fit on a node take no
// more than k slots, since besides one large task of u units there are at most g - u others.
func (in *instance) short(a, cut, b int) bool {
	unit := in.cut(a, cut)
	if !(unit > 0 && unit <= in.most[a]/2) {
		return false
	}
	units := math.Floor(in.most[a] / unit * (1 + slop))
	k := min(units, in.together(a, unit, b))
	slots := 0.0
	for at, size := range in.sizes[a] {
		if in.Seen(1) {
			return false
		}
		if size >= unit {
			slots += in.counts[at] * max(1, whole(size, unit)-(units-k))
		}
	}
	return exceeds(slots, k*float64(len(in.p.Nodes)))
}

// whole returns the number of whole units in a size, never one too many by rounding.
func whole(size, unit float64) float64 {
	units := math.Floor(size / unit)
	if units*unit > size {
		units--
	}
	return units
}

// together returns how many of the smallest tasks of at least a size in dimension a fit into dimension
// b of the largest node.
func (in *instance) together(a int, least float64, b int) (tasks float64) {
	room := in.most[b] * (1 + slop)
	order := in.order(b)
	for k := len(order) - 1; k >= 0 && !in.Seen(1); k-- {
		at := order[k]
		if in.sizes[a][at] < least {
			continue
		}
		size := in.sizes[b][at]
		if fit := math.Floor(room / size * (1 + slop)); fit < in.counts[at] {
			return tasks + fit
		}
		tasks += in.counts[at]
		room -= in.counts[at] * size
	}
	return math.Inf(1)
}
