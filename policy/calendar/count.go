package calendar

import (
	"math"

	"aliquot/cluster"
)

// Least is the smallest number of free nodes from a time on, until another.
func (c *Calendar) Least(from, until cluster.Time) int {
	return c.least(c.root, from, until, 0, math.MaxInt)
}

// least returns that of a branch, or the best so far if that is less.
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

// Next is the first time after another at which a step begins; Never: there is none.
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

// EarliestAny is the first time, not before from, from which on a number of nodes is free for as long as it lasts,
// though not always the same ones; Never: there is none.
func (c *Calendar) EarliestAny(from, lasts cluster.Time, nodes int) cluster.Time {
	s := spell{Calendar: c, from: from, lasts: lasts, nodes: nodes, start: from, until: After(from, lasts)}
	s.visit(c.root, 0)
	return s.start
}

// spell looks for a time in which there are always enough nodes.
type spell struct {
	*Calendar
	from, lasts cluster.Time
	nodes       int
	start       cluster.Time // since when there are enough, as far as searched; Never: there are not
	until       cluster.Time // when it is long enough, if there are
}

// visit reports whether the spell ends in the branch, or before it, and is long enough.
func (s *spell) visit(b *branch, base int) bool {
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

// scan does so for a leaf. Nearly all steps change nothing, so it asks that first.
func (s *spell) scan(b *branch, first, nodes int) bool {
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

// After is a time that much later, or Never.
func After(at, lasts cluster.Time) cluster.Time {
	if lasts >= Never-at {
		return Never
	}
	return at + lasts
}
