package packing

// The algorithms again, as plainly as the publication puts them and without regard to cost,
// to compare with. Plain MCB8 speaks of equal nodes with CPU and memory only.

import (
	"math"
	"slices"
	"sort"
)

type plainTask struct {
	item         int
	cpu, mem     float64
	cpuPc, memPc float64
	label        uint64
	index        int // of the task within its item
	node         int // -1: none yet
}

// plainPack looks at single tasks, and from the start of a list each time.
func plainPack(p *Problem, level float64) (Mapping, bool) {
	if len(p.Nodes) == 0 {
		return make(Mapping, len(p.Items)), len(p.Items) == 0
	}
	maxCPU, maxMem := p.Nodes[0].CPU, p.Nodes[0].Rigid[0]
	var tasks []*plainTask
	for i, it := range p.Items {
		cpu := plainDemand(it, level)
		for k := range it.Count {
			t := &plainTask{i, cpu, it.Rigid[0], cpu / maxCPU, it.Rigid[0] / maxMem, it.Label, k, -1}
			if it.Pinned != nil {
				t.node = it.Pinned[k]
			}
			tasks = append(tasks, t)
		}
	}
	var cpuList, memList []*plainTask
	for _, t := range tasks {
		if t.node >= 0 {
			continue
		}
		if t.cpuPc > t.memPc {
			cpuList = append(cpuList, t)
		} else {
			memList = append(memList, t)
		}
	}
	sortPlain(cpuList)
	sortPlain(memList)

	for n := range p.Nodes {
		for {
			cpu, mem := 0.0, 0.0
			for _, t := range tasks {
				if t.node == n {
					cpu += t.cpu
					mem += t.mem
				}
			}
			if cpu > maxCPU || mem > maxMem {
				return nil, false
			}
			pick := func(list []*plainTask) *plainTask {
				for _, t := range list {
					allowed := p.Items[t.item].Allowed
					if t.node < 0 && (allowed == nil || allowed[n]) && cpu+t.cpu <= maxCPU && mem+t.mem <= maxMem {
						return t
					}
				}
				return nil
			}
			lists := [][]*plainTask{cpuList, memList}
			if cpu/maxCPU > mem/maxMem {
				lists = [][]*plainTask{memList, cpuList}
			}
			t := pick(lists[0])
			if t == nil {
				t = pick(lists[1])
			}
			if t == nil {
				break
			}
			t.node = n
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
func plainSearch(p *Problem, order []int) (m Mapping, yield float64, dropped []int) {
	kept := append([]int(nil), order...)
	drop := func() {
		dropped = append(dropped, kept[len(kept)-1])
		kept = kept[:len(kept)-1]
	}
	memory := func() (sum float64) {
		for _, i := range kept {
			sum += float64(p.Items[i].Count) * p.Items[i].Rigid[0]
		}
		return sum
	}
	for memory() > float64(len(p.Nodes))*p.Nodes[0].Rigid[0] {
		drop()
	}
	for {
		sub, chosen := &Problem{Nodes: p.Nodes}, slices.Sorted(slices.Values(kept))
		for _, i := range chosen {
			sub.Items = append(sub.Items, p.Items[i])
		}
		best, yield, found := Mapping(nil), 0.0, false
		for step := 0.5; step >= 1.0/128; step /= 2 {
			if got, ok := plainPack(sub, yield+step); ok {
				best, yield, found = got, yield+step, true
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
