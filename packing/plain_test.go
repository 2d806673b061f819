package packing

// This file implements the algorithms once more, as plainly as possible and without regard to cost,
// for comparison: single tasks, from the start of a list each time, no shortcut.

import (
	"math"
	"slices"
	"sort"
)

// plainTask is one task, or all tasks of an item that must be together.
type plainTask struct {
	item     int
	tasks    int       // number of tasks
	needs    []float64 // CPU, the rigid dimensions, then the other fluid ones
	fraction []float64 // the same, of the mean node
	label    uint64
	index    int // within its item
	node     int // -1: none yet
}

// plainPack is MCB8 for two dimensions, permutation pack with a window of 1 for more.
func plainPack(p *Problem, level float64) (Mapping, bool) {
	mean := make([]float64, p.width())
	for d := range mean {
		capacities := make([]float64, 0, len(p.Nodes))
		for n := range p.Nodes {
			capacities = append(capacities, plainCapacity(p, n)[d])
		}
		mean[d] = plainMean(capacities)
	}
	var tasks []*plainTask
	lists := make([][]*plainTask, p.width())
	for i, it := range p.Items {
		needs, count := plainNeeds(p, it, level), 1
		if it.Together && it.Pinned == nil {
			count = it.Count
			for d := range needs {
				needs[d] *= float64(count)
			}
		}
		for k := range it.Count / count {
			t := &plainTask{item: i, tasks: count, needs: needs, label: it.Label, index: k, node: -1}
			for d := range needs {
				t.fraction = append(t.fraction, plainPercent(needs[d], mean[d]))
			}
			tasks = append(tasks, t)
			if it.Pinned != nil {
				t.node = it.Pinned[k]
				continue
			}
			largest := 0
			for d, f := range t.fraction {
				if f >= t.fraction[largest] {
					largest = d
				}
			}
			lists[largest] = append(lists[largest], t)
		}
	}
	for _, list := range lists {
		sortPlain(list)
	}
	for n := range p.Nodes {
		if !plainFill(p, n, tasks, lists) {
			return nil, false
		}
	}
	m := make(Mapping, len(p.Items))
	for _, t := range tasks {
		if t.node < 0 {
			return nil, false
		}
		for range t.tasks {
			m[t.item] = append(m[t.item], t.node)
		}
	}
	return m, true
}

// plainNeeds returns one task's use of every dimension at a level.
func plainNeeds(p *Problem, it Item, level float64) []float64 {
	cpu := plainDemand(it, level)
	needs := append([]float64{cpu}, it.Rigid...)
	yield := min(max(plainYield(it, level), 0), 1)
	if it.Need > 0 {
		yield = cpu / it.Need
	}
	for d := range p.Nodes[0].Fluid {
		amount := 0.0
		if it.Fluid != nil {
			f := it.Fluid[d]
			amount = f.Slope*yield + f.Base
			if f.Most > 0 {
				amount = min(amount, f.Most)
			}
			amount = max(amount, f.Least)
		}
		needs = append(needs, amount)
	}
	return needs
}

// plainFill returns false if the tasks pinned to the node exceed it.
func plainFill(p *Problem, n int, tasks []*plainTask, lists [][]*plainTask) bool {
	capacity := plainCapacity(p, n)
	for {
		used := make([]float64, p.width())
		on := map[int]bool{}
		for _, t := range tasks {
			if t.node == n {
				on[t.item] = true
				for d, x := range t.needs {
					used[d] += x
				}
			}
		}
		for d := range used {
			if used[d] > capacity[d] {
				return false
			}
		}
		dims := all(len(lists))
		sort.SliceStable(dims, func(a, b int) bool {
			return plainPercent(used[dims[a]], capacity[dims[a]]) < plainPercent(used[dims[b]], capacity[dims[b]])
		})
		var t *plainTask
		for _, d := range dims {
			if t == nil {
				t = plainFirst(p, n, lists[d], used, capacity, on)
			}
		}
		if t == nil {
			return true
		}
		t.node = n
	}
}

// plainFirst returns the first task of a list that may run on the node and fits.
func plainFirst(p *Problem, n int, list []*plainTask, used, capacity []float64, on map[int]bool) *plainTask {
	for _, t := range list {
		it := p.Items[t.item]
		ok := t.node < 0 && it.allows(n) && !(it.Spread && on[t.item])
		for d, x := range t.needs {
			ok = ok && used[d]+x <= capacity[d]
		}
		if ok {
			return t
		}
	}
	return nil
}

func plainCapacity(p *Problem, n int) []float64 {
	return slices.Concat([]float64{p.Nodes[n].CPU}, p.Nodes[n].Rigid, p.Nodes[n].Fluid)
}

func plainMean(values []float64) (mean float64) {
	for k, v := range values {
		mean += (v - mean) / float64(k+1)
	}
	return mean
}

func plainPercent(need, capacity float64) float64 {
	if need == 0 {
		return 0
	}
	return need / capacity
}

func plainDemand(it Item, level float64) float64 {
	yield, cpu := plainYield(it, level), it.Line.Idle
	if yield > 0 {
		cpu = yield * it.Need
	}
	return math.Min(math.Max(cpu, it.MinCPU), it.Need)
}

// sortPlain sorts by the largest fraction, then by the next.
func sortPlain(list []*plainTask) {
	sort.SliceStable(list, func(a, b int) bool {
		s, t := list[a], list[b]
		x, y := slices.Sorted(slices.Values(s.fraction)), slices.Sorted(slices.Values(t.fraction))
		for last := len(x) - 1; last >= max(0, len(x)-2); last-- {
			if x[last] != y[last] {
				return x[last] > y[last]
			}
		}
		if s.label != t.label {
			return s.label > t.label
		}
		if s.item != t.item {
			return s.item > t.item
		}
		return s.index < t.index
	})
}

// plainSearch is the published search. It does not treat items specially that cannot be mapped
// anywhere.
func plainSearch(p *Problem, o Options, order []int) (m Mapping, yield float64, dropped []int) {
	kept := append([]int(nil), order...)
	drop := func() {
		dropped = append(dropped, kept[len(kept)-1])
		kept = kept[:len(kept)-1]
	}
	rigid := func(d int) (sum float64) {
		for _, i := range kept {
			sum += float64(p.Items[i].Count) * p.Items[i].Rigid[d]
		}
		for _, node := range p.Nodes {
			sum -= node.Rigid[d]
		}
		return sum
	}
	for d := range len(p.Nodes[0].Rigid) {
		for rigid(d) > 0 {
			drop()
		}
	}
	for {
		sub, chosen := &Problem{Nodes: p.Nodes}, slices.Sorted(slices.Values(kept))
		for _, i := range chosen {
			sub.Items = append(sub.Items, p.Items[i])
		}
		best, yield, found := Mapping(nil), o.Low, false
		try := func(level float64) bool {
			for _, it := range sub.Items {
				if o.Strict && plainYield(it, level) > 1 {
					return false
				}
			}
			got, ok := plainPack(sub, level)
			if ok {
				best, yield, found = got, level, true
			}
			return ok
		}
		high := o.High
		for width := o.High - o.Low; width > o.Accuracy; width /= 2 {
			if middle := (yield + high) / 2; !try(middle) {
				high = middle
			}
		}
		if found {
			m = make(Mapping, len(p.Items))
			for k, i := range chosen {
				m[i] = best[k]
			}
			return m, yield, dropped
		}
		drop()
	}
}

func plainYield(it Item, level float64) float64 {
	if it.Line.Slope == 0 && it.Line.Base == 0 {
		return level
	}
	return it.Line.Slope*level + it.Line.Base
}
