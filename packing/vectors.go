package packing

import (
	"math"
	"slices"
)

// vectors is a table of resource vectors: CPU, then the rigid dimensions, then the other fluid ones.
type vectors struct {
	width  int
	values []float64
}

func (v vectors) row(i int) []float64 { return v.values[i*v.width : (i+1)*v.width] }

// width returns the number of resource dimensions, CPU included.
func (p *Problem) width() int {
	if len(p.Nodes) == 0 {
		return 1
	}
	return 1 + len(p.Nodes[0].Rigid) + len(p.Nodes[0].Fluid)
}

// capacities returns the capacities of the nodes, reusing the memory of an old table.
func (p *Problem) capacities(memory vectors) vectors {
	v := vectors{p.width(), resized(memory.values, len(p.Nodes)*p.width())}
	for n, node := range p.Nodes {
		row := v.row(n)
		row[0] = node.CPU
		copy(row[1+copy(row[1:], node.Rigid):], node.Fluid)
	}
	return v
}

// same reports whether all rows are equal.
func (v vectors) same() bool {
	for i := v.width; i < len(v.values); i++ {
		if v.values[i] != v.values[i-v.width] {
			return false
		}
	}
	return true
}

// sum adds the rows to a total.
func (v vectors) sum(total []float64) {
	for i := 0; i < len(v.values); i += v.width {
		for d, x := range v.values[i : i+v.width] {
			total[d] += x
		}
	}
}

// average fills mean, which is 0 before, with the mean of the rows. It is exactly the common row if
// all are equal.
func (v vectors) average(mean []float64) {
	for i := 0; i < len(v.values); i += v.width {
		for d, x := range v.values[i : i+v.width] {
			if x != mean[d] {
				mean[d] += (x - mean[d]) / float64(i/v.width+1)
			}
		}
	}
}

// most raises every dimension to the maximum of the rows.
func (v vectors) most(most []float64) {
	for i := 0; i < len(v.values); i += v.width {
		for d, x := range v.values[i : i+v.width] {
			most[d] = max(most[d], x)
		}
	}
}

// fewest sets every dimension to the minimum of the rows.
func (v vectors) fewest(fewest []float64) {
	for d := range fewest {
		fewest[d] = math.Inf(1)
	}
	for i := 0; i < len(v.values); i += v.width {
		for d, x := range v.values[i : i+v.width] {
			fewest[d] = min(fewest[d], x)
		}
	}
}

// add adds count times a task to used.
func add(used []float64, count float64, task []float64) {
	for d, x := range task {
		used[d] += count * x
	}
}

// fits reports whether one more task fits beside the used part.
func fits(used, task, capacity []float64) bool {
	for d, x := range task {
		if used[d]+x > capacity[d] {
			return false
		}
	}
	return true
}

// within reports whether a vector is no larger than a capacity.
func within(v, capacity []float64) bool {
	for d, x := range v {
		if x > capacity[d] {
			return false
		}
	}
	return true
}

// fraction returns the fraction of a capacity. Nothing of nothing is 0.
func fraction(quantity, capacity float64) float64 {
	if quantity == 0 {
		return 0
	}
	return quantity / capacity
}

// leading returns the dimension in which a vector takes the largest fraction of a capacity (the last
// of equals), that fraction, and the largest of the others.
func leading(v, capacity []float64) (dim int, first, second float64) {
	for d, x := range v {
		switch f := fraction(x, capacity[d]); {
		case f >= first:
			dim, first, second = d, f, first
		case f > second:
			second = f
		}
	}
	return dim, first, second
}

// resized returns a slice of n elements with arbitrary contents, reusing memory.
func resized[T any](s []T, n int) []T {
	return slices.Grow(s[:0], n)[:n]
}

// lengthened returns a slice of n elements, the present ones and then zeros, reusing memory.
func lengthened[S ~[]T, T any](s S, n int) S {
	for s = s[:min(n, cap(s))]; len(s) < n; {
		var none T
		s = append(s, none)
	}
	return s
}

// zeros returns a slice of n zeros, reusing memory.
func zeros(s []float64, n int) []float64 {
	s = resized(s, n)
	clear(s)
	return s
}

// all returns the indices 0 to n-1.
func all(n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	return indices
}
