package packing

// A list holds items, the largest first, and a scan position that does not go back while
// one node is filled. The pass over a node also drops the items with no task left.
type list struct {
	items []int
	at    int // scan position
	kept  int // items[:kept] were passed and have tasks left
}

func (l *list) empty() bool { return len(l.items) == 0 }

func (l *list) clear() { l.items, l.at, l.kept = l.items[:0], 0, 0 }

// keep keeps the item at the scan position, which is about to be passed, for the next node.
func (l *list) keep(item int) {
	l.items[l.kept] = item
	l.kept++
}

// rewind goes back to the start once the scan position is at the end.
func (l *list) rewind() { l.items, l.at, l.kept = l.items[:l.kept], 0, 0 }

// all returns the indices 0 to n-1.
func all(n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	return indices
}
