package portfolio

import (
	"slices"

	"aliquot/packing"
)

// An attempt is the placement of the tasks by a method at a level.
type attempt struct {
	placed []placement
	left   []int32         // by kind: tasks without a place
	used   []float64       // by node and dimension
	rest   int             // sum of left
	from   packing.Mapping // the mapping that it was made from; nil: none
}

// A placement means that a node takes some tasks of a kind.
type placement struct {
	kind, node int32
	count      int32
}

func (in *tableau) clear(a *attempt) {
	a.placed, a.left, a.rest, a.from = slices.Grow(a.placed[:0], len(in.kinds)), slices.Grow(a.left[:0], len(in.kinds)),
		in.tasks, nil
	a.used = append(a.used[:0], in.pinned...)
	for k := range in.kinds {
		a.left = append(a.left, in.kinds[k].count)
	}
}

func (a *attempt) put(kind, node, count int) {
	a.rest -= count
	a.left[kind] -= int32(count)
	if last := len(a.placed) - 1; last >= 0 && a.placed[last].kind == int32(kind) && a.placed[last].node == int32(node) {
		a.placed[last].count += int32(count)
		return
	}
	a.placed = append(a.placed, placement{int32(kind), int32(node), int32(count)})
}

// mapping returns the nodes of all tasks, item by item. Every task must have a place.
func (in *tableau) mapping(placed []placement) packing.Mapping {
	m := make(packing.Mapping, len(in.p.Items))
	for _, i := range in.fixed {
		m[i] = slices.Clone(in.p.Items[i].Pinned)
	}
	at, sum := make([]int32, len(in.kinds)), int32(0) // by kind: the place of its next unit
	in.pace.Seen(len(in.members))
	for k := range at {
		at[k], sum = sum, sum+in.kinds[k].count
	}
	nodes := make([]int, sum)
	for _, to := range placed {
		for range to.count {
			nodes[at[to.kind]] = int(to.node)
			at[to.kind]++
		}
	}
	for _, i := range in.members {
		it := &in.p.Items[i]
		units := it.Count / it.Unit()
		m[i], nodes = nodes[:units:units], nodes[units:]
		if it.Unit() > 1 {
			m[i] = slices.Repeat(m[i], it.Unit())
		}
	}
	return m
}
