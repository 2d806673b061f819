package portfolio

import (
	"cmp"
	"slices"

	"aliquot/packing"
)

// A plainTask is one task with its sort keys.
type plainTask struct {
	size  []float64
	share []float64 // of the mean node
	keys  []float64 // the largest first
	age   int       // of the youngest item with such tasks; 0 is the last submitted
}

// plainTasks lists all tasks in the order of a method: larger keys first, then the last submitted.
// Identical tasks are adjacent.
func plainTasks(p *packing.Problem, o Order, level float64) (tasks []plainTask) {
	mean := newTableau(p).mean
	for i := range p.Items {
		it, t := &p.Items[i], plainTask{size: make([]float64, len(mean))}
		it.Takes(t.size, level)
		for d, x := range t.size {
			t.share = append(t.share, fraction(x, mean[d]))
		}
		t.keys = plainKeys(o, t.share)
		for j := range p.Items {
			other := &p.Items[j]
			if it.Need == other.Need && it.MinCPU == other.MinCPU && slices.Equal(it.Rigid, other.Rigid) {
				t.age = len(p.Items) - 1 - j // labels grow with the index
			}
		}
		tasks = append(tasks, slices.Repeat([]plainTask{t}, it.Count)...)
	}
	slices.SortStableFunc(tasks, func(a, b plainTask) int {
		return cmp.Or(slices.Compare(b.keys, a.keys), cmp.Compare(a.age, b.age))
	})
	return tasks
}

// plainKeys returns the values that the published orders compare, then those that decide ties.
func plainKeys(o Order, share []float64) []float64 {
	most, least, sum := slices.Max(share), slices.Min(share), 0.0
	for _, x := range share {
		sum += x
	}
	descending := slices.Sorted(slices.Values(share))
	slices.Reverse(descending)
	backward := slices.Clone(share)
	slices.Reverse(backward)
	return map[Order][]float64{
		Max: descending[:min(2, len(share))], Sum: {sum, most}, Ratio: {fraction(most, least), most},
		Difference: {most - least, most},
		Lex:        share, RigidLex: backward,
	}[o]
}

// plainNodes lists the nodes in the order of a method: by the sum of their capacities, as fractions of
// the mean node.
func plainNodes(p *packing.Problem, o NodeOrder) []int {
	mean, total := newTableau(p).mean, make([]float64, len(p.Nodes))
	for n, node := range p.Nodes {
		for d, x := range append([]float64{node.CPU}, node.Rigid...) {
			total[n] += fraction(x, mean[d])
		}
	}
	sign := map[NodeOrder]float64{AsGiven: 0, Smallest: 1, Largest: -1}[o]
	nodes := indices(len(p.Nodes))
	slices.SortStableFunc(nodes, func(a, b int) int { return cmp.Compare(sign*total[a], sign*total[b]) })
	return nodes
}

// plain follows the publication of a method task by task, without regard to time. It returns the final
// use by node and dimension, or false.
func plain(p *packing.Problem, m Method, level float64) ([][]float64, bool) {
	in, tasks, nodes := newTableau(p), plainTasks(p, m.Order, level), plainNodes(p, m.Nodes)
	used := make([][]float64, len(p.Nodes))
	for n := range used {
		used[n] = make([]float64, in.width)
	}
	put := func(at, n int) {
		add(used[n], tasks[at].size, 1)
		tasks = slices.Delete(tasks, at, at+1)
	}
	room := func(t plainTask, n int) bool { return fits(used[n], t.size, in.row(in.capacity, n)) }
	left := func(n int) (sum float64) {
		for d, x := range used[n] {
			sum += fraction(in.capacity[n*in.width+d]-x, in.mean[d])
		}
		return sum
	}
	if m.Fit == FirstFit || m.Fit == BestFit {
		for len(tasks) > 0 {
			best := -1
			for _, n := range nodes {
				if room(tasks[0], n) && (best < 0 || m.Fit == BestFit && left(n) < left(best)) {
					best = n
				}
			}
			if best < 0 {
				return used, false
			}
			put(0, best)
		}
		return used, true
	}
	window := min(m.Window, in.width)
	for _, n := range nodes {
		for {
			wish := slices.Clone(indices(in.width)) // its least used dimension comes first
			slices.SortStableFunc(wish, func(a, b int) int {
				return cmp.Compare(fraction(used[n][a], in.capacity[n*in.width+a]), fraction(used[n][b], in.capacity[n*in.width+b]))
			})
			best, mark := -1, []int(nil)
			for at, t := range tasks {
				if !room(t, n) {
					continue
				}
				dims := indices(in.width) // its largest dimension comes first, the last of equals first
				slices.SortStableFunc(dims, func(a, b int) int { return cmp.Or(cmp.Compare(t.share[b], t.share[a]), b-a) })
				var places []int
				for _, d := range dims[:window] {
					place := slices.Index(wish, d)
					if m.Fit == ChoosePack && place < window {
						place = 0
					}
					places = append(places, place)
				}
				if m.Fit == ChoosePack {
					slices.Sort(places)
				}
				if best < 0 || slices.Compare(places, mark) < 0 {
					best, mark = at, places
				}
			}
			if best < 0 {
				break
			}
			put(best, n)
		}
	}
	return used, len(tasks) == 0
}

func indices(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
