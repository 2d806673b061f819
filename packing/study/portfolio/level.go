package portfolio

import (
	"slices"

	"aliquot/packing"
)

// attemptOf returns a mapping of the chosen items as an attempt.
func (in *tableau) attemptOf(m packing.Mapping) *attempt {
	a, nodes := new(attempt), []int(nil)
	in.clear(a)
	a.from = m
	for k := range in.kinds {
		nodes = nodes[:0]
		for _, i := range in.member(k) {
			nodes = append(nodes, m[i][:len(m[i])/in.p.Items[i].Unit()]...)
		}
		slices.Sort(nodes)
		for _, n := range nodes {
			a.put(k, n, 1)
		}
	}
	return a
}

// Reached returns the highest level up to 1 at which a mapping holds, ignoring items that are not
// mapped.
func Reached(p *packing.Problem, m packing.Mapping) float64 {
	var on []placement
	for i, nodes := range m {
		for _, n := range nodes[:len(nodes)/p.Items[i].Unit()] {
			on = append(on, placement{int32(i), int32(n), 1})
		}
	}
	return Options{}.begin(p).hold(newRoster(len(p.Nodes), on))
}

// reached returns the highest level within the range at which a complete attempt holds.
func (s *search) reached(a *attempt) float64 {
	s.Seen(len(a.placed))
	on := make([]placement, 0, len(a.placed)+len(s.fixed))
	for _, to := range a.placed {
		on = append(on, placement{s.kinds[to.kind].item, to.node, to.count})
	}
	for _, i := range s.fixed {
		for _, n := range s.p.Items[i].Pinned {
			on = append(on, placement{int32(i), int32(n), 1})
		}
	}
	return s.hold(newRoster(len(s.p.Nodes), on))
}

// A roster lists placements of items, which stand for kinds here, by node.
type roster struct {
	first  []int32 // by node
	placed []placement
}

func newRoster(nodes int, placed []placement) roster {
	r := roster{make([]int32, nodes+2), make([]placement, len(placed))}
	for _, to := range placed {
		r.first[to.node+2]++
	}
	for n := range nodes {
		r.first[n+2] += r.first[n+1]
	}
	for _, to := range placed {
		r.placed[r.first[to.node+1]] = to
		r.first[to.node+1]++
	}
	return r
}

// hold returns the highest level within the range at which all nodes can hold their tasks.
func (s *search) hold(on roster) float64 {
	level := s.High
	for n := range s.p.Nodes {
		for d := range s.width {
			if s.fluid(d) {
				level = s.holds(n, d, on.placed[on.first[n]:on.first[n+1]], level)
			}
		}
	}
	return level
}

// fluid reports whether the use of a dimension depends on the level.
func (in *tableau) fluid(d int) bool { return d == 0 || d > in.rigid }

// holds returns the highest level up to the given one at which a node has enough of a dimension for
// its tasks.
func (s *search) holds(n, d int, on []placement, level float64) float64 {
	demand := func(level float64) (sum float64) {
		for _, to := range on {
			it := &s.p.Items[to.kind]
			tasks := float64(int(to.count) * it.Unit())
			if d == 0 {
				sum += tasks * it.Share(level)
				continue
			}
			it.Takes(s.task, level)
			sum += tasks * s.task[d]
		}
		return sum
	}
	capacity := s.capacity[n*s.width+d]
	if demand(level) <= capacity {
		return level
	}
	// If demand is a multiple of the level, this guess is exact.
	guess := level * capacity / demand(level)
	if at := demand(guess); at <= capacity*(1+1e-12) && at >= capacity*(1-1e-12) && at > 0 &&
		demand(guess*(1+1e-6)) >= at*(1+1e-6)*(1-1e-12) {
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
