package stable

import (
	"slices"

	"aliquot/packing"
	"aliquot/packing/assign"
)

// Home returns tasks of the packing next to nodes where tasks of their item were before: if there is
// room at the packing's yield, or in exchange for a task that is not at home there either. The least
// yield is kept, and no more memory moves than without. The budget is as in [Options].
func Home(p *packing.Problem, now, next packing.Mapping, budget int) packing.Mapping {
	if len(p.Nodes) == 0 {
		return next
	}
	h := homing{newBoard(p, Least(p, next), Options{Budget: budget}.budget()), make([][]int, len(next))}
	for i := range next {
		h.seat(i, now[i], next[i])
	}
	for h.round() {
	}
	home := h.mapping(next)
	if assign.Moved(p, now, home) > assign.Moved(p, now, next) { // possible for tasks that must be together and were not
		return next
	}
	return home
}

// homing is a board on which tasks return home. A task is at home on a node that had a task of its
// item before. Tasks of one item are interchangeable.
type homing struct {
	*board
	left [][]int // by item: nodes that its tasks have left
}

// seat puts the item's tasks on their nodes in next.
func (h *homing) seat(i int, now, next []int) {
	if h.p.Items[i].Pinned != nil {
		for _, n := range next {
			h.fix(i, n)
		}
		return
	}
	before, after := h.units(i, now), h.units(i, next)
	comes := difference(after, before)
	h.left[i] = difference(before, after)
	for _, n := range difference(after, comes) {
		h.place(task{i, n}, n)
	}
	for _, n := range comes {
		h.place(task{i, -1}, n)
	}
}

// units lists the nodes of the item's units in order: one node if the tasks must be together and are.
func (h *homing) units(i int, nodes []int) (list []int) {
	unit := h.p.Items[i].Unit()
	for k := 0; k+unit <= len(nodes); k += unit {
		if together(nodes[k : k+unit]) {
			list = append(list, nodes[k])
		}
	}
	slices.Sort(list)
	return list
}

// difference returns the elements of a sorted list that the other one lacks.
func difference(list, other []int) (rest []int) {
	for _, n := range list {
		for len(other) > 0 && other[0] < n {
			other = other[1:]
		}
		if len(other) > 0 && other[0] == n {
			other = other[1:]
		} else {
			rest = append(rest, n)
		}
	}
	return rest
}

func together(nodes []int) bool {
	return !slices.ContainsFunc(nodes, func(n int) bool { return n != nodes[0] })
}

// arrive puts a task that is not at home on the node, which may be its home.
func (h *homing) arrive(t task, n int) {
	left := h.left[t.item]
	h.budget -= len(left)
	if k := slices.Index(left, n); k >= 0 {
		t.from = n
		h.left[t.item] = slices.Delete(left, k, k+1)
	}
	h.place(t, n)
}

// round tries once to return every task that is not at home. It returns false if none could return.
func (h *homing) round() (some bool) {
	for n := range h.on {
		for at := 0; at < len(h.on[n]) && h.budget > 0; {
			if t := h.on[n][at]; t.from < 0 && h.goHome(t, n, at) {
				some = true
			} else {
				at++
			}
		}
	}
	return some
}

// goHome moves the task at a place of the node to a former node of its item. It returns false if it
// cannot.
func (h *homing) goHome(t task, n, at int) bool {
	for _, home := range h.left[t.item] {
		if h.fits(t.item, home) {
			h.arrive(h.lift(n, at), home)
			return true
		}
		if other := h.partner(t, n, home); other >= 0 {
			h.lift(n, at)
			h.arrive(h.lift(home, other), n)
			h.arrive(t, home)
			return true
		}
	}
	return false
}

// partner returns the place of a task on node home that is not at home there and can exchange places
// with t, or -1. It prefers one whose home is node n.
func (h *homing) partner(t task, n, home int) (at int) {
	at = -1
	h.budget -= 1 + len(h.on[home])
	for k, o := range h.on[home] {
		if o.from >= 0 || o.item == t.item || !h.fitsInstead(t.item, home, h.demand(o.item)) ||
			!h.fitsInstead(o.item, n, h.demand(t.item)) {
			continue
		}
		if at = k; slices.Contains(h.left[o.item], n) {
			return at
		}
	}
	return at
}
