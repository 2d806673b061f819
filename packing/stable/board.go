package stable

import (
	"slices"

	"aliquot/packing"
)

// A task is one task of an item, or all of those that must be together, with its present node; -1:
// none.
type task struct{ item, from int }

// board is a mapping under repair: the tasks on each node, and the capacity that they leave at the
// level.
type board struct {
	p       *packing.Problem
	level   float64
	width   int        // CPU, then the rigid dimensions, then the other fluid ones
	rigid   int        // number of rigid dimensions
	demands []float64  // by item and dimension: one task's use
	spares  []float64  // by node and dimension: capacity left, negative if overfull
	bases   []float64  // likewise, with pinned tasks only
	most    []float64  // by dimension: capacity of the largest node
	on      [][]task   // by node: tasks that may be moved
	spread  map[on]int // tasks of items with Spread
	pool    []task     // tasks without a node
	put     []int      // by item: how often its tasks were evicted
	budget  int
}

// on is an item and a node.
type on struct{ item, node int }

func newBoard(p *packing.Problem, level float64, budget int) *board {
	width := p.Dimensions()
	b := &board{
		p: p, level: level, width: width, rigid: len(p.Nodes[0].Rigid), budget: budget, on: make([][]task, len(p.Nodes)),
		spread: map[on]int{}, put: make([]int, len(p.Items)),
		demands: make([]float64, len(p.Items)*width), spares: make([]float64, len(p.Nodes)*width),
		most: make([]float64, width),
	}
	for i := range p.Items {
		it, d := &p.Items[i], b.demand(i)
		it.Takes(d, level)
		for k := range d {
			d[k] *= float64(it.Unit())
		}
	}
	for n := range p.Nodes {
		s := b.spare(n)
		p.Nodes[n].Capacity(s)
		for d, x := range s {
			if d == 0 || d > b.rigid {
				s[d] += slop * x
			}
			b.most[d] = max(b.most[d], x)
		}
	}
	b.bases = slices.Clone(b.spares)
	return b
}

func (b *board) demand(i int) []float64 { return b.demands[i*b.width : (i+1)*b.width] }

func (b *board) spare(n int) []float64 { return b.spares[n*b.width : (n+1)*b.width] }

// slop is the error, relative to the node, allowed in sums of fluid dimensions.
const slop = 1e-9

// fits reports whether the node has room for a task of the item and may take it.
func (b *board) fits(i, n int) bool { return b.fitsInstead(i, n, nil) }

// fitsInstead is fits after removing another task's demand from the node.
func (b *board) fitsInstead(i, n int, other []float64) bool {
	spare := b.spare(n)
	for d, x := range b.demand(i) {
		left := spare[d] - x
		if other != nil {
			left += other[d]
		}
		if left < 0 {
			return false
		}
	}
	return b.allows(i, n)
}

func (b *board) allows(i, n int) bool {
	it := &b.p.Items[i]
	return (it.Allowed == nil || it.Allowed[n]) && it.Reaches(n, b.level) && !(it.Spread && b.spread[on{i, n}] > 0)
}

// overfull reports whether the tasks exceed the node's capacity.
func (b *board) overfull(n int) bool {
	return short(b.spare(n))
}

// short reports whether any entry is negative.
func short(spare []float64) bool {
	return slices.ContainsFunc(spare, func(x float64) bool { return x < 0 })
}

// take adds a task of the item to the node's use.
func (b *board) take(i, n int) {
	subtract(b.spare(n), b.demand(i))
	if b.p.Items[i].Spread {
		b.spread[on{i, n}]++
	}
}

func subtract(from, amounts []float64) {
	for d, x := range amounts {
		from[d] -= x
	}
}

// fix adds a pinned task of the item to the node's use.
func (b *board) fix(i, n int) {
	b.take(i, n)
	subtract(b.bases[n*b.width:(n+1)*b.width], b.demand(i))
}

func (b *board) place(t task, n int) {
	b.take(t.item, n)
	b.on[n] = append(b.on[n], t)
}

// lift removes the task at a place of the node's list. The use of the others is summed up again, so
// that rounding errors do not grow with the number of moves.
func (b *board) lift(n, at int) task {
	b.budget -= len(b.on[n])
	t := b.on[n][at]
	b.on[n] = slices.Delete(b.on[n], at, at+1)
	spare := b.spare(n)
	copy(spare, b.bases[n*b.width:])
	for _, o := range b.on[n] {
		subtract(spare, b.demand(o.item))
	}
	if b.p.Items[t.item].Spread {
		b.spread[on{t.item, n}]--
	}
	return t
}

// cost returns the additional memory that has to move if the task leaves the node: none if it is away
// from its present node already.
func (b *board) cost(t task, n int) float64 {
	if t.from != n {
		return 0
	}
	return b.memory(t.item)
}

func (b *board) memory(i int) float64 {
	if b.rigid == 0 {
		return 1
	}
	return b.demand(i)[1]
}

// size returns the largest fraction of the largest node that a task of the item takes.
func (b *board) size(i int) (most float64) {
	for d, x := range b.demand(i) {
		if b.most[d] > 0 {
			most = max(most, x/b.most[d])
		}
	}
	return most
}

// lay puts the tasks of wanted items on their present nodes, or into the pool if they have none.
// Pinned tasks are not listed, because nothing moves them.
func (b *board) lay(now, wanted packing.Mapping) {
	for i := range b.p.Items {
		if wanted[i] == nil {
			continue
		}
		it := &b.p.Items[i]
		for k := 0; k < it.Count; k += it.Unit() {
			switch {
			case it.Pinned != nil:
				b.fix(i, it.Pinned[k])
			case b.stays(i, now[i], k):
				b.place(task{i, now[i][k]}, now[i][k])
			default:
				b.pool = append(b.pool, task{i, -1})
			}
		}
	}
}

// stays reports whether the item's task, or all that must be with it, may stay on its present node.
func (b *board) stays(i int, now []int, k int) bool {
	it := &b.p.Items[i]
	return k+it.Unit() <= len(now) && b.allows(i, now[k]) && together(now[k:k+it.Unit()])
}

// mapping returns the board's mapping.
func (b *board) mapping(wanted packing.Mapping) packing.Mapping {
	m := make(packing.Mapping, len(b.p.Items))
	for i := range m {
		if wanted[i] != nil {
			m[i] = append(make([]int, 0, b.p.Items[i].Count), b.p.Items[i].Pinned...)
		}
	}
	for n := range b.on {
		for _, t := range b.on[n] {
			for range b.p.Items[t.item].Unit() {
				m[t.item] = append(m[t.item], n)
			}
		}
	}
	return m
}
