package calendar

import (
	"slices"

	"aliquot/cluster"
)

// size is the greatest number of parts of a branch.
const size = 32

// branch is a node of the tree: consecutive parts of time. A part of a leaf is a step; any other part is a branch.
type branch struct {
	leaf     bool
	count    int                // number of parts, at least 1
	base     int                // to be added to all counts of this branch
	at       [size]cluster.Time // begin of each part
	least    [size]int          // least number of free nodes at any moment of the part
	greatest [size]int          // greatest number of free nodes; not kept in a leaf, where it equals least
	below    [size]*branch      // nil in a leaf

	// always holds the nodes that are busy throughout a part, ever those that are busy at some time: for each part as
	// many words as a set has, and none in a calendar made by Load. In a leaf both are the same slice.
	//
	// Booking a whole part does not descend, so a node may be busy in a part although the branches below do not say
	// so. Invariant: always is a subset of ever; a node that is busy throughout a part is in always there or above.
	always, ever []uint64
}

// find returns the part that contains the time. The time must not be before the first part.
func (b *branch) find(at cluster.Time) (part int) {
	for part+1 < b.count && b.at[part+1] <= at {
		part++
	}
	return part
}

// end returns the end of a part, in a branch that ends at the given time.
func (b *branch) end(part int, ends cluster.Time) cluster.Time {
	if part+1 < b.count {
		return b.at[part+1]
	}
	return ends
}

// extent returns the least and the greatest count of the branch.
func (b *branch) extent() (least, greatest int) {
	most := &b.greatest
	if b.leaf {
		most = &b.least
	}
	return b.base + slices.Min(b.least[:b.count]), b.base + slices.Max(most[:b.count])
}

// branch returns an empty branch.
func (c *Calendar) branch(leaf bool) (b *branch) {
	if last := len(c.spare) - 1; last >= 0 {
		b, c.spare = c.spare[last], c.spare[:last]
	} else {
		b = new(branch)
	}
	b.leaf, b.count, b.base = leaf, 0, 0
	if len(b.always) != size*c.words {
		b.always = make([]uint64, size*c.words)
	}
	if b.ever = b.always; !leaf {
		b.ever = make([]uint64, size*c.words)
	}
	return b
}

// recycle keeps the memory of a branch and of everything below it for reuse.
func (c *Calendar) recycle(b *branch) {
	if !b.leaf {
		for _, k := range b.below[:b.count] {
			c.recycle(k)
		}
	}
	c.spare = append(c.spare, b)
}

// shift moves the parts from index from on to index to, which may be before or after it.
func (c *Calendar) shift(b *branch, from, to int) {
	c.copyParts(b, to, b, from, b.count)
	b.count += to - from
}

// copyParts copies the parts [from, until) of a branch to index to of a branch of the same level.
func (c *Calendar) copyParts(into *branch, to int, b *branch, from, until int) {
	w := c.words
	copy(into.at[to:], b.at[from:until])
	copy(into.least[to:], b.least[from:until])
	copy(into.always[to*w:], b.always[from*w:until*w])
	if !b.leaf {
		copy(into.greatest[to:], b.greatest[from:until])
		copy(into.below[to:], b.below[from:until])
		copy(into.ever[to*w:], b.ever[from*w:until*w])
	}
}

// cut makes a step begin at the time.
func (c *Calendar) cut(at cluster.Time) {
	if c.root.count == size {
		c.raise()
	}
	b := c.root
	for c.visits++; !b.leaf; c.visits++ {
		part := b.find(at)
		if b.below[part].count == size {
			c.split(b, part)
			part = b.find(at)
		}
		b = b.below[part]
	}
	if part := b.find(at); b.at[part] != at {
		c.shift(b, part, part+1)
		b.at[part+1] = at
	}
}

// raise puts a new root above the old one.
func (c *Calendar) raise() {
	root := c.branch(false)
	root.count, root.at[0], root.below[0] = 1, c.root.at[0], c.root
	c.root = root
	clear(root.always[:c.words])
	clear(root.ever[:c.words])
	c.sum(root, 0)
}

// split splits a full branch into two. The branch above must not be full.
func (c *Calendar) split(above *branch, part int) {
	left := above.below[part]
	right := c.branch(left.leaf)
	c.copyParts(right, 0, left, size/2, size)
	left.count, right.count, right.base = size/2, size-size/2, left.base
	c.shift(above, part, part+1)
	above.at[part+1], above.below[part+1] = right.at[0], right
	c.sum(above, part)
	c.sum(above, part+1)
}

// sum recomputes the data of a part from the branch below.
func (c *Calendar) sum(b *branch, part int) {
	b.least[part], b.greatest[part] = b.below[part].extent()
	for word := range c.words {
		c.sumWord(b, part, word)
	}
}

// sumWord recomputes one word of the sets. Nodes that only this branch marks busy throughout remain so.
func (c *Calendar) sumWord(b *branch, part, word int) {
	k, all, some := b.below[part], ^uint64(0), uint64(0)
	for i := word; i < k.count*c.words; i += c.words {
		all &= k.always[i]
		some |= k.ever[i]
	}
	i := part*c.words + word
	b.always[i] |= all
	b.ever[i] = b.always[i] | some
}
