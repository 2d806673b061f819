package stable

import (
	"cmp"
	"math"
	"slices"
)

// relieve puts tasks into the pool until the node has enough for the others: each time the one that helps most for
// the memory that it moves. It returns false if the pinned ones are too much, or the budget is spent.
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

// helper is the place on the node of the task, of those at places that may be left, that frees most of what is short for the
// memory that it moves; -1: none.
func (b *board) helper(n int, spare []float64, may func(at int) bool) (at int) {
	at, best := -1, -1.0
	b.budget -= len(b.on[n])
	for k, t := range b.on[n] {
		if !may(k) {
			continue
		}
		if score := b.relief(t.item, spare) / (b.cost(t, n) + b.trifle(t.item)); score > best {
			at, best = k, score
		}
	}
	return at
}

// trifle stands for what it costs to look for another node, where nothing has to be moved.
func (b *board) trifle(i int) float64 { return 0.01*b.memory(i) + 1e-9 }

// relief is the part of what is short that a task of the item takes, in the dimension that it helps least.
func (b *board) relief(i int, spare []float64) float64 {
	least := 1.0
	for d, x := range spare {
		if x < 0 {
			least = min(least, b.demand(i)[d]/-x)
		}
	}
	return least
}

// insert finds nodes for the tasks in the pool, the largest first, and for those that have to make room for them;
// false if there are none, or the budget is spent.
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

// settle puts the task where it was, or else where it fits and least is left.
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

// tightest is the node, other than one, where a task of the item fits and least is left; -1: none.
func (b *board) tightest(i, but int) int {
	best, least := -1, math.Inf(1)
	b.budget -= len(b.on)
	for n := range b.on {
		if n == but || !b.fits(i, n) {
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

// A way to make room is that the task at a place of a node leaves it, at a cost.
type way struct {
	node, at int
	cost     float64
}

// swap gives the task the place of another one that fits elsewhere: the one that moves the least memory.
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

// displace gives the task the place of some smaller ones, which go into the pool, where that moves the least memory.
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

// mostOften is how often tasks of an item may be put out, so that mending comes to an end.
const mostOften = 3

// inTheWay lists the places of tasks that would have to leave the node for the task, and what that costs: all if
// there are not enough that are smaller than it, and were not put out too often.
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
