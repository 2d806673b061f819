package bound

import (
	"aliquot/packing"
)

// A Bound is an upper bound on the level.
type Bound struct {
	Level      float64  // no mapping gives all items a higher one; the lowest of the range if they cannot be mapped
	Relaxation float64  // the bound of the linear relaxation alone, to about a ten-thousandth
	Argument   Argument // the argument for the level
	Impossible bool     // not even the lowest level of the range is reachable
}

// An Argument is a reason why no mapping reaches a level.
type Argument string

// The arguments, the simplest first.
const (
	Full       Argument = "full"       // none: the highest level of the range is not refuted
	Relaxation Argument = "relaxation" // tasks do not even fit if they may be split among the nodes that take them
	Pinned     Argument = "pinned"     // tasks that must stay on one node exceed it
	Pigeonhole Argument = "pigeonhole" // the large tasks are so many that some node would have too many of them
	Dual       Argument = "dual"       // a dual-feasible function of their sizes does not fit
	Slots      Argument = "slots"      // nodes hold a limited number of tasks, and large ones leave room for fewer
)

// slop is the relative error allowed in sums and capacities, as in packing.Problem.Feasible.
const slop = 1e-9

// Gap returns the distance of a level from the bound, as a fraction of the bound: 0 if it is reached
// apart from rounding.
func (b Bound) Gap(level float64) float64 {
	if gap := (b.Level - level) / b.Level; gap > 10*slop {
		return gap
	}
	return 0
}

// Options limit the range of levels and the work.
type Options struct {
	Low, High float64     // as for packing.Levels: both 0 means [0,1]
	Sums      bool        // use sums only, which takes a few passes over the items
	Stop      func() bool // called every 20,000 examined items; true skips the rest, so the bound is looser. nil: never
}

// Of bounds the yield that all of the kept items of a valid problem can have at once, whatever happens
// to the others.
func Of(p *packing.Problem, kept []int) Bound { return Options{}.Of(p, kept) }

// Of bounds the level of a range that all of the kept items of a valid problem can have at once.
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

// by lowers the bound to the lowest level that an argument refutes.
func (b *Bound) by(a argument, low float64) {
	if level := a.lowest(low, b.Level); level < b.Level {
		b.Level, b.Argument, b.Impossible = level, a.name, level <= low
		if a.name == Relaxation {
			b.Relaxation = level
		}
	}
}

// lowest returns the lowest level found to be refuted, or the highest if none clearly below it is.
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
	for range 150 { // equally exact for tiny levels
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
