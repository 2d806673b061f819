package packing

// Dimensions is the number of resource dimensions: CPU, then the rigid ones, then the other fluid ones.
func (p *Problem) Dimensions() int { return p.width() }

// Capacity writes what a node has of every dimension.
func (n *Node) Capacity(v []float64) {
	v[0] = n.CPU
	copy(v[1+copy(v[1:], n.Rigid):], n.Fluid)
}

// Takes writes into v, which has room for every dimension, what one task takes of it at a level.
func (it *Item) Takes(v []float64, level float64) { it.take(v, it.demand(level), it.granted(level)) }

// Share is the CPU that one task takes at a level.
func (it *Item) Share(level float64) float64 { return it.demand(level) }

// TakesLeast writes the least that one task takes of every dimension at a level or any higher one.
func (it *Item) TakesLeast(v []float64, level float64) {
	it.take(v, it.least(level), it.leastYield(level))
}

// Unit is the number of tasks that are placed as one: all if they are to be together, else 1.
func (it *Item) Unit() int { return it.unit() }
