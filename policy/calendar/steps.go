package calendar

import "aliquot/cluster"

// Steps are consecutive steps of a calendar made by New, with the nodes that are busy in each.
type Steps struct {
	At   []cluster.Time // begin of each step
	busy []uint64
	per  int // words of a set
}

// Busy returns the nodes that are busy or not acceptable in a step, and all bits that belong to no node. It is valid
// until the steps are listed anew.
func (s *Steps) Busy(step int) []uint64 { return s.busy[step*s.per:][:s.per] }

// Steps lists the steps that overlap an interval, with the nodes that are busy in them or not among these. It reuses
// the memory of s.
func (c *Calendar) Steps(from, until cluster.Time, among Set, s *Steps) {
	s.At, s.busy, s.per = s.At[:0], s.busy[:0], c.words
	c.levels(among)
	c.list(c.root, from, until, 0, s)
}

func (c *Calendar) list(b *branch, from, until cluster.Time, level int, s *Steps) {
	c.visits++
	busy := c.sets[level*c.words:][:c.words]
	first := 0
	if b.at[0] < from {
		first = b.find(from)
	}
	for part := first; part < b.count && b.at[part] < until; part++ {
		always := b.always[part*c.words:][:c.words]
		if b.leaf {
			s.At = append(s.At, b.at[part])
			s.busy = append(s.busy, always...)
			unite(s.busy[len(s.busy)-c.words:], busy)
			continue
		}
		below := c.sets[(level+1)*c.words:][:c.words]
		copy(below, busy)
		unite(below, always)
		c.list(b.below[part], from, until, level+1, s)
	}
}

// FreeSince returns the time since which all of these nodes have been free. They must be free at the given time.
func (c *Calendar) FreeSince(at cluster.Time, nodes Set) cluster.Time {
	if end, found := c.lastBusy(c.root, at, nodes, Never); found {
		return end
	}
	return c.Begins()
}

// lastBusy returns the end of the last step up to the time in which one of the nodes is busy. The branch ends at ends.
func (c *Calendar) lastBusy(b *branch, at cluster.Time, nodes Set, ends cluster.Time) (end cluster.Time, found bool) {
	c.visits++
	for part := b.find(at); part >= 0; part-- {
		if end = b.end(part, ends); !overlap(b.ever[part*c.words:], nodes) {
			continue
		}
		if b.leaf || overlap(b.always[part*c.words:], nodes) {
			return end, true
		}
		if end, found = c.lastBusy(b.below[part], at, nodes, end); found {
			return end, true
		}
	}
	return 0, false
}

// FreeUntil returns the first time, not before the given one, at which one of these nodes is busy, or Never. All of
// them must be free just before the given time.
func (c *Calendar) FreeUntil(at cluster.Time, nodes Set) cluster.Time {
	return c.firstBusy(c.root, at, nodes)
}

func (c *Calendar) firstBusy(b *branch, at cluster.Time, nodes Set) cluster.Time {
	c.visits++
	first := 0
	if b.at[0] < at {
		first = b.find(at)
	}
	for part := first; part < b.count; part++ {
		if !overlap(b.ever[part*c.words:], nodes) {
			continue
		}
		if b.leaf || overlap(b.always[part*c.words:], nodes) {
			return b.at[part]
		}
		if busy := c.firstBusy(b.below[part], at, nodes); busy != Never {
			return busy
		}
	}
	return Never
}

// Last returns the time from which on nothing changes.
func (c *Calendar) Last() cluster.Time {
	b := c.root
	for !b.leaf {
		b = b.below[b.count-1]
	}
	return b.at[b.count-1]
}

// overlap reports whether a node is in both sets. words may be longer.
func overlap(words []uint64, nodes Set) bool {
	for i, w := range nodes {
		if w&words[i] != 0 {
			return true
		}
	}
	return false
}
