package packing

import (
	"fmt"
	"math"
)

// A Line is a yield that grows with the level: Slope·level + Base. Where that is 0 or less, one task
// demands Idle of CPU, at most its need. For the stretch of a job with flow time f and virtual time v,
// T before the next decision, the level is the inverse stretch (v + yield·T) / (f + T) at that
// decision: Slope is (f+T)/T and Base is -v/T.
type Line struct {
	Slope float64 // at least 0; 0 with a Base of 0 stands for 1
	Base  float64
	Idle  float64 // CPU, at least 0
}

// straight returns the line with its defaults filled in.
func (l Line) straight() Line {
	if l.Slope == 0 && l.Base == 0 {
		l.Slope = 1
	}
	return l
}

// yield returns the yield at a level, which may be above 1 or below 0.
func (l Line) yield(level float64) float64 {
	if l.Slope == 0 && l.Base == 0 {
		return level
	}
	return l.Slope*level + l.Base
}

// A Demand is one task's use of a fluid dimension other than CPU as a function of its yield:
// Slope·yield + Base, but at least Least and, unless Most is 0, at most Most. As the yield is linear
// in the level, so is the demand, between the two limits.
type Demand struct {
	Slope, Base, Least, Most float64 // only Base may be negative; a Most below Least counts as Least
}

func (d Demand) at(yield float64) float64 {
	amount := max(d.Slope*yield+d.Base, d.Least)
	if d.Most > 0 && amount > d.Most {
		return max(d.Most, d.Least)
	}
	return amount
}

func (d Demand) validate() error {
	switch {
	case !isQuantity(d.Slope):
		return fmt.Errorf("slope is %v, must be between 0 and 1e+100", d.Slope)
	case !isQuantity(math.Abs(d.Base)):
		return fmt.Errorf("base is %v, must be between -1e+100 and 1e+100", d.Base)
	}
	return limits("limit", []float64{d.Least, d.Most})
}

// granted returns the item's yield in [0,1] at a level.
func (it *Item) granted(level float64) float64 {
	if it.Need > 0 {
		return it.demand(level) / it.Need
	}
	return it.unneeding(level)
}

// unneeding returns the yield of an item that needs no CPU.
func (it *Item) unneeding(level float64) float64 {
	return max(it.floor(), min(it.Line.yield(level), 1))
}

// take writes one task's use of every dimension, given its CPU and its yield.
func (it *Item) take(v []float64, cpu, yield float64) {
	v[0] = cpu
	fluid := v[1+copy(v[1:], it.Rigid):]
	clear(fluid)
	for d := range min(len(fluid), len(it.Fluid)) { // without nodes there are no dimensions
		fluid[d] = it.Fluid[d].at(yield)
	}
}

// demand returns the CPU that one task takes at a level.
func (it *Item) demand(level float64) float64 {
	cpu := it.Line.Idle
	if yield := it.Line.yield(level); yield > 0 {
		cpu = yield * it.Need
		if it.Top > 0 {
			cpu = min(cpu, it.Top*it.Need)
		}
	}
	return min(max(cpu, it.MinCPU), it.Need)
}

// least returns the smallest demand at the lowest level or any higher one. Where the yield at the
// lowest is 0 or less, a higher level may demand less than the idle share.
func (it *Item) least(lowest float64) float64 {
	if it.Line.yield(lowest) > 0 {
		return it.demand(lowest)
	}
	return min(it.MinCPU, it.Need)
}

// leastYield returns the yield that belongs to least.
func (it *Item) leastYield(lowest float64) float64 {
	if it.Need > 0 {
		return it.least(lowest) / it.Need
	}
	return it.unneeding(lowest)
}

// floor returns the smallest yield in [0,1] that the item may get.
func (it *Item) floor() float64 {
	if it.Need == 0 && it.Fluid != nil {
		return 0
	}
	if it.MinCPU >= it.Need {
		return 1
	}
	return it.MinCPU / it.Need
}

func (l Line) validate() error {
	switch {
	case !isQuantity(l.Slope):
		return fmt.Errorf("slope is %v, must be between 0 and 1e+100", l.Slope)
	case !isQuantity(math.Abs(l.Base)):
		return fmt.Errorf("base is %v, must be between -1e+100 and 1e+100", l.Base)
	case !isQuantity(l.Idle):
		return fmt.Errorf("idle share is %v, must be between 0 and 1e+100", l.Idle)
	}
	return nil
}
