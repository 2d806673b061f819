package cluster

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// calendar is a persistent set of shifts, with sums over all before a time. The cost of a change or of a sum grows with
// the logarithm of their number. It is a treap (Seidel and Aragon, 1996) whose priorities are hashes, so that its shape
// depends on its contents only.
type calendar struct {
	shift
	sum         taken // of all shifts of this calendar
	count       int
	left, right *calendar // nil: there is none
}

// shift is what a promise changes of the CPU that is promised of all nodes together: as it falls due and as it ends.
type shift struct {
	at  Time
	job JobID
	cpu CPU // above 0 as the promise falls due, below as it ends
}

func (x shift) compare(y shift) int {
	return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.job, y.job), cmp.Compare(x.cpu, y.cpu))
}

// priority returns a hash of the shift (the finalizer of SplitMix64).
func (x shift) priority() uint64 {
	h := uint64(x.at)*0x9e3779b97f4a7c15 + uint64(x.job)*0xd1b54a32d192ed03 + uint64(x.cpu)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// taken are sums over shifts.
type taken struct {
	cpu     CPU
	moments cpuTime // of CPU times time, modulo 2^128
}

func (x taken) plus(y taken) taken { return taken{x.cpu + y.cpu, x.moments.plus(y.moments)} }

func (x shift) taken() taken { return taken{x.cpu, signed(int64(x.cpu), int64(x.at))} }

// all returns the sums over the calendar.
func (c *calendar) all() taken {
	if c == nil {
		return taken{}
	}
	return c.sum
}

// Len returns the number of shifts.
func (c *calendar) Len() int {
	if c == nil {
		return 0
	}
	return c.count
}

// between returns a calendar of a shift between two others.
func (x shift) between(left, right *calendar) *calendar {
	return &calendar{x, left.all().plus(x.taken()).plus(right.all()), left.Len() + 1 + right.Len(), left, right}
}

// with returns the calendar with a shift that it does not have.
func (c *calendar) with(x shift) *calendar {
	switch {
	case c == nil || x.priority() > c.priority():
		left, right := c.split(x)
		return x.between(left, right)
	case x.compare(c.shift) < 0:
		return c.shift.between(c.left.with(x), c.right)
	}
	return c.shift.between(c.left, c.right.with(x))
}

// without returns the calendar without a shift, if it has that.
func (c *calendar) without(x shift) *calendar {
	if c == nil {
		return nil
	}
	switch order := x.compare(c.shift); {
	case order == 0:
		return c.left.joined(c.right)
	case order < 0:
		return c.shift.between(c.left.without(x), c.right)
	}
	return c.shift.between(c.left, c.right.without(x))
}

// split returns the shifts before one and the others.
func (c *calendar) split(x shift) (before, after *calendar) {
	switch {
	case c == nil:
		return nil, nil
	case x.compare(c.shift) <= 0:
		before, after = c.left.split(x)
		return before, c.shift.between(after, c.right)
	}
	before, after = c.right.split(x)
	return c.shift.between(c.left, before), after
}

// joined returns the shifts of the calendar and of a later one.
func (c *calendar) joined(later *calendar) *calendar {
	switch {
	case c == nil:
		return later
	case later == nil:
		return c
	case c.priority() > later.priority():
		return c.shift.between(c.left, c.right.joined(later))
	}
	return later.shift.between(c.joined(later.left), later.right)
}

// before returns the sums over the shifts before a time.
func (c *calendar) before(at Time) (sum taken) {
	for c != nil {
		if c.at >= at {
			c = c.left
			continue
		}
		sum = sum.plus(c.left.all()).plus(c.shift.taken())
		c = c.right
	}
	return sum
}

// used returns the CPU time that is taken before a time.
func (c *calendar) used(until Time) cpuTime {
	sum := c.before(until)
	return signed(int64(sum.cpu), int64(until)).minus(sum.moments)
}

// during yields the shifts from a time on and before another, by time.
func (c *calendar) during(from, until Time) iter.Seq[shift] {
	return func(yield func(shift) bool) { c.each(from, until, false, yield) }
}

// backward yields them, the last first.
func (c *calendar) backward(from, until Time) iter.Seq[shift] {
	return func(yield func(shift) bool) { c.each(from, until, true, yield) }
}

func (c *calendar) each(from, until Time, back bool, yield func(shift) bool) bool {
	switch {
	case c == nil:
		return true
	case c.at < from:
		return c.right.each(from, until, back, yield)
	case c.at >= until:
		return c.left.each(from, until, back, yield)
	}
	first, last := c.left, c.right
	if back {
		first, last = last, first
	}
	return first.each(from, until, back, yield) && yield(c.shift) && last.each(from, until, back, yield)
}

// signed returns the product of two numbers of any sign, modulo 2^128.
func signed(x, y int64) (p cpuTime) {
	p.hi, p.lo = bits.Mul64(uint64(x), uint64(y))
	if x < 0 {
		p.hi -= uint64(y)
	}
	if y < 0 {
		p.hi -= uint64(x)
	}
	return p
}

func (c cpuTime) minus(o cpuTime) cpuTime {
	lo, borrow := bits.Sub64(c.lo, o.lo, 0)
	hi, _ := bits.Sub64(c.hi, o.hi, borrow)
	return cpuTime{hi, lo}
}

// mover is an entry of the index of the parts of promises that move.
type mover struct {
	until Time // of the part, which does not move
	job   JobID
}

func (a mover) less(b mover) bool {
	return cmp.Or(cmp.Compare(a.until, b.until), cmp.Compare(a.job, b.job)) < 0
}

// putTime puts a promise in place of an earlier one to its job into the indexes by time. Each may be nil, and may move.
func (s *State) putTime(was, is *Promise, moved, moves bool) {
	old, now := s.shifts(was), s.shifts(is)
	if slices.Equal(old, now) && moved == moves {
		return
	}
	for _, x := range old {
		if !moved {
			s.calendar = s.calendar.without(x)
		} else if x.cpu < 0 {
			s.movers.Delete(mover{x.at, x.job})
		}
	}
	for _, x := range now {
		if !moves {
			s.calendar = s.calendar.with(x)
		} else if x.cpu < 0 {
			s.movers.ReplaceOrInsert(mover{x.at, x.job})
		}
	}
}

// dueOf returns the time at which the part of a promise to the job that ends at a time falls due now; that time: the
// part is not needed any more.
func (s *State) dueOf(id JobID, until Time) Time {
	p := s.PromiseTo(id)
	if p.Until == until {
		return p.Due()
	}
	for i := range p.Later {
		if p.Later[i].Until == until {
			return p.Later[i].From - p.Lead
		}
	}
	return until
}

// shifts returns two shifts of each part of a promise; nil: it has no nodes.
func (s *State) shifts(p *Promise) []shift {
	if p == nil || s.Job(p.Job) == nil || p.live() == 0 {
		return nil
	}
	cpu := s.Job(p.Job).Spec.Need * CPU(p.live())
	list := []shift{{p.Due(), p.Job, cpu}, {p.Until, p.Job, -cpu}}
	for _, part := range p.Later {
		list = append(list, shift{part.From - p.Lead, p.Job, cpu}, shift{part.Until, p.Job, -cpu})
	}
	return list
}
