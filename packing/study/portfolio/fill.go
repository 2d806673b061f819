package portfolio

import (
	"cmp"
	"slices"
)

// fill fills the nodes one after the other: each takes the kind that suits it best of those that fit,
// while there is one. First fit is the same with every kind suiting equally: the tasks that a node
// takes from the front of a list are those for which it would be the first node with room.
func (in *tableau) fill(m Method, a *attempt, w *work) {
	queues := in.queues(m, in.sorted(m.Order))
	f := filling{tableau: in, attempt: a, work: w, choose: m.Fit == ChoosePack, window: min(m.Window, in.width),
		queues: queues}
	f.dims, f.place = make([]int, in.width), make([]int, in.width)
	f.marks = make([][]int, len(queues))
	for _, n := range in.nodesIn(m.Nodes) {
		if a.rest == 0 || w.over() {
			return
		}
		f.node(n)
	}
}

// A filling is the work of fill.
type filling struct {
	*tableau
	*attempt
	*work
	choose bool
	window int
	queues []*queue
	dims   []int   // scratch, as are the next
	place  []int   // by dimension: its rank in the node's preference, 0 first
	marks  [][]int // by queue: the places of its largest dimensions
}

func (f *filling) node(n int) {
	used, capacity := f.row(f.used, n), f.row(f.capacity, n)
	for _, q := range f.queues {
		q.at = 0
	}
	for f.rest > 0 && !f.over() {
		if len(f.queues) > 1 {
			f.rank(used, capacity)
		}
		q := f.best(n, used, capacity)
		if q == nil {
			return
		}
		k := int(q.kinds[q.at])
		add(used, f.row(f.size, k), 1)
		f.put(k, n, 1)
		if f.left[k] == 0 {
			q.fit.remove(q.at)
		}
		if f.p.Items[f.kinds[k].item].Spread {
			q.at++
		}
	}
}

// best returns the queue whose next kind suits the node best.
func (f *filling) best(n int, used, capacity []float64) (best *queue) {
	var marks []int
	for at, q := range f.queues {
		if best != nil {
			if c := slices.Compare(f.marks[at], marks); c > 0 || c == 0 && q.at < len(q.ranks) &&
				q.ranks[q.at] > best.ranks[best.at] {
				continue
			}
		}
		if !f.seek(q, n, used, capacity) {
			continue
		}
		if best == nil || cmp.Or(slices.Compare(f.marks[at], marks), cmp.Compare(q.ranks[q.at], best.ranks[best.at])) < 0 {
			best, marks = q, f.marks[at]
		}
	}
	return best
}

// seek advances a queue to the next kind that fits on a node and may go there.
func (f *filling) seek(q *queue, n int, used, capacity []float64) bool {
	for {
		q.at = q.fit.next(q.at, used, capacity, &f.steps)
		if q.at >= len(q.kinds) {
			return false
		}
		if !f.bound || f.allows(int(q.kinds[q.at]), n) {
			return true
		}
		q.at++
	}
}

func (in *tableau) allows(k, n int) bool {
	it := &in.p.Items[in.kinds[k].item]
	return it.Allowed == nil || it.Allowed[n]
}

// rank orders the queues by how well they suit a node, which prefers its least used dimensions.
func (f *filling) rank(used, capacity []float64) {
	least(f.dims, func(d int) float64 { return fraction(used[d], capacity[d]) })
	for at, d := range f.dims {
		f.place[d] = at
		if f.choose && at < f.window {
			f.place[d] = 0
		}
	}
	for at, q := range f.queues {
		marks := f.marks[at][:0]
		for _, d := range q.key {
			marks = append(marks, f.place[d])
		}
		if f.choose {
			slices.Sort(marks)
		}
		f.marks[at] = marks
	}
}

// least sorts the dimensions by value, the first of equals first: a node that has used as much CPU as
// memory prefers CPU.
func least(dims []int, value func(int) float64) {
	for d := range dims {
		at := d
		for at > 0 && value(dims[at-1]) > value(d) {
			dims[at] = dims[at-1]
			at--
		}
		dims[at] = d
	}
}

// nodesIn lists the nodes in an order.
func (in *tableau) nodesIn(o NodeOrder) []int {
	nodes, size := make([]int, len(in.p.Nodes)), make([]float64, len(in.p.Nodes))
	for n := range nodes {
		nodes[n] = n
		for d, x := range in.row(in.capacity, n) {
			size[n] += fraction(x, in.mean[d])
		}
	}
	switch o {
	case Smallest:
		slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(size[a], size[b]) })
	case Largest:
		slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	}
	return nodes
}
