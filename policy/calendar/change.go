package calendar

import (
	"fmt"
	"math/bits"

	"aliquot/cluster"
)

// change books or releases nodes for an interval. Steps begin at both ends of the interval.
type change struct {
	*Calendar
	from, until cluster.Time
	delta       int // to add to the counts
	set         Set // the nodes; nil: any
}

// apply makes the change in a branch that ends at the given time. base is the sum to add to the branch's counts.
func (g *change) apply(b *branch, base int, ends cluster.Time) {
	g.visits++
	base += b.base
	first := 0
	if b.at[0] < g.from {
		first = b.find(g.from)
	}
	for part := first; part < b.count && b.at[part] < g.until; part++ {
		end := b.end(part, ends)
		whole := b.leaf || b.at[part] >= g.from && end <= g.until
		for word, nodes := range g.set {
			g.mark(b, part, word, nodes, whole)
		}
		if whole {
			if b.least[part] += g.delta; base+b.least[part] < 0 {
				panic(fmt.Sprintf("calendar: %d nodes are booked from %d until %d, but %d are free at %d",
					-g.delta, g.from, g.until, base+b.least[part]-g.delta, b.at[part]))
			}
			if !b.leaf {
				b.greatest[part] += g.delta
				b.below[part].base += g.delta
			}
			continue
		}
		g.apply(b.below[part], base, end)
		b.least[part], b.greatest[part] = b.below[part].extent()
		for word, nodes := range g.set {
			if nodes != 0 {
				g.sumWord(b, part, word)
			}
		}
	}
}

// mark books or releases these nodes of a word in a part. If the change covers only some of the part, mark leaves the
// decision to the branch below.
func (g *change) mark(b *branch, part, word int, nodes uint64, whole bool) {
	if nodes == 0 {
		return
	}
	i := part*g.words + word
	always, ever := &b.always[i], &b.ever[i]
	switch booked := g.delta < 0; {
	case booked && whole && *ever&nodes != 0:
		g.refuse("is booked", "busy", word, *ever&nodes)
	case booked && *always&nodes != 0:
		g.refuse("is booked", "busy", word, *always&nodes)
	case !booked && whole && nodes&^*always != 0:
		g.refuse("is released", "free", word, nodes&^*always)
	case !booked && nodes&^*ever != 0:
		g.refuse("is released", "free", word, nodes&^*ever)
	case booked && whole:
		*always |= nodes
		*ever |= nodes
	case booked:
		*ever |= nodes
	default:
		if !b.leaf && !whole {
			g.pushDown(b.below[part], word, *always&nodes)
		} else if !b.leaf {
			g.free(b.below[part], word, nodes)
		}
		*always &^= nodes
		*ever &^= nodes
	}
}

func (g *change) refuse(verb, is string, word int, nodes uint64) {
	panic(fmt.Sprintf("calendar: node %d %s from %d until %d, but is %s then",
		64*word+bits.TrailingZeros64(nodes), verb, g.from, g.until, is))
}

// pushDown copies the busy nodes of a branch's part from the branch above into every part of the branch below.
func (c *Calendar) pushDown(b *branch, word int, nodes uint64) {
	if nodes == 0 {
		return
	}
	for i := word; i < b.count*c.words; i += c.words {
		b.always[i] |= nodes
		b.ever[i] |= nodes
	}
}

// free removes nodes from the sets of a branch and of everything below it.
func (c *Calendar) free(b *branch, word int, nodes uint64) {
	c.visits++
	for part := range b.count {
		i := part*c.words + word
		if b.ever[i]&nodes == 0 {
			continue
		}
		if !b.leaf {
			c.free(b.below[part], word, b.ever[i]&nodes)
		}
		b.always[i] &^= nodes
		b.ever[i] &^= nodes
	}
}
