package packing

// Dimensions returns the number of resource dimensions: CPU, then the rigid ones, then the other fluid
// ones.
func (p *Problem) Dimensions() int { return p.width() }

// Capacity writes the node's capacity in every dimension into v.
func (n *Node) Capacity(v []float64) {
	v[0] = n.CPU
	copy(v[1+copy(v[1:], n.Rigid):], n.Fluid)
}

// Takes writes one task's use of every dimension at a level into v, which must have room for all
// dimensions.
func (it *Item) Takes(v []float64, level float64) { it.take(v, it.demand(level), it.granted(level)) }

// Reaches reports whether a task can have its yield at a level on a node.
func (it *Item) Reaches(node int, level float64) bool {
	return it.Tops == nil || it.reaches(node, it.granted(level))
}

// Satisfied reports whether a yield is all that the item can have on any node. Without a top that is the whole need
// exactly; a top is a rounded quotient, which yields come near to.
func (it *Item) Satisfied(yield float64) bool {
	if it.Top == 0 {
		return yield >= 1
	}
	return yield >= it.Top*(1-slop)
}

// Share returns the CPU that one task takes at a level.
func (it *Item) Share(level float64) float64 { return it.demand(level) }

// TakesLeast writes one task's least use of every dimension at the level or any higher one.
func (it *Item) TakesLeast(v []float64, level float64) {
	it.take(v, it.least(level), it.leastYield(level))
}

// Unit returns the number of tasks that are placed as one: all of them if they must be together,
// otherwise 1.
func (it *Item) Unit() int { return it.unit() }
