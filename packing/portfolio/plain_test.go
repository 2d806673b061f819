package portfolio

import (
	"cmp"
	"slices"

	"aliquot/packing"
)

// plain is a method as its publication says it, task by task and without regard to time. It returns what every
// node has in the end, by node and dimension, or false.
func plain(p *packing.Problem, m Method, level float64) ([][]float64, bool) {
	in := newTableau(p)
	in.choose(indices(len(p.Items)))
	if !in.rise(level) {
		return nil, false
	}
	type task struct {
		item  int
		size  []float64
		share []float64
	}
	var tasks []task
	for _, k := range in.sorted(m.Order) {
		for range in.kinds[k].count {
			tasks = append(tasks, task{in.kinds[k].item, in.row(in.size, int(k)), in.row(in.share, int(k))})
		}
	}
	nodes := in.nodesIn(m.Nodes)
	used := make([][]float64, len(p.Nodes))
	for n := range used {
		used[n] = slices.Clone(in.row(in.pinned, n))
	}
	put := func(at, n int) {
		add(used[n], tasks[at].size, 1)
		tasks = slices.Delete(tasks, at, at+1)
	}
	room := func(t task, n int) bool { return fits(used[n], t.size, in.row(in.capacity, n)) }
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
			wish := slices.Clone(indices(in.width)) // what the node has used least of comes first
			slices.SortStableFunc(wish, func(a, b int) int {
				return cmp.Compare(fraction(used[n][a], in.capacity[n*in.width+a]), fraction(used[n][b], in.capacity[n*in.width+b]))
			})
			best, mark := -1, []int(nil)
			for at, t := range tasks {
				if !room(t, n) {
					continue
				}
				dims := indices(in.width) // what it takes most of comes first; equals the last first
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
