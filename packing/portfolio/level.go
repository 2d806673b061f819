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
			nodes = append(nodes, m[i][:len(m[i])/in.p.Items[i].Unit()]...)
		}
		slices.Sort(nodes)
		for _, n := range nodes {
			a.put(k, n, 1)
		}
	}
	return a
}

// Reached is the highest level up to 1 at which a mapping holds, items that are not mapped apart.
func Reached(p *packing.Problem, m packing.Mapping) float64 {
	s := Options{}.begin(p)
	on := make([][]placement, len(p.Nodes))
	for i, nodes := range m {
		for _, n := range nodes {
			if last := len(on[n]) - 1; last >= 0 && on[n][last].kind == int32(i) {
				on[n][last].count++
			} else {
				on[n] = append(on[n], placement{int32(i), int32(n), 1})
			}
		}
	}
	return s.hold(on)
}

// reached is the highest level, up to that of the range, at which a complete attempt holds.
func (s *search) reached(a *attempt) float64 {
	on := make([][]placement, len(s.p.Nodes))
	for _, to := range a.placed {
		item := s.kinds[to.kind].item
		on[to.node] = append(on[to.node], placement{int32(item), to.node, to.count * int32(s.p.Items[item].Unit())})
	}
	for _, i := range s.fixed {
		for _, n := range s.p.Items[i].Pinned {
			on[n] = append(on[n], placement{int32(i), int32(n), 1})
		}
	}
	s.seen(len(a.placed))
	return s.hold(on)
}

// hold is the highest level, up to that of the range, at which all nodes hold tasks of items, which are named as kinds here.
func (s *search) hold(on [][]placement) float64 {
	level := s.High
	for n, tasks := range on {
		for d := range s.width {
			if s.fluid(d) {
				level = s.holds(n, d, tasks, level)
			}
		}
	}
	return level
}

// fluid says whether what tasks take of a dimension depends on the level.
func (in *tableau) fluid(d int) bool { return d == 0 || d > in.rigid }

// holds is the highest level up to one at which a node has enough of a dimension for some tasks.
func (s *search) holds(n, d int, on []placement, level float64) float64 {
	demand := func(level float64) (sum float64) {
		for _, to := range on {
			s.p.Items[to.kind].Takes(s.task, level)
			sum += float64(to.count) * s.task[d]
		}
		return sum
	}
	capacity := s.capacity[n*s.width+d]
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
