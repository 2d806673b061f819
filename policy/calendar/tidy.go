package calendar

import (
	"slices"

	"aliquot/cluster"
)

// join merges the steps before and after a time if nothing changes at that time.
func (c *Calendar) join(at cluster.Time) {
	if at == Never || at == c.Begins() {
		return
	}
	c.sets = slices.Grow(c.sets[:0], 2*c.words)[:2*c.words]
	before, after := c.sets[:c.words], c.sets[c.words:]
	if c.moment(at-1, before) == c.moment(at, after) && slices.Equal(before, after) {
		c.drop(c.root, at)
		c.lower()
	}
}

// moment returns the number of free nodes at a time and puts the busy nodes into a set.
func (c *Calendar) moment(at cluster.Time, busy []uint64) (free int) {
	clear(busy)
	for b := c.root; ; {
		c.visits++
		part := b.find(at)
		free += b.base
		unite(busy, b.always[part*c.words:])
		if b.leaf {
			return free + b.least[part]
		}
		b = b.below[part]
	}
}

// unite adds a set to another. added may be shorter.
func unite(set, added []uint64) {
	for i, w := range added[:len(set)] {
		set[i] |= w
	}
}

// drop removes the step that begins at the time; the step before it continues. The calendar must not begin then.
func (c *Calendar) drop(b *branch, at cluster.Time) {
	c.visits++
	part := b.find(at)
	if b.leaf {
		c.shift(b, part+1, part)
		return
	}
	k := b.below[part]
	if c.drop(k, at); k.count == 0 {
		c.recycle(k)
		c.shift(b, part+1, part)
		return
	}
	b.at[part] = k.at[0]
	c.sum(b, part)
}

// forget removes the part of a branch before the time.
func (c *Calendar) forget(b *branch, now cluster.Time) {
	part := b.find(now)
	if !b.leaf {
		for _, k := range b.below[:part] {
			c.recycle(k)
		}
		c.forget(b.below[part], now)
		c.sum(b, part)
	}
	c.shift(b, part, 0)
	b.at[0] = now
}

// lower removes roots with only one branch below.
func (c *Calendar) lower() {
	for !c.root.leaf && c.root.count == 1 {
		top := c.root
		c.root = top.below[0]
		c.root.base += top.base
		for word := range c.words {
			c.pushDown(c.root, word, top.always[word])
		}
		c.spare = append(c.spare, top)
	}
}
