package packing

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Options determine the levels that a search tries. The zero Options are those of MCB8: [0,1] to a
// width of 0.01.
type Options struct {
	Low, High float64 // the range, as for Levels: both 0 means [0,1]
	Accuracy  float64 // width to which it is bisected, at least a billionth of the range; 0 means 0.01
	Strict    bool    // fail a level at which some yield would be above 1; otherwise such a yield counts as 1
	Whole     bool    // map all items or none: if no level works, try ever lower ones instead of dropping items
	Workers   int     // levels tried at the same time: 2 or 3 go ahead of the bisection; fewer count as 1, more as 3

	// Stop, if not nil, is called before every node that is filled and after every 20,000 items that
	// are examined. When it returns true, the search ends with the best level found so far; if there
	// is none, all items are dropped. The only work left is then to place the tasks at that level and
	// to write the result, some tenths of a microsecond for each. Only the goroutine of the search
	// calls it.
	Stop func() bool
}

// A Result is the outcome of a search.
type Result struct {
	Mapping Mapping
	Yield   float64 // highest level at which packing succeeded, of those tried; MaxMin gives at least that
	Dropped []int   // items that are not mapped, in the order in which they were given up
	Probes  int     // levels tried
}

// Search maps items as MCB8 does: see [Options.Search].
func Search(p *Problem, order []int) Result { return Options{}.Search(p, order) }

// Search bisects the range of levels for the highest at which all items can be packed: it tries the
// middle of the remaining range until that is no wider than the accuracy, and never the ends. order
// lists all item indices from highest to lowest priority. When no level works, the last item is
// dropped and the bisection starts again.
//
// Before the first bisection, Search drops items that no subset could help: a free item that does not
// fit on empty nodes, and a pinned one that does not fit beside those of higher priority pinned to the
// same node. Then it drops the last items until the sum of the others fits into the sum of the nodes.
//
// With Whole it drops no item. If no level works, the lowest is halved until one does; from then on
// the accuracy is the same part of the range below its double. Beyond a thousandth of the range and
// the accuracy, halving continues only if all items can be packed at Low. Low is the answer when
// levels can no longer be told from it. If they cannot be packed at Low, no item is mapped.
//
// Search panics if order is not a permutation of the items. A range that is reversed or not within
// ±1e100, and an accuracy that is not above 0, count as zero.
func (o Options) Search(p *Problem, order []int) Result {
	s := o.begin(p)
	defer s.release()
	return s.run(order)
}

func (o Options) begin(p *Problem) *search {
	s := &search{Options: o.sound(), packer: packers.Get().(*packer)}
	s.probing = s.twins[:0]
	s.packer.begin(p)
	if o.Stop != nil {
		s.Pace.Stop = s.ask
	}
	return s
}

func (s *search) run(order []int) Result {
	dropped := s.admit(order, s.judged())
	if s.Whole && len(dropped) > 0 {
		dropped = append(dropped, s.none()...)
	}
	s.probing = append(s.probing, probe{packer: s.packer})
	yield, ok := s.level()
	for ; !ok; yield, ok = s.level() {
		if s.Ended || s.Whole {
			dropped = append(dropped, s.none()...)
			s.dismiss()
			continue
		}
		dropped = append(dropped, s.chosen[len(s.chosen)-1])
		for _, p := range s.probing {
			p.drop()
		}
	}
	s.winner.now, s.winner.best = s.winner.best, s.winner.now
	return Result{s.winner.mapping(), yield, dropped, s.probes}
}

// Levels returns the range of levels that options ask for: [0,1] unless low is below high and neither
// is further than 1e100 from 0.
func Levels(low, high float64) (from, to float64) {
	if low < high && isQuantity(math.Abs(low)) && isQuantity(math.Abs(high)) {
		return low, high
	}
	return 0, 1
}

func (o Options) sound() Options {
	o.Low, o.High = Levels(o.Low, o.High)
	if !(o.Accuracy > 0) {
		o.Accuracy = 0.01
	}
	o.Accuracy = max(o.Accuracy, (o.High-o.Low)*1e-9)
	return o
}

// halvings returns the number of bisections. They are counted so that rounding cannot keep a search
// from ending.
func (o Options) halvings() (n int) {
	n = 1
	for width := (o.High - o.Low) / 2; width > o.Accuracy; width /= 2 {
		n++
	}
	return n
}

// lowest returns the smallest level that a bisection tries.
func (o Options) lowest() float64 {
	level := o.High
	for range o.halvings() {
		level = (o.Low + level) / 2
	}
	return level
}

// judged returns the level at which items are admitted.
func (o Options) judged() float64 {
	if o.Whole {
		return o.Low
	}
	return o.lowest()
}

// A search bisects the level, on several packers at the same time if allowed.
type search struct {
	Options
	*packer
	probing []probe  // the levels tried last, each by a packer of its own; the first is the search's
	twins   [3]probe // backs probing
	winner  *packer  // the packer of the last success
	probes  int
	others  sync.WaitGroup
	ended   atomic.Bool // Stop has returned true
}

// A probe is a level, and whether it works.
type probe struct {
	*packer
	level float64
	ok    bool
}

// ask reports whether the search is to end, and tells the other packers.
func (s *search) ask() bool {
	over := s.Options.Stop()
	s.ended.Store(over)
	return over
}

// dismiss discards the other packers, which do not know the dropped items.
func (s *search) dismiss() {
	s.ended.Store(false)
	for _, p := range s.probing[1:] {
		p.release()
	}
	s.probing = s.probing[:1]
}

func (s *search) release() {
	for _, p := range s.probing {
		p.release()
	}
}

// level searches for the highest level that works.
func (s *search) level() (yield float64, ok bool) {
	for k := range s.probing {
		s.probing[k].sum()
		s.probing[k].level = math.NaN()
	}
	if !s.Whole {
		return s.bisect(s.High, s.halvings())
	}
	s.Descend(func(high float64, most int) bool {
		level, found := s.bisect(high, most)
		if found {
			yield, ok = level, true
		}
		return found || s.Ended
	}, func() bool {
		yield, ok = s.Low, s.try([3]float64{s.Low}, 1)
		return ok
	})
	return yield, ok
}

// bisect searches below a level, with the accuracy scaled alike, until most levels have failed before
// the first success.
func (s *search) bisect(high float64, most int) (yield float64, ok bool) {
	low := s.Low
	for left := s.halvings(); left > 0 && (ok || most > 0) && !s.Ended; left-- {
		middle := (low + high) / 2
		next := [3]float64{middle, (middle + high) / 2, (low + middle) / 2}
		if s.try(next, min(left, 2)*2-1) {
			low, ok = middle, true
		} else {
			high = middle
			most--
		}
	}
	return low, ok
}

// try reports whether the first of the levels works. The search may need the others, at most most in
// all, next; they are tried at the same time if there are workers. A level that was tried ahead is not
// tried again.
func (s *search) try(levels [3]float64, most int) bool {
	s.probes++
	k := slices.IndexFunc(s.probing, func(p probe) bool { return p.level == levels[0] })
	if k < 0 {
		s.probe(levels, min(most, max(s.Workers, 1)))
		k = 0
	}
	p := &s.probing[k]
	if p.ok {
		p.now, p.best = p.best, p.now
		s.winner, p.level = p.packer, math.NaN()
	}
	return p.ok
}

// probe tries the first levels, each on a packer of its own.
func (s *search) probe(levels [3]float64, count int) {
	for len(s.probing) < count {
		s.probing = append(s.probing, probe{packer: s.twin()})
	}
	for k := range s.probing {
		s.probing[k].level = math.NaN()
	}
	if count > 1 {
		s.ahead(levels[1:count])
	}
	s.probing[0].try(s, levels[0])
	s.others.Wait()
}

// ahead starts to try levels on the other packers.
func (s *search) ahead(levels []float64) {
	for k, level := range levels {
		s.others.Go(func() { s.probing[k+1].try(s, level) })
	}
}

func (p *probe) try(s *search, level float64) {
	p.level = level
	p.ok = !(s.Strict && s.exceeded(level)) && p.pack(level)
}

// twin returns a packer of the same items.
func (s *search) twin() *packer {
	k := packers.Get().(*packer)
	k.begin(s.p)
	for _, i := range s.chosen {
		k.choose(i)
	}
	k.sum()
	k.Stop = s.ended.Load
	return k
}

// exceeded reports whether an item would need a yield above 1.
func (s *search) exceeded(level float64) bool {
	for _, i := range s.chosen {
		if s.p.Items[i].Line.yield(level) > 1 {
			return true
		}
	}
	return false
}
