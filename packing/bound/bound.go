package bound

import (
	"aliquot/packing"
)

// A Bound is the best that could be hoped for.
type Bound struct {
	Level      float64  // no mapping gives all items a higher one; the lowest of the range if it is impossible to map them
	Relaxation float64  // what the linear relaxation alone says, to about a ten-thousandth
	Argument   Argument // what gives the level
	Impossible bool     // not even the lowest level of the range can be reached
}

// An Argument is a reason why no mapping reaches a level.
type Argument string

// Arguments, from the plainest.
const (
	Full       Argument = "full"       // none: the highest level of the range is not refuted
	Relaxation Argument = "relaxation" // tasks do not even fit if they may be split among the nodes that take them
	Pinned     Argument = "pinned"     // tasks that have to stay on one node exceed it
	Pigeonhole Argument = "pigeonhole" // so many tasks are so large that some node would have too many of them
	Dual       Argument = "dual"       // a dual-feasible function of their sizes does not fit
	Slots      Argument = "slots"      // nodes hold only so many tasks, and large ones leave room for fewer
)

// slop is the relative error granted to sums and capacities, as in packing.Problem.Feasible.
const slop = 1e-9

// Gap is how far a level is below the bound, as a fraction of it: 0 where it is reached but for rounding.
func (b Bound) Gap(level float64) float64 {
	if gap := (b.Level - level) / b.Level; gap > 10*slop {
		return gap
	}
	return 0
}

// Options are the range of levels, and when to end.
type Options struct {
	Low, High float64     // as packing.Levels takes them: both 0 stand for [0,1]
	Sums      bool        // only what sums tell, which takes a few passes over the items
	Stop      func() bool // asked every 20,000 items looked at; true leaves the rest out, and the bound looser. nil: never
}

// Of bounds the yield that can be given to some items of a valid problem at once, whatever becomes of the
// others; kept lists them.
func Of(p *packing.Problem, kept []int) Bound { return Options{}.Of(p, kept) }

// Of bounds the level of a range that can be given to some items of a valid problem at once.
func (o Options) Of(p *packing.Problem, kept []int) Bound {
	low, high := packing.Levels(o.Low, o.High)
	b := Bound{Level: high, Relaxation: high, Argument: Full}
	if len(kept) == 0 {
		return b
	}
	in := newInstance(p, kept, o.Stop)
	if in.Ask() {
		return b
	}
	in.begin(low)
	b.by(argument{Relaxation, in.summed}, low)
	if o.Sums || in.Ended {
		return b
	}
	for _, a := range in.arguments() {
		if b.Impossible || in.Ask() {
			break
		}
		b.by(a, low)
	}
	return b
}

// by lowers the bound to where an argument refutes it.
func (b *Bound) by(a argument, low float64) {
	if level := a.lowest(low, b.Level); level < b.Level {
		b.Level, b.Argument, b.Impossible = level, a.name, level <= low
		if a.name == Relaxation {
			b.Relaxation = level
		}
	}
}

// lowest is the lowest level that is found to be refuted, or the highest if none is that is clearly below.
func (in *instance) lowest(refutes func(*instance) bool, low, high float64) float64 {
	at := func(level float64) bool {
		if !in.Ended {
			in.rise(level)
		}
		return !in.Ended && refutes(in)
	}
	step := (high - low) * 1e-6
	if !at(high - step) {
		return high
	}
	if at(low) {
		return low
	}
	refuted, open := high-step, low
	for range 150 { // as exact where levels are tiny
		if in.Ended || refuted-open <= (refuted-low)*1e-12 {
			break
		}
		middle := open + (refuted-open)/2
		if at(middle) {
			refuted = middle
		} else {
			open = middle
		}
	}
	return refuted
}

func exceeds(sum, capacity float64) bool { return sum > capacity*(1+slop) }
