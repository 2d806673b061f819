package portfolio

import "math"

// A tree finds the first of many vectors that is small enough in all dimensions. It holds the minima
// of every dimension over halving ranges. One dimension takes O(log n), and so do several if vectors
// that are small in one dimension are not large in another.
type tree struct {
	width, leaves int
	minima        []float64 // by node of the tree, the root being 1, and dimension
}

func (t *tree) reset(n, width int) {
	t.width, t.leaves = width, 1
	for t.leaves < n {
		t.leaves *= 2
	}
	if need := 2 * t.leaves * width; cap(t.minima) < need {
		t.minima = make([]float64, need)
	} else {
		t.minima = t.minima[:need]
	}
	for at := t.leaves * width; at < len(t.minima); at++ {
		t.minima[at] = math.Inf(1)
	}
}

func (t *tree) at(node int) []float64 { return t.minima[node*t.width : (node+1)*t.width] }

func (t *tree) leaf(i int) []float64 { return t.at(t.leaves + i) }

// grow computes the minima after the leaves are set.
func (t *tree) grow() {
	for node := t.leaves - 1; node > 0; node-- {
		t.join(node)
	}
}

func (t *tree) join(node int) {
	up, left, right := t.at(node), t.at(2*node), t.at(2*node+1)
	for d := range up {
		up[d] = min(left[d], right[d])
	}
}

// changed updates the minima above a changed leaf.
func (t *tree) changed(i int) {
	for node := (t.leaves + i) / 2; node > 0; node /= 2 {
		t.join(node)
	}
}

func (t *tree) remove(i int) {
	leaf := t.leaf(i)
	for d := range leaf {
		leaf[d] = math.Inf(1)
	}
	t.changed(i)
}

// next returns the first leaf at or after from that fits beside the used part, or the number of
// leaves. steps counts the visited nodes of the tree.
func (t *tree) next(from int, used, capacity []float64, steps *int64) int {
	if from >= t.leaves {
		return t.leaves
	}
	node := t.leaves + from
	for {
		*steps++
		if fits(used, t.at(node), capacity) {
			if node >= t.leaves {
				return node - t.leaves
			}
			node *= 2
			continue
		}
		for node&1 == 1 { // a right child: everything below its parent has been visited
			if node == 1 {
				return t.leaves
			}
			node /= 2
		}
		if node == 0 {
			return t.leaves
		}
		node++
	}
}
