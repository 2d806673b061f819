package packing

import (
	"fmt"
	"slices"
)

// admissible splits order into the items that are worth a search, still from highest to
// lowest priority, and the others. It judges by sums at the lowest level that a search tries.
func (p *Problem) admissible(order []int, lowest float64) (chosen, dropped []int) {
	p.mustOrder(order)
	a := admission{p, p.capacities(), p.requirements(func(it *Item) float64 { return it.least(lowest) }), newVectors(len(p.Nodes), p.width())}
	for _, i := range order {
		if a.possible(i) {
			chosen = append(chosen, i)
		} else {
			dropped = append(dropped, i)
		}
	}
	fitting := a.fitting(chosen)
	surplus := slices.Clone(chosen[fitting:])
	slices.Reverse(surplus)
	return chosen[:fitting], append(dropped, surplus...)
}

// mustOrder panics unless order is a permutation of the item indices.
func (p *Problem) mustOrder(order []int) {
	if len(order) != len(p.Items) {
		panic(fmt.Sprintf("packing: order lists %d of %d items", len(order), len(p.Items)))
	}
	seen := make([]bool, len(p.Items))
	for _, i := range order {
		if i < 0 || i >= len(seen) || seen[i] {
			panic(fmt.Sprintf("packing: order lists item %d of %d twice or wrongly", i, len(seen)))
		}
		seen[i] = true
	}
}

type admission struct {
	p        *Problem
	capacity vectors // by node
	require  vectors // by item, for one task
	pinned   vectors // by node: what the pinned items admitted so far require
}

// possible says whether an item could be mapped if there were no others, except, for a
// pinned item, those that are pinned and were admitted before.
func (a *admission) possible(item int) bool {
	if a.p.Items[item].Pinned != nil {
		return a.pin(item)
	}
	return a.alone(item)
}

func (a *admission) alone(item int) bool {
	it, task := &a.p.Items[item], a.require.row(item)
	used := make([]float64, len(task))
	left := it.Count
	for n := 0; n < len(a.p.Nodes) && left > 0; n++ {
		clear(used)
		for left > 0 && it.allows(n) && fits(used, task, a.capacity.row(n)) {
			add(used, 1, task)
			left--
			if it.Spread {
				break
			}
		}
	}
	return left == 0
}

// pin admits a pinned item, or leaves everything as it was.
func (a *admission) pin(item int) bool {
	it, task := &a.p.Items[item], a.require.row(item)
	for done, n := range it.Pinned {
		if !it.allows(n) || !fits(a.pinned.row(n), task, a.capacity.row(n)) {
			for _, n := range it.Pinned[:done] {
				add(a.pinned.row(n), -1, task)
			}
			return false
		}
		add(a.pinned.row(n), 1, task)
	}
	return true
}

// fitting returns how many of the chosen items, from the first, fit into the sum of all nodes.
func (a *admission) fitting(chosen []int) int {
	total, sum := a.capacity.sum(), make([]float64, a.capacity.width)
	for k, i := range chosen {
		add(sum, float64(a.p.Items[i].Count), a.require.row(i))
		for d := range sum {
			if sum[d] > total[d] {
				return k
			}
		}
	}
	return len(chosen)
}
