package portfolio

import (
	"slices"

	"aliquot/packing"
)

// An attempt is where a method put the tasks at a level.
type attempt struct {
	placed []placement
	left   []int32   // by kind: tasks that found no place
	used   []float64 // by node and dimension
	rest   int       // sum of left
}

// A placement is that a node takes some tasks of a kind.
type placement struct {
	kind, node int32
	count      int32
}

func (in *tableau) clear(a *attempt) {
	a.placed, a.left, a.rest = a.placed[:0], a.left[:0], in.tasks
	a.used = append(a.used[:0], in.pinned...)
	for k := range in.kinds {
		a.left = append(a.left, int32(in.kinds[k].count))
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

// mapping tells where each task of each item goes; every task has a place.
func (in *tableau) mapping(placed []placement) packing.Mapping {
	m := make(packing.Mapping, len(in.p.Items))
	for _, i := range in.fixed {
		m[i] = slices.Clone(in.p.Items[i].Pinned)
	}
	next := make([]int, len(in.kinds)) // member that gets a task
	for _, to := range placed {
		for range to.count {
			i := in.kinds[to.kind].member[next[to.kind]]
			if m[i] == nil {
				m[i] = make([]int, 0, in.p.Items[i].Count)
			}
			for range in.p.Items[i].Unit() {
				m[i] = append(m[i], int(to.node))
			}
			if len(m[i]) == in.p.Items[i].Count {
				next[to.kind]++
			}
		}
	}
	return m
}
