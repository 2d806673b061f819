package stable

import (
	"cmp"
	"math"
	"slices"
)

// relieve moves tasks to the pool until the others fit on the node, each time the one that relieves
// most for the memory that it moves. It returns false if the pinned tasks alone exceed the node, or if
// the budget is used up.
func (b *board) relieve(n int) bool {
	for b.overfull(n) {
		at := b.helper(n, b.spare(n), func(int) bool { return true })
		if at < 0 || b.budget < 0 {
			return false
		}
		b.pool = append(b.pool, b.lift(n, at))
	}
	return true
}

// helper returns the place of the task on node n whose eviction relieves the shortage most per byte
// moved, or -1. Only places that may accepts are considered.
func (b *board) helper(n int, spare []float64, may func(at int) bool) (at int) {
	at, best := -1, -1.0
	b.budget -= len(b.on[n])
	for k, t := range b.on[n] {
		if !may(k) {
			continue
		}
		if score := b.relief(t.item, spare) / (b.cost(t, n) + b.smallCost(t.item)); score > best {
			at, best = k, score
		}
	}
	return at
}

// smallCost is a small cost for finding another node, for tasks whose move costs nothing.
func (b *board) smallCost(i int) float64 { return 0.01*b.memory(i) + 1e-9 }

// relief returns the fraction of the shortage that a task of the item takes, in the dimension that it
// helps least.
func (b *board) relief(i int, spare []float64) float64 {
	least := 1.0
	for d, x := range spare {
		if x < 0 {
			least = min(least, b.demand(i)[d]/-x)
		}
	}
	return least
}

// insert finds nodes for the tasks in the pool, the largest first, and for those that have to make
// room. It returns false if there are none, or if the budget is used up.
func (b *board) insert() bool {
	b.sort()
	var rest []task
	for _, t := range b.pool {
		if !b.settle(t) {
			rest = append(rest, t)
		}
	}
	for b.pool = rest; len(b.pool) > 0; {
		t := b.pool[0]
		b.pool = b.pool[1:]
		if b.budget <= 0 || !b.settle(t) && !b.swap(t) && !b.displace(t) {
			return false
		}
	}
	return true
}

func (b *board) sort() {
	slices.SortStableFunc(b.pool, func(x, y task) int { return cmp.Compare(b.size(y.item), b.size(x.item)) })
}

// settle puts the task on its present node, or else where it fits and least is left.
func (b *board) settle(t task) bool {
	n := t.from
	if n < 0 || !b.fits(t.item, n) {
		n = b.tightest(t.item, -1)
	}
	if n < 0 {
		return false
	}
	b.place(t, n)
	return true
}

// tightest returns the node, other than one, where a task of the item fits and least is left, or -1.
func (b *board) tightest(i, except int) int {
	best, least := -1, math.Inf(1)
	b.budget -= len(b.on)
	for n := range b.on {
		if n == except || !b.fits(i, n) {
			continue
		}
		left := 0.0
		for d, x := range b.spare(n) {
			if b.most[d] > 0 {
				left += x / b.most[d]
			}
		}
		if left < least {
			best, least = n, left
		}
	}
	return best
}

// A way to make room removes the task at a place of a node, at a cost.
type way struct {
	node, at int
	cost     float64
}

// swap gives the task the place of another one that fits elsewhere: the one that moves the least
// memory.
func (b *board) swap(t task) bool {
	var ways []way
	for n := range b.on {
		b.budget -= len(b.on[n])
		for at, o := range b.on[n] {
			if b.fitsInstead(t.item, n, b.demand(o.item)) {
				ways = append(ways, way{n, at, b.cost(o, n)})
			}
		}
	}
	slices.SortStableFunc(ways, func(x, y way) int { return cmp.Compare(x.cost, y.cost) })
	for _, w := range ways {
		if b.budget <= 0 {
			return false
		}
		if to := b.tightest(b.on[w.node][w.at].item, w.node); to >= 0 {
			b.place(b.lift(w.node, w.at), to)
			b.place(t, w.node)
			return true
		}
	}
	return false
}

// displace gives the task the place of some smaller ones, which go into the pool, on the node where
// that moves the least memory.
func (b *board) displace(t task) bool {
	node, least, places := -1, math.Inf(1), []int(nil)
	for n := range b.on {
		if !b.allows(t.item, n) {
			continue
		}
		if list, cost := b.inTheWay(t, n); cost < least {
			node, least, places = n, cost, list
		}
	}
	if node < 0 {
		return false
	}
	slices.Sort(places)
	for _, at := range slices.Backward(places) {
		o := b.lift(node, at)
		b.put[o.item]++
		b.pool = append(b.pool, o)
	}
	b.place(t, node)
	b.sort()
	return true
}

// mostOften limits the evictions per item, so that the repair terminates.
const mostOften = 3

// inTheWay lists the places of tasks that would have to leave the node for the task, and the cost. It
// lists all if too few tasks are both smaller and not evicted too often.
func (b *board) inTheWay(t task, n int) (places []int, cost float64) {
	spare := slices.Clone(b.spare(n))
	for d, x := range b.demand(t.item) {
		spare[d] -= x
	}
	for size := b.size(t.item); short(spare); {
		at := b.helper(n, spare, func(at int) bool {
			i := b.on[n][at].item
			return b.put[i] < mostOften && b.size(i) < size && !slices.Contains(places, at)
		})
		if at < 0 {
			return nil, math.Inf(1)
		}
		o := b.on[n][at]
		places, cost = append(places, at), cost+b.cost(o, n)+0.1*b.memory(o.item)
		for d, x := range b.demand(o.item) {
			spare[d] += x
		}
	}
	return places, cost
}
