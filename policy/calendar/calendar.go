package calendar

import (
	"fmt"
	"math"

	"aliquot/cluster"
)

// Never is later than every event.
const Never = cluster.Time(math.MaxInt64)

// Calendar records how many nodes, and which, are free as a function of time. The zero value needs Load before use.
type Calendar struct {
	root   *branch
	nodes  int // set by New: ids run from 1 to nodes; 0: only counts are known
	words  int // words of a set
	all    Set // the set of all nodes
	visits int // branches visited by all operations together

	spare  []*branch // branches for reuse
	row    []*branch // scratch, as are the fields below
	sets   []uint64
	window window
}

// Step says how many nodes are free from a time on, until the next step.
type Step struct {
	At   cluster.Time
	Free int
}

// New returns a calendar of nodes with ids from 1 to nodes, all free from a time on.
func New(at cluster.Time, nodes int) *Calendar {
	if nodes < 1 {
		panic(fmt.Sprintf("calendar: there are to be %d nodes", nodes))
	}
	c := &Calendar{nodes: nodes, words: nodes/64 + 1}
	for n := range nodes {
		c.all.Add(cluster.NodeID(n + 1))
	}
	c.root = c.branch(true)
	c.root.count, c.root.at[0], c.root.least[0] = 1, at, nodes
	return c
}

// Load makes c a calendar of counts with these steps: at least one, ordered by time. It reuses the memory of c.
func (c *Calendar) Load(steps []Step) {
	if c.root != nil {
		c.recycle(c.root)
	}
	c.nodes, c.words, c.row = 0, 0, c.row[:0]
	for len(steps) > 0 {
		b := c.branch(true)
		b.count = min(size, len(steps))
		for i, s := range steps[:b.count] {
			b.at[i], b.least[i] = s.At, s.Free
		}
		c.row, steps = append(c.row, b), steps[b.count:]
	}
	for len(c.row) > 1 {
		c.cover()
	}
	c.root = c.row[0]
}

// cover builds the fewest branches above those of the row.
func (c *Calendar) cover() {
	row := c.row
	c.row = row[:0]
	for len(row) > 0 {
		b := c.branch(false)
		b.count = copy(b.below[:], row)
		for i, k := range b.below[:b.count] {
			b.at[i] = k.at[0]
			b.least[i], b.greatest[i] = k.extent()
		}
		c.row, row = append(c.row, b), row[b.count:]
	}
}

// Begins returns the time at which the calendar begins.
func (c *Calendar) Begins() cluster.Time { return c.root.at[0] }

// Book takes nodes for an interval. All of them must be free throughout.
func (c *Calendar) Book(from, until cluster.Time, nodes Set) { c.changeSet(from, until, nodes, -1) }

// Release gives back booked nodes for an interval: a whole booking or a part of it.
func (c *Calendar) Release(from, until cluster.Time, nodes Set) { c.changeSet(from, until, nodes, 1) }

func (c *Calendar) changeSet(from, until cluster.Time, nodes Set, sign int) {
	count := nodes.Len()
	switch {
	case count == 0 || nodes.Has(0):
		panic(fmt.Sprintf("calendar: the nodes %v are booked or released", nodes))
	case c.nodes == 0 || nodes.last() > cluster.NodeID(c.nodes):
		panic(fmt.Sprintf("calendar: node %d is booked or released, of %d known", nodes.last(), c.nodes))
	}
	c.change(change{Calendar: c, from: from, until: until, delta: sign * count, set: nodes})
}

// BookAny takes a number of nodes for an interval without naming them. That many must be free throughout.
func (c *Calendar) BookAny(from, until cluster.Time, nodes int) {
	if nodes < 1 {
		panic(fmt.Sprintf("calendar: %d nodes are booked", nodes))
	}
	c.change(change{Calendar: c, from: from, until: until, delta: -nodes})
}

func (c *Calendar) change(g change) {
	if g.from < c.Begins() || g.from >= g.until {
		panic(fmt.Sprintf("calendar: booked or released from %d until %d, in a calendar from %d on",
			g.from, g.until, c.Begins()))
	}
	if g.until != Never {
		c.cut(g.until)
	}
	c.cut(g.from)
	g.apply(c.root, 0, Never)
	if c.nodes > 0 {
		c.join(g.from)
		c.join(g.until)
	}
}

// Advance discards everything before now, so that the calendar begins at now. It does nothing if the calendar begins
// later.
func (c *Calendar) Advance(now cluster.Time) {
	if now > c.Begins() {
		c.forget(c.root, now)
		c.lower()
	}
}
