package bound

import (
	"math"

	"aliquot/packing/pace"
)

// A run lists tasks by their size in one dimension, the largest first, and the nodes on which they
// must fit.
type run struct {
	nodes    float64
	capacity float64
	sizes    []float64 // by entry: of each of its tasks
	tasks    []float64 // by entry: tasks of this and all larger entries
	sums     []float64 // by entry: the sum of these
}

func (r *run) reset(nodes, capacity float64) {
	*r = run{nodes, capacity, r.sizes[:0], r.tasks[:0], r.sums[:0]}
}

func (r *run) add(size, count float64) {
	tasks, sum := count, count*size
	if last := len(r.sizes) - 1; last >= 0 {
		tasks += r.tasks[last]
		sum += r.sums[last]
		if r.sizes[last] == size {
			r.tasks[last], r.sums[last] = tasks, sum
			return
		}
	}
	r.sizes, r.tasks, r.sums = append(r.sizes, size), append(r.tasks, tasks), append(r.sums, sum)
}

// crowded reports whether some node must exceed its capacity: of k·nodes + 1 tasks some node has k +
// 1, which take no less than the k + 1 smallest of them.
func (r *run) crowded() bool {
	if len(r.sizes) == 0 {
		return r.nodes < 0
	}
	last := len(r.sizes) - 1
	if r.nodes < 1 || exceeds(r.sums[last], r.nodes*r.capacity) {
		return true
	}
	from, to := 0, 0
	for k := 0.0; k*r.nodes+1 <= r.tasks[last]; k++ {
		first, end := k*r.nodes-k, k*r.nodes+1 // ranks of the k+1 smallest
		for r.tasks[from] < first {
			from++
		}
		for r.tasks[to] < end {
			to++
		}
		// Sums of many sizes are inexact, so the difference is allowed its rounding error.
		if exceeds(r.upTo(to, end)-r.upTo(from, first), r.capacity+r.sums[to]*1e-14*float64(1+to)) {
			return true
		}
	}
	return false
}

// upTo returns the sum of the largest tasks; entry is that of the last of them.
func (r *run) upTo(entry int, tasks float64) float64 {
	return r.sums[entry] - (r.tasks[entry]-tasks)*r.sizes[entry]
}

// dual reports whether some function u^(k) of the sizes exceeds the number of nodes in sum. It is at
// most 1 for tasks that fit on one node.
func (r *run) dual(p *pace.Pace) bool {
	for k := 1.0; k <= duals && !p.Seen(len(r.sizes)); k++ {
		sum, before := 0.0, 0.0
		for e, size := range r.sizes {
			sum += (r.tasks[e] - before) * stair(k, size/r.capacity)
			before = r.tasks[e]
		}
		if exceeds(sum, r.nodes) {
			return true
		}
	}
	return false
}

// stair is the function u^(k) of Fekete and Schepers for a fraction of a node, slightly rounded down.
func stair(k, x float64) float64 {
	if math.IsNaN(x) {
		return 0 // nothing of nothing
	}
	x *= 1 - slop
	if steps := (k + 1) * x; steps != math.Floor(steps) {
		return math.Floor(steps) / k
	}
	return x
}
