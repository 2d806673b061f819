package packing

import (
	"fmt"
	"slices"
)

// admit chooses the items for a search, from highest to lowest priority. It returns the others in the
// order in which they are given up: items that could not be mapped even alone, then the items from
// which on the sum exceeds the nodes. It judges by the lowest level that a search tries. If the search
// is stopped meanwhile, admit gives up all items.
func (k *packer) admit(order []int, lowest float64) (dropped []int) {
	k.mustOrder(order)
	if k.ample(lowest) {
		k.chosen = append(k.chosen, order...)
		return nil
	}
	k.begin(k.p)
	k.now.slack = zeros(k.now.slack, len(k.total))
	k.used = vectors{k.capacity.width, zeros(k.used.values, len(k.capacity.values))}
	var surplus []int
	for _, i := range order {
		if k.Seen(1) {
			k.begin(k.p)
			dropped = slices.Clone(order)
			slices.Reverse(dropped)
			return dropped
		}
		it := &k.p.Items[i]
		it.take(k.task, it.least(lowest), it.leastYield(lowest))
		if !k.possible(i, k.task) {
			dropped = append(dropped, i)
			continue
		}
		add(k.now.slack, float64(it.Count), k.task) // the sum of the requirements, until packing begins
		if surplus != nil || !k.within(k.now.slack) {
			surplus = append(surplus, i)
		} else {
			k.choose(i)
		}
	}
	slices.Reverse(surplus)
	return append(dropped, surplus...)
}

// ample reports whether clearly nothing has to be given up; in doubt it returns false. It reads the
// items in memory order, not by priority, because that is faster, and counts them as chosen.
func (k *packer) ample(lowest float64) bool {
	k.now.slack = zeros(k.now.slack, len(k.total))
	for i := range k.p.Items {
		it := &k.p.Items[i]
		if it.Pinned != nil || it.Allowed != nil || it.Tops != nil || k.Seen(1) {
			return false
		}
		it.take(k.task, it.least(lowest), it.leastYield(lowest))
		if !k.anywhere(it) {
			return false
		}
		add(k.now.slack, float64(it.Count), k.task)
		k.count(i)
	}
	const clearly = 1 - 1e-6
	for d, total := range k.total {
		if k.now.slack[d] > clearly*total {
			return false
		}
	}
	return true
}

// anywhere reports whether each empty node could clearly take one unit of the item.
func (k *packer) anywhere(it *Item) bool {
	if it.Count > len(k.p.Nodes) {
		return false
	}
	for d, x := range k.task {
		if x*float64(it.unit()) > k.fewest[d] {
			return false
		}
	}
	return true
}

// within reports whether a sum fits into the capacity of all nodes. Fluid dimensions may exceed it by
// rounding.
func (k *packer) within(sum []float64) bool {
	for d, total := range k.total {
		if d == 0 || d > len(k.required) {
			total *= 1 + slop
		}
		if sum[d] > total {
			return false
		}
	}
	return true
}

// mustOrder panics unless order is a permutation of the item indices.
func (k *packer) mustOrder(order []int) {
	if len(order) != len(k.p.Items) {
		panic(fmt.Sprintf("packing: order lists %d of %d items", len(order), len(k.p.Items)))
	}
	k.seen = resized(k.seen, len(order))
	clear(k.seen)
	for _, i := range order {
		if i < 0 || i >= len(order) || k.seen[i] {
			panic(fmt.Sprintf("packing: order lists item %d of %d twice or wrongly", i, len(order)))
		}
		k.seen[i] = true
	}
}

// possible reports whether the item could be mapped without the others. A pinned item must fit beside
// the pinned items that were admitted before.
func (k *packer) possible(i int, task []float64) bool {
	it := &k.p.Items[i]
	if it.Pinned != nil {
		return k.pinnable(it, task)
	}
	left, n := it.Count, 0
	for ; n < len(k.p.Nodes) && left > 0; n++ {
		if it.allows(n) {
			left -= k.room(it, task, n, left)
		}
	}
	k.Seen(n)
	return left == 0
}

// room returns the number of tasks, up to most, that an empty node can take.
func (k *packer) room(it *Item, task []float64, n, most int) (tasks int) {
	if it.Spread {
		most = 1
	}
	used, capacity := k.alone, k.capacity.row(n)
	clear(used)
	if unit := it.unit(); unit > 1 {
		if add(used, float64(unit), task); within(used, capacity) {
			return unit
		}
		return 0
	}
	for tasks < most && fits(used, task, capacity) {
		add(used, 1, task)
		tasks++
	}
	return tasks
}

// pinnable admits a pinned item if it fits. Otherwise it changes nothing.
func (k *packer) pinnable(it *Item, task []float64) bool {
	for done, n := range it.Pinned {
		if !it.allows(n) || !fits(k.used.row(n), task, k.capacity.row(n)) {
			for _, n := range it.Pinned[:done] {
				add(k.used.row(n), -1, task)
			}
			return false
		}
		add(k.used.row(n), 1, task)
	}
	return true
}

// Admit chooses the items that a search with these options starts with, from highest to lowest
// priority. It lists the others in the order in which they are dropped: see [Options.Search].
func (o Options) Admit(p *Problem, order []int) (kept, dropped []int) {
	k := packers.Get().(*packer)
	defer k.release()
	k.begin(p)
	k.Stop = o.Stop
	dropped = k.admit(order, o.sound().lowest())
	return slices.Clone(k.chosen), dropped
}
