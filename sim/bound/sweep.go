package bound

import (
	"cmp"
	"slices"
)

// standing is a claim in the queue for time. Its laxity is the part of its remaining time that it could do without.
type standing struct {
	laxity float64
	claim  int
}

func (s standing) compare(o standing) int {
	return cmp.Or(cmp.Compare(s.laxity, o.laxity), cmp.Compare(s.claim, o.claim))
}

// sweep gives time slot by slot, first to the claims of least laxity.
type sweep struct {
	core
	give  func(claim, slot int, time float64)
	lacks []float64 // per claim: time still to be given

	active            []standing // claims that want time, by laxity
	ran, partly, idle []standing // the same claims after a slot, by the time that they got there
}

// sweep returns the time that each claim lacks in the end. Often no claim lacks any, and then no flow is needed.
func (c core) sweep(capacity float64, give func(claim, slot int, time float64)) []float64 {
	w := sweep{core: c, give: give}
	for _, claim := range c.claims {
		w.lacks = append(w.lacks, claim.rest)
	}
	clock, arrived := c.clock(), 0
	for s, slot := range c.slots {
		for ; arrived < len(c.claims) && c.claims[arrived].from == s; arrived++ {
			claim := c.claims[arrived]
			w.active = insert(w.active, standing{clock[claim.to] - clock[s] - claim.rest, arrived})
		}
		w.serve(s, capacity*slot.length())
	}
	return w.lacks
}

// serve gives the spare capacity of a slot (rate × time) to the claims in their order.
func (w *sweep) serve(s int, spare float64) {
	length := w.slots[s].length()
	w.ran, w.partly, w.idle = w.ran[:0], w.partly[:0], w.idle[:0]
	for _, a := range w.active {
		rate := w.claims[a.claim].rate
		time := min(length, w.lacks[a.claim], spare/rate)
		if worthwhile(time) {
			w.give(a.claim, s, time)
			w.lacks[a.claim] -= time
			spare -= time * rate
		} else {
			time = 0
		}
		a.laxity -= length - time
		switch {
		case !worthwhile(w.lacks[a.claim]) || w.claims[a.claim].to == s+1:
		case time == length:
			w.ran = append(w.ran, a)
		case time == 0:
			w.idle = append(w.idle, a)
		default:
			w.partly = append(w.partly, a)
		}
	}
	w.active = merge(w.active[:0], w.ran, w.idle)
	for _, a := range w.partly { // at most one, apart from rounding
		w.active = insert(w.active, a)
	}
}

// clock returns the contended time before each slot, and before the end.
func (c core) clock() []float64 {
	out := make([]float64, len(c.slots)+1)
	for s, slot := range c.slots {
		out[s+1] = out[s] + slot.length()
	}
	return out
}

func insert(order []standing, s standing) []standing {
	at, _ := slices.BinarySearchFunc(order, s, standing.compare)
	return slices.Insert(order, at, s)
}

// merge appends two ordered lists in order. Claims that ran keep their laxity and all others lost the same amount, so
// no sorting is needed.
func merge(into, a, b []standing) []standing {
	for len(a) > 0 && len(b) > 0 {
		if a[0].compare(b[0]) < 0 {
			into, a = append(into, a[0]), a[1:]
		} else {
			into, b = append(into, b[0]), b[1:]
		}
	}
	return append(append(into, a...), b...)
}
