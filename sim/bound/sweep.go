package bound

import (
	"cmp"
	"slices"
)

// standing is a claim's place among those that want time now. Its laxity is how much of the
// time that it still has it could do without.
type standing struct {
	laxity float64
	claim  int
}

func (s standing) compare(o standing) int {
	return cmp.Or(cmp.Compare(s.laxity, o.laxity), cmp.Compare(s.claim, o.claim))
}

// sweep gives time slot by slot, first to the claims of least laxity, and returns the time
// that each claim lacks in the end. Often nobody does, and no flow need be searched for.
func (c core) sweep(capacity float64, give func(claim, slot int, time float64)) []float64 {
	lacks := make([]float64, len(c.claims))
	for i, claim := range c.claims {
		lacks[i] = claim.rest
	}
	clock := c.clock()
	var active, ran, idle []standing
	arrived := 0
	for s, slot := range c.slots {
		for ; arrived < len(c.claims) && c.claims[arrived].from == s; arrived++ {
			claim := c.claims[arrived]
			active = insert(active, standing{clock[claim.to] - clock[s] - claim.rest, arrived})
		}
		spare := capacity * slot.length()
		ran, idle = ran[:0], idle[:0]
		var partly []standing // one at most, but for rounding
		for _, a := range active {
			claim := &c.claims[a.claim]
			if claim.to == s {
				continue
			}
			time := min(slot.length(), lacks[a.claim], spare/claim.rate)
			if worthwhile(time) {
				give(a.claim, s, time)
				lacks[a.claim] -= time
				spare -= time * claim.rate
			} else {
				time = 0
			}
			a.laxity -= slot.length() - time
			switch {
			case !worthwhile(lacks[a.claim]):
			case time == slot.length():
				ran = append(ran, a)
			case time == 0:
				idle = append(idle, a)
			default:
				partly = append(partly, a)
			}
		}
		active = merge(active[:0], ran, idle)
		for _, a := range partly {
			active = insert(active, a)
		}
	}
	return lacks
}

// clock is the contended time before each slot, and before the end.
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

// merge appends two ordered lists in order: whoever ran keeps its laxity, and the others all
// lost the same, so that there is nothing to sort.
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
