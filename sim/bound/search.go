package bound

import "slices"

// search finds sets of requests that starve.
type search struct {
	capacity float64 // millicores
	effort   Effort
}

// cut returns a set that starves at the stretch, and the limit up to which it does. Of several sets it returns the
// one with the highest limit. It reports false if no set starves.
func (s *search) cut(all []request, stretch float64) (cut, bool) {
	s.effort.Probes++
	parts := contention(all, s.capacity, stretch).parts()
	best, ok := s.highest(parts, stretch)
	if !ok {
		// No part starves as a whole, but some of its claims may.
		best, ok = s.highest(s.starvingParts(parts), stretch)
	}
	if ok {
		s.effort.Cuts++
	}
	return best, ok
}

// highest returns the cut with the highest limit among the cores that starve.
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

// starvingParts returns the minimum cut of every part that cannot be completed in time.
func (s *search) starvingParts(parts []core) (out []core) {
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
