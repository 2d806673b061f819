package calendar

import (
	"math"

	"aliquot/cluster"
)

// Least returns the smallest number of free nodes within an interval.
func (c *Calendar) Least(from, until cluster.Time) int {
	return c.least(c.root, from, until, 0, math.MaxInt)
}

// least returns the smallest count of a branch within the interval, or best if that is smaller.
func (c *Calendar) least(b *branch, from, until cluster.Time, base, best int) int {
	c.visits++
	base += b.base
	first := 0
	if b.at[0] < from {
		first = b.find(from)
	}
	for part := first; part < b.count && b.at[part] < until; part++ {
		switch least := base + b.least[part]; {
		case least >= best:
		case b.leaf || b.at[part] >= from && part+1 < b.count && b.at[part+1] <= until:
			best = least
		default:
			best = c.least(b.below[part], from, until, base, best)
		}
	}
	return best
}

// Next returns the first time after at when a step begins, or Never.
func (c *Calendar) Next(at cluster.Time) cluster.Time {
	next := Never
	for b := c.root; ; {
		c.visits++
		part := b.find(at)
		if next = b.end(part, next); b.leaf {
			return next
		}
		b = b.below[part]
	}
}

// EarliestAny returns the first time, not before from, when a number of nodes is free for the given length, or Never.
// The free nodes may differ from step to step.
func (c *Calendar) EarliestAny(from, lasts cluster.Time, nodes int) cluster.Time {
	s := countSearch{Calendar: c, from: from, lasts: lasts, nodes: nodes, start: from, until: After(from, lasts)}
	s.visit(c.root, 0)
	return s.start
}

// countSearch is the search for an interval in which enough nodes are always free.
type countSearch struct {
	*Calendar
	from, lasts cluster.Time
	nodes       int
	start       cluster.Time // since when there are enough, as far as searched; Never: there are not enough
	until       cluster.Time // when the interval is long enough, given start
}

// visit reports whether a long enough interval ends in the branch or before it.
func (s *countSearch) visit(b *branch, base int) bool {
	s.visits++
	base += b.base
	first := 0
	if b.at[0] < s.from {
		first = b.find(s.from)
	}
	if b.leaf {
		return s.scan(b, first, s.nodes-base)
	}
	for part := first; part < b.count; part++ {
		begun := s.start != Never
		switch {
		case begun && b.at[part] >= s.until:
			return true
		case begun && base+b.least[part] >= s.nodes:
		case base+b.greatest[part] < s.nodes:
			s.start = Never
		case s.visit(b.below[part], base):
			return true
		}
	}
	return false
}

// scan is visit for a leaf. Almost no step changes the answer, so scan checks for that first.
func (s *countSearch) scan(b *branch, first, nodes int) bool {
	begun := s.start != Never
	for part, free := range b.least[first:b.count] {
		if (free >= nodes) == begun {
			continue
		}
		at := b.at[first+part]
		switch {
		case !begun:
			s.start, s.until = at, After(at, s.lasts)
		case at >= s.until:
			return true
		default:
			s.start = Never
		}
		begun = !begun
	}
	return false
}

// After returns at + lasts, or Never.
func After(at, lasts cluster.Time) cluster.Time {
	if lasts >= Never-at {
		return Never
	}
	return at + lasts
}
