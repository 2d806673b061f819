package packing

// accuracy is the width to which the yield is bisected, and lowest the smallest yield
// that the bisection of [0,1] tries: no mapping is sought below it.
const (
	accuracy = 0.01
	lowest   = 1.0 / 128
)

// A Result is the outcome of a search.
type Result struct {
	Mapping Mapping
	Yield   float64 // highest level in [0,1] at which packing succeeded; MaxMin gives at least that
	Dropped []int   // items that are not mapped, in the order in which they were given up
	Probes  int     // levels tried
}

// Search bisects the yield from 0.5 to a width of 0.01 for the highest level at which all
// items can be packed; where every level below 1 that it tried worked, it tries 1 as well.
// order lists all item indices from highest to lowest priority: when no level works, the
// last is dropped and the bisection starts again. Before, it drops the last items until the
// sum of the others fits into the sum of the nodes; and before that, so that they take
// nobody with them, items that no subset could help: a free item that would not fit on empty
// nodes, and a pinned one that does not fit beside those of higher priority pinned to the
// same node. Search panics if order is not a permutation of the items.
func Search(p *Problem, order []int) Result {
	chosen, dropped := p.admissible(order)
	s := search{packer: newPacker(p, chosen)}
	s.best = make([]int, len(s.nodes))
	yield, ok := s.bisect()
	for ; !ok; yield, ok = s.bisect() {
		last := s.chosen[len(s.chosen)-1]
		s.drop(last)
		dropped = append(dropped, last)
	}
	return Result{s.mapping(s.best), yield, dropped, s.probes}
}

// A search is a packer that remembers the last success.
type search struct {
	*packer
	best   []int // by task: its node, when packing last succeeded
	probes int
}

func (s *search) bisect() (yield float64, ok bool) {
	low, high := 0.0, 1.0
	for high-low > accuracy {
		if middle := (low + high) / 2; s.try(middle) {
			low, ok = middle, true
		} else {
			high = middle
		}
	}
	if high == 1 && s.try(1) {
		low = 1
	}
	return low, ok
}

func (s *search) try(level float64) bool {
	s.probes++
	ok := s.pack(level)
	if ok {
		copy(s.best, s.nodes)
	}
	return ok
}
