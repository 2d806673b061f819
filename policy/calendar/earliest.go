package calendar

import (
	"fmt"
	"slices"

	"aliquot/cluster"
)

// Ask is a request for certain nodes in a calendar made by New.
type Ask struct {
	From   cluster.Time // earliest start, not before the calendar begins
	Latest cluster.Time // latest start; Never: any
	Lasts  cluster.Time // how long the same nodes must be free, above 0; Never: forever
	Nodes  int          // how many, at least 1
	Among  Set          // acceptable nodes; nil: all
}

// Earliest returns the first start at which enough acceptable nodes are free for the whole length, and the set of all
// acceptable nodes that are free then. It returns Never if there is no such start.
func (c *Calendar) Earliest(a Ask) (start cluster.Time, free Set) {
	if c.nodes == 0 || a.Nodes < 1 || a.Lasts < 1 || a.From < c.Begins() {
		panic(fmt.Sprintf("calendar: %d of %d nodes are wanted from %d for %d, in a calendar from %d on",
			a.Nodes, c.nodes, a.From, a.Lasts, c.Begins()))
	}
	h := fitSearch{Calendar: c, Ask: a, busy: c.levels(a.Among)}
	h.window.reset(c.words, a.Nodes)
	h.visit(c.root, 0, 0)
	if h.window.empty() || h.window.start() > a.Latest {
		return Never, nil
	}
	return h.window.start(), h.window.all()
}

// Free returns the nodes that are free throughout an interval.
func (c *Calendar) Free(from, until cluster.Time) Set {
	if c.nodes == 0 || from < c.Begins() || from >= until {
		panic(fmt.Sprintf("calendar: of %d nodes, the free ones are wanted from %d until %d, in a calendar from %d on",
			c.nodes, from, until, c.Begins()))
	}
	busy := make(Set, c.words)
	c.collect(c.root, from, until, busy)
	for i, all := range c.all {
		busy[i] = all &^ busy[i]
	}
	return busy
}

// collect adds the nodes that are busy at some time within the interval in a branch to a set.
func (c *Calendar) collect(b *branch, from, until cluster.Time, busy Set) {
	c.visits++
	first := 0
	if b.at[0] < from {
		first = b.find(from)
	}
	for part := first; part < b.count && b.at[part] < until; part++ {
		if b.leaf || b.at[part] >= from && part+1 < b.count && b.at[part+1] <= until {
			unite(busy, b.ever[part*c.words:])
			continue
		}
		unite(busy, b.always[part*c.words:])
		c.collect(b.below[part], from, until, busy)
	}
}

// levels returns one set per level of the tree. The first holds the nodes that do not exist or are not acceptable.
func (c *Calendar) levels(among Set) []uint64 {
	levels := 1
	for b := c.root; !b.leaf; b = b.below[0] {
		levels++
	}
	c.sets = slices.Grow(c.sets[:0], levels*c.words)[:levels*c.words]
	for i, all := range c.all {
		switch {
		case among == nil:
			c.sets[i] = ^all
		case i < len(among):
			c.sets[i] = ^(all & among[i])
		default:
			c.sets[i] = ^uint64(0)
		}
	}
	return c.sets
}

// fitSearch is the search for an interval in which enough nodes are free throughout.
type fitSearch struct {
	*Calendar
	Ask
	busy []uint64 // for each level, the nodes that are not acceptable or that a branch above marks busy
}

// visit reports whether the search ends in the branch or before it.
func (h *fitSearch) visit(b *branch, base, level int) bool {
	h.visits++
	base += b.base
	busy := h.busy[level*h.words:][:h.words]
	first := 0
	if b.at[0] < h.From {
		first = b.find(h.From)
	}
	for part := first; part < b.count; part++ {
		if h.over(b.at[part]) {
			return true
		}
		always, most := b.always[part*h.words:][:h.words], b.greatest[part]
		if b.leaf {
			most = b.least[part]
		}
		switch {
		case base+most < h.Nodes:
			h.window.clear()
		case b.leaf:
			h.window.push(max(h.From, b.at[part]), busy, always)
		case rest(busy, always) < h.Nodes:
			h.window.clear()
		default:
			below := h.busy[(level+1)*h.words:][:h.words]
			copy(below, busy)
			unite(below, always)
			if h.visit(b.below[part], base, level+1) {
				return true
			}
		}
	}
	return false
}

// over reports whether no step at or after the time can change the answer.
func (h *fitSearch) over(at cluster.Time) bool {
	if h.window.empty() {
		return at > h.Latest
	}
	start := h.window.start()
	return start > h.Latest || at >= After(start, h.Lasts)
}
