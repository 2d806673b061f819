package packing

// The algorithms again, as plainly as possible and without regard to cost, to compare with: they
// look at single tasks, from the start of a list each time, and take no shortcut.

import (
	"math"
	"slices"
	"sort"
)

type plainTask struct {
	item         int
	needs        []float64 // CPU, then the rigid dimensions
	cpuPc, memPc float64   // of the mean node; memory stands for the largest rigid requirement
	label        uint64
	index        int // of the task within its item
	node         int // -1: none yet
}

// plainPack is the published algorithm on equal nodes with CPU and memory.
func plainPack(p *Problem, level float64) (Mapping, bool) {
	mean := make([]float64, p.width())
	for d := range mean {
		capacities := make([]float64, 0, len(p.Nodes))
		for n := range p.Nodes {
			capacities = append(capacities, plainCapacity(p, n)[d])
		}
		mean[d] = plainMean(capacities)
	}
	var tasks, cpuList, memList []*plainTask
	for i, it := range p.Items {
		needs := append([]float64{plainDemand(it, level)}, it.Rigid...)
		for k := range it.Count {
			t := &plainTask{item: i, needs: needs, label: it.Label, index: k, node: -1}
			tasks = append(tasks, t)
			t.cpuPc, t.memPc = plainPercent(needs[:1], mean), plainPercent(needs[1:], mean[1:])
			switch {
			case it.Pinned != nil:
				t.node = it.Pinned[k]
			case t.cpuPc > t.memPc:
				cpuList = append(cpuList, t)
			default:
				memList = append(memList, t)
			}
		}
	}
	sortPlain(cpuList)
	sortPlain(memList)
	for n := range p.Nodes {
		if !plainFill(p, n, tasks, cpuList, memList) {
			return nil, false
		}
	}
	m := make(Mapping, len(p.Items))
	for _, t := range tasks {
		if t.node < 0 {
			return nil, false
		}
		m[t.item] = append(m[t.item], t.node)
	}
	return m, true
}

// plainFill returns false if what is pinned to the node exceeds it.
func plainFill(p *Problem, n int, tasks, cpuList, memList []*plainTask) bool {
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
		pick := func(list []*plainTask) *plainTask {
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
		lists := [][]*plainTask{cpuList, memList}
		if plainPercent(used[:1], capacity) > plainPercent(used[1:], capacity[1:]) {
			lists = [][]*plainTask{memList, cpuList}
		}
		t := pick(lists[0])
		if t == nil {
			t = pick(lists[1])
		}
		if t == nil {
			return true
		}
		t.node = n
	}
}

func plainCapacity(p *Problem, n int) []float64 {
	return append([]float64{p.Nodes[n].CPU}, p.Nodes[n].Rigid...)
}

func plainMean(values []float64) (mean float64) {
	for k, v := range values {
		mean += (v - mean) / float64(k+1)
	}
	return mean
}

func plainPercent(needs, capacity []float64) (most float64) {
	for d, x := range needs {
		if x > 0 {
			most = max(most, x/capacity[d])
		}
	}
	return most
}

func plainDemand(it Item, level float64) float64 {
	yield, cpu := plainYield(it, level), it.Line.Idle
	if yield > 0 {
		cpu = yield * it.Need
	}
	return math.Min(math.Max(cpu, it.MinCPU), it.Need)
}

func sortPlain(list []*plainTask) {
	sort.SliceStable(list, func(a, b int) bool {
		s, t := list[a], list[b]
		if x, y := max(s.cpuPc, s.memPc), max(t.cpuPc, t.memPc); x != y {
			return x > y
		}
		if x, y := min(s.cpuPc, s.memPc), min(t.cpuPc, t.memPc); x != y {
			return x > y
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

// plainSearch is the published search, without regard to items that cannot be mapped anywhere.
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
	for d := range p.width() - 1 {
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
		if o.Full && high == o.High {
			try(high)
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

// plainMaxMin raises all items that can be raised together by bisecting the level at which
// the first node is full, again and again.
func plainMaxMin(p *Problem, m Mapping) []float64 {
	const bottom, top = -8, 8 // beyond the lines that are drawn
	yields := make([]float64, len(p.Items))
	final := make([]bool, len(p.Items))
	at := func(i int, level float64) float64 {
		if m[i] == nil {
			return 0
		}
		if final[i] {
			return yields[i]
		}
		return min(1, max(plainYield(p.Items[i], level), p.Items[i].floor()))
	}
	free := func(n int, level float64) float64 {
		spare := p.Nodes[n].CPU
		for i := range m {
			for _, to := range m[i] {
				if to == n {
					spare -= at(i, level) * p.Items[i].Need
				}
			}
		}
		return spare
	}
	enough := func(level float64) bool {
		for n := range p.Nodes {
			if free(n, level) < min(0, free(n, bottom)) {
				return false
			}
		}
		return true
	}
	for range p.Items {
		low, high := float64(bottom), 2.0*top // above top nothing holds the level up
		for range 60 {
			if middle := (low + high) / 2; enough(min(middle, top)) {
				low = middle
			} else {
				high = middle
			}
		}
		low = min(low, top)
		for n := range p.Nodes {
			if low < top && free(n, low) > 1e-9*p.Nodes[n].CPU {
				continue
			}
			for i := range m {
				waits := p.Items[i].floor() - plainYield(p.Items[i], low)
				if slices.Contains(m[i], n) && waits <= 1e-12 && !final[i] {
					yields[i], final[i] = at(i, low), true
				}
			}
		}
	}
	for i := range m {
		yields[i] = at(i, top)
	}
	return yields
}

func plainYield(it Item, level float64) float64 {
	if it.Line.Slope == 0 && it.Line.Base == 0 {
		return level
	}
	return it.Line.Slope*level + it.Line.Base
}
