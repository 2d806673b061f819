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
	if s.Bound = s.bounded(); s.Bound.Impossible || !s.try(s.Low) {
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

// sharpen makes the accuracy a part of what was reached, where that is less than a bisection of the range would find.
func (s *search) sharpen() {
	if s.Whole && s.Yield > s.Low && s.Yield < s.lowest() {
		s.Accuracy *= (s.Yield - s.Low) / (s.High - s.Low)
	}
}

// whole bisects the level with one method, if need be in ever lower ranges; false if it does not map all items even at
// the low end.
func (s *search) whole(m Method, order []int) bool {
	if !s.choose(order) {
		return false
	}
	if s.Bound = s.bounded(); s.Bound.Impossible {
		return false
	}
	if s.bisect(m) {
		return true
	}
	if !s.attempt(m, s.Low) {
		return false
	}
	before, least := s.Options, (s.High-s.Low)*nothing
	for found := false; !found && s.lowest() > s.Low+least && !s.over(); {
		lowest := s.lowest()
		s.High, s.Accuracy = lowest, s.Accuracy*(lowest-s.Low)/(s.High-s.Low)
		found = s.bisect(m)
	}
	s.Options = before
	return true
}

// none is the result of a search that maps no item.
func (s *search) none(order []int) Result {
	r := s.Result
	r.Mapping, r.Dropped, r.Yield = make(packing.Mapping, len(s.p.Items)), slices.Clone(order), s.Low
	slices.Reverse(r.Dropped)
	r.Steps, r.Cut = s.steps, s.over()
	return r
}
