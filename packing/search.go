package packing

import "math"

// Options say which levels a search tries. The zero Options are those of MCB8: [0,1] to a width
// of 0.01.
type Options struct {
	Low, High float64 // the range; both 0 stand for [0,1]
	Accuracy  float64 // width to which it is bisected, at least a billionth of it; 0 stands for 0.01
	Strict    bool    // fail a level at which some yield would be above 1, which counts as 1 otherwise
	Full      bool    // try High too, where every level below it that was tried worked

	// Stop, if not nil, is asked before every node that is filled; from when it says true, what was found is all that
	// there is, and where that is nothing, all items are dropped.
	Stop func() bool
}

// A Result is the outcome of a search.
type Result struct {
	Mapping Mapping
	Yield   float64 // highest level of the range at which packing succeeded; MaxMin gives at least that
	Dropped []int   // items that are not mapped, in the order in which they were given up
	Probes  int     // levels tried
}

// Search maps items as MCB8 does: see [Options.Search].
func Search(p *Problem, order []int) Result { return Options{}.Search(p, order) }

// Search bisects the range of levels for the highest at which all items can be packed: it
// tries the middle of what is left until that is no wider than the accuracy, and never the ends,
// unless Full is set. order lists all item indices from highest to lowest priority: when no
// level works, the last is dropped and the bisection starts again. Before, it drops the last
// items until the sum of the others fits into the sum of the nodes; and before that, so that
// they take nobody with them, items that no subset could help: a free item that would not fit
// on empty nodes, and a pinned one that does not fit beside those of higher priority pinned to
// the same node. Search panics if order is not a permutation of the items, and takes a range
// that is upside down, or not within ±1e100, and an accuracy that is not above 0 for the zero ones.
func (o Options) Search(p *Problem, order []int) Result {
	o = o.sound()
	s := search{Options: o, packer: packers.Get().(*packer)}
	defer s.release()
	s.begin(p)
	s.stop = o.Stop
	dropped := s.admit(order, o.lowest())
	yield, ok := s.bisect()
	for ; !ok && len(s.chosen) > 0; yield, ok = s.bisect() {
		if s.stopped {
			dropped = append(dropped, s.none()...)
		} else {
			dropped = append(dropped, s.drop())
		}
	}
	s.now, s.best = s.best, s.now
	return Result{s.mapping(), yield, dropped, s.probes}
}

func (o Options) sound() Options {
	if !(o.Low < o.High && isQuantity(math.Abs(o.Low)) && isQuantity(math.Abs(o.High))) {
		o.Low, o.High = 0, 1
	}
	if !(o.Accuracy > 0) {
		o.Accuracy = 0.01
	}
	o.Accuracy = max(o.Accuracy, (o.High-o.Low)*1e-9)
	return o
}

// halvings is how often the range is bisected; counted, so that rounding cannot keep it from ending.
func (o Options) halvings() (n int) {
	n = 1
	for width := (o.High - o.Low) / 2; width > o.Accuracy; width /= 2 {
		n++
	}
	return n
}

// lowest is the smallest level that a bisection tries.
func (o Options) lowest() float64 {
	level := o.High
	for range o.halvings() {
		level = (o.Low + level) / 2
	}
	return level
}

// A search is a packer that remembers the last success.
type search struct {
	Options
	*packer
	probes int
}

func (s *search) bisect() (yield float64, ok bool) {
	s.sum()
	low, high := s.Low, s.High
	for range s.halvings() {
		if s.stopped {
			break
		}
		if middle := (low + high) / 2; s.try(middle) {
			low, ok = middle, true
		} else {
			high = middle
		}
	}
	if s.Full && high == s.High && s.try(high) {
		low, ok = high, true
	}
	return low, ok
}

func (s *search) try(level float64) bool {
	s.probes++
	ok := !(s.Strict && s.exceeded(level)) && s.pack(level)
	if ok {
		s.now, s.best = s.best, s.now
	}
	return ok
}

// exceeded says whether an item would need a yield above 1.
func (s *search) exceeded(level float64) bool {
	for _, i := range s.chosen {
		if s.p.Items[i].Line.yield(level) > 1 {
			return true
		}
	}
	return false
}
