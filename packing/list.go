package packing

import "slices"

// A list holds what waits for a node, the largest first: entries of identical tasks of one or more
// items. It is searched in two dimensions: in the one that leads, by which it is sorted, what fits is
// a suffix; over another, its partner, a tree of minima finds the first that fits. So a search takes
// O(log n). (With more than two dimensions, what it finds is tried in the others in turn.)
type list struct {
	dim    int       // the leading dimension
	lead   []float64 // by entry: what one task requires in the leading dimension
	other  minima    // by entry: what it requires in the other one; infinite when no task is left
	left   []int32   // by entry: tasks to map
	first  []int32   // by entry: its first member
	items  []int32   // members: the items of the first entry, then those of the next, and so on
	ragged bool      // lead is not non-increasing

	head  int     // entries before it have no task left
	at    int     // scan position, which does not go back while one node is filled
	count int32   // tasks of the entry there that the node has taken
	log   []event // who was placed where
	mark  int     // the first event of the node that is being filled
}

// An event is that each of some nodes in a row takes tasks of an entry.
type event struct{ entry, node, nodes, count int32 }

// fill fills the list with the part of an order that belongs to it. Identical tasks become one entry if merge is set.
func (l *list) fill(o *order, merge bool) {
	l.dim, l.ragged, l.head = o.dim, false, 0
	most := len(o.rows)
	lead, other := resized(l.lead, most), resized(l.other.values, most)
	left, first, items := resized(l.left, most), resized(l.first, most), resized(l.items, most)
	entries, members := 0, 0
	for at := range o.rows {
		r, size := &o.rows[at], &o.sizes[at]
		if !size.home {
			continue
		}
		x, y := size.lead, size.other
		if last := entries - 1; merge && entries > 0 && lead[last] == x && other[last] == y {
			left[last] += r.count
		} else {
			l.ragged = l.ragged || entries > 0 && x > lead[last]
			lead[entries], other[entries], left[entries], first[entries] = x, y, r.count, int32(members)
			entries++
		}
		items[members] = r.item
		members++
	}
	l.lead, l.left, l.first, l.items = lead[:entries], left[:entries], first[:entries], items[:members]
	l.log = slices.Grow(l.log[:0], entries)
	l.other.grow(other[:entries])
}

// rewind goes back to the first entry with tasks left.
func (l *list) rewind() {
	for l.head < len(l.left) && l.left[l.head] == 0 {
		l.head++
	}
	l.at, l.count, l.mark = l.head, 0, len(l.log)
}

// fits says whether a task of the entry at the scan position fits beside what is used of two dimensions.
func (l *list) fits(used, capacity *[2]float64) bool {
	return l.at < len(l.lead) &&
		used[l.dim&1]+l.lead[l.at] <= capacity[l.dim&1] && used[^l.dim&1]+l.other.values[l.at] <= capacity[^l.dim&1]
}

// seek moves the scan position to the first entry from there on of which a task fits; false if there is none.
// What did not fit will not fit later either, as a node only gets fuller.
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

// skip moves the scan position to the suffix that fits in the leading dimension.
func (l *list) skip(used, capacity float64) {
	if l.at == len(l.lead) || used+l.lead[l.at] <= capacity {
		return
	}
	low, high, step := l.at, l.at+1, 1 // low does not fit
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

// note logs what the node has taken of the entry at the scan position.
func (l *list) note(node int) {
	if l.count > 0 {
		l.log = append(l.log, event{int32(l.at), int32(node), 1, l.count})
		l.count = 0
	}
}

// again says how often, up to most, another node can take what this one took.
func (l *list) again(most int) int {
	for _, e := range l.log[l.mark:] {
		if most = min(most, int(l.left[e.entry]/e.count)); most == 0 {
			break
		}
	}
	return most
}

// repeat lets more nodes take what this one took, and returns the number of tasks.
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

// place tells, for each task that was taken, the node: at the task's place in nodes, where those of an
// item begin at its place in first and end where those of the next begin.
func (l *list) place(nodes []int, first []int32, next []progress) []progress {
	next = resized(next, len(l.first))
	for e, member := range l.first {
		next[e] = progress{member, first[l.items[member]]}
	}
	for _, e := range l.log {
		at := &next[e.entry]
		for n := e.node; n < e.node+e.nodes; n++ {
			for range e.count {
				for at.task == first[l.items[at.member]+1] {
					at.member++
					at.task = first[l.items[at.member]]
				}
				nodes[at.task] = int(n)
				at.task++
			}
		}
	}
	return next
}

// progress is how far the members of an entry, and the tasks of the last one, are placed.
type progress struct{ member, task int32 }
