package packing

import (
	"fmt"
	"math"
)

// A Line is a yield that grows with the level: Slope·level + Base. Where that is 0 or less, one task
// demands Idle of CPU, at most its need. For the stretch of a job with flow time f and
// virtual time v, T before the next decision, the level is the inverse stretch (v + yield·T) / (f + T)
// that the job will have then: Slope is (f+T)/T and Base is -v/T.
type Line struct {
	Slope float64 // at least 0; 0 with a Base of 0 stands for 1
	Base  float64
	Idle  float64 // CPU, at least 0
}

// straight is the line itself, written out.
func (l Line) straight() Line {
	if l.Slope == 0 && l.Base == 0 {
		l.Slope = 1
	}
	return l
}

// yield at a level; it may be above 1, or below 0.
func (l Line) yield(level float64) float64 {
	if l.Slope == 0 && l.Base == 0 {
		return level
	}
	return l.Slope*level + l.Base
}

// demand is the CPU that one task takes at a level.
func (it *Item) demand(level float64) float64 {
	cpu := it.Line.Idle
	if yield := it.Line.yield(level); yield > 0 {
		cpu = yield * it.Need
	}
	return min(max(cpu, it.MinCPU), it.Need)
}

// least is the smallest demand at any level from the lowest up. Where the yield is still 0 or
// less at the lowest, a higher level may demand less than the idle share.
func (it *Item) least(lowest float64) float64 {
	if it.Line.yield(lowest) > 0 {
		return it.demand(lowest)
	}
	return min(it.MinCPU, it.Need)
}

// floor is the smallest yield that the item may get, in [0,1].
func (it *Item) floor() float64 {
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
