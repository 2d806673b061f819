package portfolio

import (
	"slices"

	"aliquot/packing"
)

// rescue maps all items, which MCB8 could not, at the low end of the range and then at some level
// above it. It returns false if no method or repair finds room.
func (s *search) rescue(order []int) bool {
	if !s.choose(order) {
		return false
	}
	if s.tighten(); s.Bound.Impossible || !s.try(s.Low) {
		return false
	}
	s.Dropped = nil
	const nothing = 1e-30 // of the range: lower levels cannot be told from its low end
	least := (s.High - s.Low) * nothing
	for level := s.Bound.Level; s.Yield <= s.Low && level > s.Low+least && !s.over(); {
		level = (s.Low + level) / 2
		s.try(level)
	}
	return true
}

// accuracy returns the requested width. If the level reached is below those that a bisection of the
// range tries, the width is scaled down with it.
func (s *search) accuracy() float64 {
	if s.Whole && s.Yield > s.Low && s.Yield < s.lowest() {
		return s.Accuracy * (s.Yield - s.Low) / (s.High - s.Low)
	}
	return s.Accuracy
}

// whole searches for a level at which one method maps all items: see packing.Options.Descend. It
// returns false if there is none.
func (s *search) whole(m Method, order []int) bool {
	if !s.choose(order) {
		return false
	}
	if s.tighten(); s.Bound.Impossible {
		return false
	}
	s.levels().Descend(
		func(high float64, most int) bool { return s.bisect(m, high, most) || s.over() },
		func() bool { return s.attempt(m, s.Low) },
	)
	return s.best != nil
}

// none returns the result of a search that maps no item.
func (s *search) none(order []int) Result {
	r := s.Result
	r.Mapping, r.Dropped, r.Yield = make(packing.Mapping, len(s.p.Items)), slices.Clone(order), s.Low
	slices.Reverse(r.Dropped)
	r.Steps, r.Cut = s.steps, s.over()
	return r
}
