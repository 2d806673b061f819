package portfolio

import (
	"slices"

	"aliquot/packing"
)

// attemptOf is a mapping of the chosen items as an attempt that found it.
func (in *tableau) attemptOf(m packing.Mapping) *attempt {
	a := new(attempt)
	in.clear(a)
	for k := range in.kinds {
		var nodes []int
		for _, i := range in.kinds[k].member {
			nodes = append(nodes, m[i]...)
		}
		slices.Sort(nodes)
		for _, n := range nodes {
			a.put(k, n, 1)
		}
	}
	return a
}

// reached is the highest level, up to that of the range, at which a complete attempt holds.
func (s *search) reached(a *attempt) float64 {
	tasks := make([][]placement, len(s.p.Nodes))
	for _, to := range a.placed {
		tasks[to.node] = append(tasks[to.node], placement{int32(s.kinds[to.kind].item), to.node, to.count})
	}
	for _, i := range s.fixed {
		for _, n := range s.p.Items[i].Pinned {
			tasks[n] = append(tasks[n], placement{int32(i), int32(n), 1})
		}
	}
	level := s.High
	for n, on := range tasks {
		level = s.holds(n, on, level)
	}
	return level
}

// holds is the highest level up to one at which a node holds some tasks.
func (s *search) holds(n int, on []placement, level float64) float64 {
	demand := func(level float64) (sum float64) {
		for _, to := range on {
			sum += float64(to.count) * s.p.Items[to.kind].Demand(level)
		}
		return sum
	}
	capacity := s.p.Nodes[n].CPU
	if demand(level) <= capacity {
		return level
	}
	// Where demand is a multiple of the level, this is it.
	guess := level * capacity / demand(level)
	if at := demand(guess); at <= capacity*(1+1e-12) && at >= capacity*(1-1e-12) && at > 0 && demand(guess*(1+1e-6)) >= at*(1+1e-6)*(1-1e-12) {
		return max(s.Low, guess)
	}
	low, high := s.Low, level
	for range 60 {
		if middle := (low + high) / 2; demand(middle) <= capacity {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
