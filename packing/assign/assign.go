package assign

import (
	"math"
	"slices"

	"aliquot/packing"
)

// Exact is a budget with which any assignment is solved to the end.
const Exact = math.MaxInt

// A Result is a packing whose parts are on the nodes where the least memory has to move.
type Result struct {
	Mapping packing.Mapping // the same parts on other nodes
	Moved   float64         // memory of tasks that change nodes
	Bound   float64         // no assignment of these parts moves less; equal to Moved if the budget sufficed
}

// Parts assigns the parts of the mapping next to nodes, given the present mapping now. An item that is
// not mapped in both moves nothing. The budget counts the pairs of part and node that are examined.
func Parts(p *packing.Problem, now, next packing.Mapping, budget int) Result {
	kinds := kinds(p, next)
	before, after := contents(len(p.Nodes), kinds, now), contents(len(p.Nodes), kinds, next)
	home := make([]int, len(p.Nodes)) // by part: the node it is assigned to
	stay, fixed := 0.0, pinned(p, next)
	for _, class := range alike(p) {
		var free []int
		for _, n := range class {
			if home[n] = n; fixed[n] {
				stay += common(kinds, before[n], after[n])
			} else {
				free = append(free, n)
			}
		}
		m := newMatching(free, kinds, before, after)
		stay += m.solve(&budget)
		m.assign(home)
	}
	r := Result{Mapping: settle(p, kinds, now, next, home), Bound: max(0, movable(p, now, next)-stay)}
	r.Moved = Moved(p, now, r.Mapping)
	if before := Moved(p, now, next); before < r.Moved { // the budget did not suffice
		r.Mapping, r.Moved = next, before
	}
	return r
}

// common returns the memory that two contents have in common.
func common(kinds []kind, a, b content) (memory float64) {
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.kind < y.kind:
			a = a[1:]
		case x.kind > y.kind:
			b = b[1:]
		default:
			memory += kinds[x.kind].weight * float64(min(x.count, y.count))
			a, b = a[1:], b[1:]
		}
	}
	return memory
}

// Moved returns the memory of the tasks that change nodes between two mappings, over the items that
// both map.
func Moved(p *packing.Problem, now, next packing.Mapping) (memory float64) {
	count := make([]int, len(p.Nodes))
	for i := range p.Items {
		memory += float64(Changes(now[i], next[i], count)) * weight(p, i)
	}
	return memory
}

// Changes counts the tasks of an item that change nodes. count is scratch with one zero for each node.
func Changes(now, next []int, count []int) (tasks int) {
	if len(now) == 0 || len(next) == 0 {
		return 0
	}
	for _, n := range now {
		count[n]++
	}
	stay := 0
	for _, n := range next {
		if count[n] > 0 {
			count[n]--
			stay++
		}
	}
	for _, n := range now {
		count[n] = 0
	}
	return min(len(now), len(next)) - stay
}

// movable returns the memory of all tasks that could move.
func movable(p *packing.Problem, now, next packing.Mapping) (memory float64) {
	for i := range p.Items {
		memory += float64(min(len(now[i]), len(next[i]))) * weight(p, i)
	}
	return memory
}

// weight returns the memory of a task of the item, 1 if the problem has no memory.
func weight(p *packing.Problem, i int) float64 {
	if len(p.Items[i].Rigid) == 0 {
		return 1
	}
	return p.Items[i].Rigid[0]
}

// pinned marks the parts that have a pinned task.
func pinned(p *packing.Problem, next packing.Mapping) []bool {
	fixed := make([]bool, len(p.Nodes))
	for i := range p.Items {
		if p.Items[i].Pinned == nil {
			continue
		}
		for _, n := range next[i] {
			fixed[n] = true
		}
	}
	return fixed
}

// settle maps the items to the nodes of the parts. Within a kind, tasks stay if they can; the others
// take the places that remain, the first item the first nodes.
func settle(p *packing.Problem, kinds []kind, now, next packing.Mapping, home []int) packing.Mapping {
	m, places := make(packing.Mapping, len(next)), make([]int, len(p.Nodes))
	for k := range kinds {
		var order []int // nodes with a free place, in order, repeated once per place
		for _, i := range kinds[k].items {
			for _, n := range next[i] {
				places[home[n]]++
				order = append(order, home[n])
			}
		}
		slices.Sort(order)
		for _, i := range kinds[k].items {
			m[i] = make([]int, 0, len(next[i]))
			for _, n := range now[i] {
				if places[n] > 0 && len(m[i]) < len(next[i]) {
					places[n]--
					m[i] = append(m[i], n)
				}
			}
		}
		for _, i := range kinds[k].items {
			for len(m[i]) < len(next[i]) {
				if n := order[0]; places[n] > 0 {
					places[n]--
					m[i] = append(m[i], n)
				}
				order = order[1:]
			}
			if p.Items[i].Pinned != nil {
				m[i] = next[i]
			}
		}
		for _, n := range order {
			places[n] = 0
		}
	}
	return m
}
