package calendar

import (
	"fmt"
	"slices"

	"aliquot/cluster"
)

// check verifies the tree's invariants and returns its number of steps and its height.
func (c *Calendar) check() (steps, height int, err error) {
	if !c.root.leaf && c.root.count == 1 {
		return 0, 0, fmt.Errorf("the root has one branch only")
	}
	return c.checkBranch(c.root, c.root.at[0], Never)
}

func (c *Calendar) checkBranch(b *branch, from, until cluster.Time) (steps, height int, err error) {
	if b.count < 1 || b.count > size || b.at[0] != from {
		return 0, 0, fmt.Errorf("a branch of %d parts begins at %d, and from above at %d", b.count, b.at[0], from)
	}
	if b.leaf {
		return b.count, 1, nil
	}
	for part, k := range b.below[:b.count] {
		end := b.end(part, until)
		if end <= b.at[part] {
			return 0, 0, fmt.Errorf("a part goes from %d until %d", b.at[part], end)
		}
		n, h, err := c.checkBranch(k, b.at[part], end)
		if err != nil {
			return 0, 0, err
		}
		if part > 0 && h != height {
			return 0, 0, fmt.Errorf("branches of heights %d and %d stand side by side", height, h)
		}
		steps, height = steps+n, h
		if least, greatest := k.extent(); b.least[part] != least || b.greatest[part] != greatest {
			return 0, 0, fmt.Errorf("%d to %d are free, and from above %d to %d",
				least, greatest, b.least[part], b.greatest[part])
		}
		always, ever := slices.Clone(b.always[part*c.words:][:c.words]), slices.Clone(b.ever[part*c.words:][:c.words])
		for word := range c.words {
			c.sumWord(b, part, word)
		}
		if !slices.Equal(always, b.always[part*c.words:][:c.words]) || !slices.Equal(ever, b.ever[part*c.words:][:c.words]) {
			return 0, 0, fmt.Errorf("from %d until %d, %x are always busy and %x ever", b.at[part], end, always, ever)
		}
	}
	return steps, height + 1, nil
}
