package portfolio

import (
	"slices"

	"aliquot/packing"
)

// nothing is the part of the range below which levels are not told from its low end, as in package packing.
const nothing = 1e-30

// rescue maps all items at the low end of the range, which MCB8 cannot, and then at some level above it; false if no
// method or repair finds room.
func (s *search) rescue(order []int) bool {
	if !s.choose(order) {
		return false
	}
	if s.tighten(); s.Bound.Impossible || !s.try(s.Low) {
		return false
	}
	s.Dropped = nil
	least := (s.High - s.Low) * nothing
	for level := s.Bound.Level; s.Yield <= s.Low && level > s.Low+least && !s.over(); {
		level = (s.Low + level) / 2
		s.try(level)
	}
	return true
}

// accuracy is the width that is asked for or, while less was reached than a bisection of the range would find, that part of it.
func (s *search) accuracy() float64 {
	if s.Whole && s.Yield > s.Low && s.Yield < s.lowest() {
		return s.Accuracy * (s.Yield - s.Low) / (s.High - s.Low)
	}
	return s.Accuracy
}

// whole bisects the level with one method, if need be in ever lower ranges; false if it maps all items neither at a level
// that a search of the usual accuracy tries nor at the low end.
func (s *search) whole(m Method, order []int) bool {
	if !s.choose(order) {
		return false
	}
	if s.Bound = s.bounded(); s.Bound.Impossible {
		return false
	}
	found, rest := s.descend(m, 1, usual)
	if found {
		return true
	}
	if !s.attempt(m, s.Low) {
		return false
	}
	s.descend(m, rest, nothing)
	return true
}

// descend bisects ever lower parts of the range, from one down to more than another, until the method works at a level there.
// It says whether it does, and which part is left.
func (s *search) descend(m Method, from, to float64) (found bool, rest float64) {
	lower := (s.lowest() - s.Low) / (s.High - s.Low)
	for rest = from; !found && rest > to && !s.over(); rest *= lower {
		found = s.bisect(m, rest)
	}
	return found, rest
}

// none is the result of a search that maps no item.
func (s *search) none(order []int) Result {
	r := s.Result
	r.Mapping, r.Dropped, r.Yield = make(packing.Mapping, len(s.p.Items)), slices.Clone(order), s.Low
	slices.Reverse(r.Dropped)
	r.Steps, r.Cut = s.steps, s.over()
	return r
}
