package bound

import "math"

// summed returns the lowest level at which the tasks exceed all nodes in sum, or the highest if there
// is none.
func (in *instance) summed(low, high float64) float64 {
	at := func(level float64) float64 {
		if !in.Ended {
			in.rise(level)
		}
		if in.Ended {
			return -1
		}
		return in.excess()
	}
	open, refuted := low, high-(high-low)*1e-6
	above := at(refuted)
	if above <= 0 {
		return high
	}
	below := at(open)
	if below > 0 {
		return low
	}
	for round := range 150 { // equally exact for tiny levels
		width, least := refuted-open, (refuted-low)*1e-12
		if in.Ended || width <= least {
			break
		}
		middle := open + width/2
		if round%3 < 2 && !math.IsInf(above, 1) { // sums are mostly piecewise linear
			middle = min(max(open-width*below/(above-below), open+least/2), refuted-least/2)
		}
		if excess := at(middle); excess > 0 {
			refuted, above = middle, excess
		} else {
			open, below = middle, excess
		}
	}
	return refuted
}

// excess returns the largest relative excess of the tasks over all nodes in a dimension.
func (in *instance) excess() float64 {
	excess := -1.0
	for d, size := range in.sizes {
		sum := 0.0
		for at, x := range size {
			sum += in.counts[at] * x
		}
		excess = max(excess, part(sum, in.total[d]*(1+slop))-1)
	}
	return excess
}
