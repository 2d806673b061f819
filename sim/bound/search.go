package bound

import "slices"

// search looks for sets of requests that starve.
type search struct {
	capacity float64 // millicores
	effort   Effort
}

// cut finds a set that starves at the stretch, and how far up it does; of those that come up
// the one that reaches highest. It is false if all can be done in time.
func (s *search) cut(all []request, stretch float64) (cut, bool) {
	s.effort.Probes++
	parts := contention(all, s.capacity, stretch).parts()
	best, ok := s.highest(parts, stretch)
	if !ok {
		// No part starves as a whole, but some of its claims may.
		best, ok = s.highest(s.starvelings(parts), stretch)
	}
	if ok {
		s.effort.Cuts++
	}
	return best, ok
}

// highest is the cut that bounds best among those cores that starve.
func (s *search) highest(cores []core, stretch float64) (best cut, ok bool) {
	for _, c := range cores {
		set := c.requests()
		if !starves(set, s.capacity, stretch) {
			continue
		}
		if limit := limit(set, s.capacity, stretch); limit > best.stretch {
			best, ok = cut{set, limit}, true
		}
	}
	return best, ok
}

// starvelings are, for every part that cannot be done in time, its minimum cut.
func (s *search) starvelings(parts []core) (out []core) {
	for _, part := range parts {
		lacks := part.sweep(s.capacity, func(int, int, float64) {})
		if !slices.ContainsFunc(lacks, worthwhile) {
			continue
		}
		f := newFlow(part, s.capacity)
		if !f.complete() {
			out = append(out, f.reached())
		}
		s.effort.add(f.effort)
	}
	return out
}

func (e *Effort) add(o Effort) {
	e.Flows++
	e.Phases += o.Phases
	e.Paths += o.Paths
	e.Scans += o.Scans
	e.Cells = max(e.Cells, o.Cells)
}
