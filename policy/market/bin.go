package market

import (
	"cmp"
	"slices"
)

// piece is a free part of a slot: processors for an interval.
type piece struct {
	start, end Time
	procs      int
	slot       int
}

// covers reports whether the piece is free from a start for a duration: for one of 0, at the start.
func (p piece) covers(start, d Time) bool { return p.start <= start && start+max(d, instant) <= p.end }

// instant is the least time for which a slot must be open to a task, even to one without run time.
const instant Time = 1

// bin holds free pieces in order: by start, then the earlier end, then fewer processors, then the slot.
type bin []piece

func byStart(a, b piece) int {
	switch {
	case a.start != b.start:
		return cmp.Compare(a.start, b.start)
	case a.end != b.end:
		return cmp.Compare(a.end, b.end)
	case a.procs != b.procs:
		return a.procs - b.procs
	}
	return a.slot - b.slot
}

// find returns the earliest start from a time on, and the pieces for it in the order in which they are taken: the
// incremental scheduler of the thesis (figure 2). It returns nil if there is none.
func (b bin) find(n int, d, from Time) (Time, []int) {
	for i, p := range b {
		start := max(p.start, from)
		if !p.covers(start, d) {
			continue
		}
		pool := []int{i}
		left := n - p.procs
		for j := i - 1; j >= 0 && left > 0; j-- {
			if b[j].covers(start, d) {
				left -= b[j].procs
				pool = append(pool, j)
			}
		}
		if left <= 0 {
			return start, pool
		}
	}
	return 0, nil
}

// carve takes processors from pieces that cover an interval, each whole but the last. Processors that are left keep the
// interval of their piece; those taken leave a piece before and one behind.
func (b *bin) carve(n int, start, d Time, pool []int) (parts []Part) {
	var rest []piece
	for _, i := range pool {
		p := &(*b)[i]
		taken := min(n, p.procs)
		n -= taken
		parts = append(parts, Part{p.slot, taken})
		rest = append(rest, piece{p.start, p.end, p.procs - taken, p.slot}, piece{p.start, start, taken, p.slot},
			piece{start + d, p.end, taken, p.slot})
		p.procs = 0
	}
	*b = slices.DeleteFunc(*b, func(p piece) bool { return p.procs == 0 })
	for _, p := range rest {
		b.join(p)
	}
	return together(parts)
}

// together adds up parts of one slot.
func together(parts []Part) (sums []Part) {
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.Slot, b.Slot) })
	for _, p := range parts {
		if last := len(sums) - 1; last >= 0 && sums[last].Slot == p.Slot {
			sums[last].Procs += p.Procs
			continue
		}
		sums = append(sums, p)
	}
	return sums
}

// join adds a piece, to an equal one of the same slot if there is one.
func (b *bin) join(p piece) {
	if p.start >= p.end || p.procs == 0 {
		return
	}
	first, _ := slices.BinarySearchFunc(*b, piece{start: p.start, end: p.end}, byStart)
	for i := first; i < len(*b) && (*b)[i].start == p.start && (*b)[i].end == p.end; i++ {
		if (*b)[i].slot == p.slot {
			p.procs += (*b)[i].procs
			*b = slices.Delete(*b, i, i+1)
			break
		}
	}
	at, _ := slices.BinarySearchFunc(*b, p, byStart)
	*b = slices.Insert(*b, at, p)
}
