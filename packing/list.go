package packing

import (
	"math"
	"slices"
)

// A list holds the tasks that wait for a node, the largest first, as entries of identical tasks of one
// or more items. It is searched in two dimensions. It is sorted by the leading one, in which the
// entries that fit are a suffix. A tree of minima over the other one, its partner, finds the first
// entry that fits. So a search takes O(log n). With more than two dimensions, the result is then tried
// in the others.
type list struct {
	dim    int       // the leading dimension
	lead   []float64 // by entry: one task's requirement in the leading dimension
	other  minima    // by entry: its requirement in the partner; infinite when no task is left
	left   []int32   // by entry: tasks still to map
	first  []int32   // by entry: its first member
	items  []int32   // members: the items of the first entry, then those of the next, and so on
	ragged bool      // lead is not non-increasing
	starts []int32   // by lead·scale, truncated: the first entry of that value or less; empty: there is no index
	scale  float64

	head  int     // entries before it have no task left
	at    int     // scan position, which only advances while one node is filled
	count int32   // tasks of that entry that the node has taken
	log   []event // the placements so far
	mark  int     // the first event of the present node
}

// An event means that each of some consecutive nodes takes a number of tasks of an entry.
type event struct{ entry, node, nodes, count int32 }

// begin empties the list, and makes room for some members.
func (l *list) begin(most int) {
	l.lead, l.other.values = resized(l.lead, most)[:0], resized(l.other.values, most)[:0]
	l.left, l.first, l.items = resized(l.left, most)[:0], resized(l.first, most)[:0], resized(l.items, most)[:0]
	l.ragged, l.head = false, 0
}

// add appends the items that belong to the list; it must have room for all of them. With merge,
// identical units become one entry. Items of the two lists alternate unpredictably, so each item is
// written in any case and then counted only if it belongs here, which avoids a branch.
func (l *list) add(parts []part, merge bool) {
	entries, members := len(l.lead), len(l.items)
	lead, other := l.lead[:cap(l.lead)], l.other.values[:cap(l.other.values)]
	left, first, items := l.left[:cap(l.left)], l.first[:cap(l.first)], l.items[:cap(l.items)]
	x, y, dim := math.Inf(1), math.Inf(1), l.dim
	if entries > 0 {
		x, y = lead[entries-1], other[entries-1]
	}
	for at := range parts {
		p := &parts[at]
		one := 0
		if p.home(dim) {
			one = 1
		}
		items[members] = p.item
		if p.lead == x && p.other == y && merge {
			left[max(0, entries-1)] += p.count * int32(one)
			members += one
			continue
		}
		lead[entries], other[entries], left[entries], first[entries] = p.lead, p.other, p.count, int32(members)
		entries += one
		members += one
		if one > 0 {
			l.ragged = l.ragged || p.lead > x
			x, y = p.lead, p.other
		}
	}
	l.lead, l.other.values = lead[:entries], other[:entries]
	l.left, l.first, l.items = left[:entries], first[:entries], items[:members]
}

// end makes the list searchable.
func (l *list) end() {
	l.log = slices.Grow(l.log[:0], len(l.lead))
	l.other.grow(l.other.values)
	l.index()
}

// rewind goes back to the first entry with tasks left.
func (l *list) rewind() {
	for l.head < len(l.left) && l.left[l.head] == 0 {
		l.head++
	}
	l.at, l.count, l.mark = l.head, 0, len(l.log)
}

// fits reports whether a task of the entry at the scan position fits, given the used parts of two
// dimensions.
func (l *list) fits(used, capacity *[2]float64) bool {
	return l.at < len(l.lead) &&
		used[l.dim&1]+l.lead[l.at] <= capacity[l.dim&1] && used[^l.dim&1]+l.other.values[l.at] <= capacity[^l.dim&1]
}

// seek advances the scan position to the first entry with a task that fits. It returns false if there is none. An
// entry that did not fit will not fit later, because a node only gets fuller.
func (l *list) seek(used, capacity *[2]float64) bool {
	lead, other, ledTo, otherTo := used[l.dim&1], used[^l.dim&1], capacity[l.dim&1], capacity[^l.dim&1]
	for {
		if !l.ragged {
			l.skip(lead, ledTo)
		}
		l.at = l.other.next(l.at, other, otherTo)
		if l.at == len(l.lead) || lead+l.lead[l.at] <= ledTo {
			return l.at < len(l.lead)
		}
		l.at++
	}
}

// crowd is the number of entries from which on an index is worth its cost.
const crowd = 64

// index notes the first entry of evenly spaced sizes, one size for every 16 entries.
func (l *list) index() {
	l.starts, l.scale = l.starts[:0], 0
	if len(l.lead) < crowd || l.ragged || !(l.lead[0] > 1/MaxQuantity) {
		return
	}
	l.starts = resized(l.starts, len(l.lead)/16)
	l.scale = float64(len(l.starts)) / l.lead[0]
	from := 0
	for b := len(l.starts) - 1; b >= 0; b-- {
		for from < len(l.lead) && int(l.lead[from]*l.scale) > b {
			from++
		}
		l.starts[b] = int32(from)
	}
}

// skip moves the scan position to the suffix that fits in the leading dimension.
func (l *list) skip(used, capacity float64) {
	if l.at == len(l.lead) || used+l.lead[l.at] <= capacity {
		return
	}
	low, step := l.at, 1 // low does not fit
	if len(l.starts) > 0 {
		room := (capacity - used + capacity*0x1p-50) * l.scale // at least the room after rounding
		if b := int(max(0, min(room, float64(len(l.starts)-1)))); int(l.starts[b]) > low+1 {
			low = int(l.starts[b]) - 1
		}
	}
	high := low + 1
	for high < len(l.lead) && used+l.lead[high] > capacity {
		step *= 2
		low, high = high, high+step
	}
	for high = min(high, len(l.lead)); high-low > 1; {
		if middle := int(uint(low+high) >> 1); used+l.lead[middle] > capacity {
			low = middle
		} else {
			high = middle
		}
	}
	l.at = high
}

// item is the first item of the entry at the scan position.
func (l *list) item() int { return int(l.items[l.first[l.at]]) }

// take maps a task of the entry at the scan position to the node that is being filled.
func (l *list) take(used *[2]float64) {
	used[l.dim&1] += l.lead[l.at]
	used[^l.dim&1] += l.other.values[l.at]
	l.count++
	if l.left[l.at]--; l.left[l.at] == 0 {
		l.other.remove(l.at)
	}
}

// note logs the tasks that the node has taken of the entry at the scan position.
func (l *list) note(node int) {
	if l.count > 0 {
		l.log = append(l.log, event{int32(l.at), int32(node), 1, l.count})
		l.count = 0
	}
}

// again returns how many more nodes, up to most, can take the same tasks as this one.
func (l *list) again(most int) int {
	for _, e := range l.log[l.mark:] {
		if most = min(most, int(l.left[e.entry]/e.count)); most == 0 {
			break
		}
	}
	return most
}

// repeat gives more nodes the same tasks as this one, and returns the number of tasks.
func (l *list) repeat(nodes int) (tasks int) {
	for k := l.mark; k < len(l.log) && nodes > 0; k++ {
		e, count := &l.log[k], int32(nodes)*l.log[k].count
		e.nodes += int32(nodes)
		tasks += int(count)
		if l.left[e.entry] -= count; l.left[e.entry] == 0 {
			l.other.remove(int(e.entry))
		}
	}
	return tasks
}

// place writes the node of each placed task into nodes. The tasks of item i are at first[i] up to
// first[i+1].
func (l *list) place(nodes []int, first []int32, next []progress) []progress {
	next = resized(next, len(l.first))
	for e, member := range l.first {
		next[e].begin(member, l.items, first)
	}
	for _, e := range l.log {
		at := &next[e.entry]
		for n := e.node; n < e.node+e.nodes; n++ {
			for range e.count {
				if at.task == at.end {
					at.begin(at.member+1, l.items, first)
				}
				nodes[at.task] = int(n)
				at.task++
			}
		}
	}
	return next
}

// progress is the position up to which the members of an entry, and the tasks of the last one, are
// placed.
type progress struct{ member, task, end int32 }

func (p *progress) begin(member int32, items, first []int32) {
	i := items[member]
	*p = progress{member, first[i], first[i+1]}
}
