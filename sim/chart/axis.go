package chart

import "math"

// Axis is one direction of a figure. Its range is that of the data unless Low and High are set.
type Axis struct {
	Title     string
	Log       bool
	Low, High float64 // both 0: from the data
}

// scale maps values of an axis to pixels.
type scale struct {
	log       bool
	low, high float64 // of the values; logarithms on a logarithmic axis
	from, to  float64 // pixels
	ticks     []float64
}

// Figures show values within these limits, which no measurement exceeds.
const smallest, greatest = 1e-12, 1e15

// shown reports whether an axis can show a value.
func (a Axis) shown(v float64) bool { return math.Abs(v) <= greatest && (!a.Log || v >= smallest) }

// scaled maps the axis to the pixels so that it covers all values that it can show, with round ends.
func (a Axis) scaled(values []float64, from, to float64) scale {
	low, high := a.Low, a.High
	if low == 0 && high == 0 {
		low, high = a.extent(values)
	}
	s := scale{log: a.Log, from: from, to: to}
	room := math.Abs(to - from)
	if a.Log {
		s.ticks = decades(low, high)
		s.low, s.high = math.Log10(min(low, s.ticks[0])), math.Log10(max(high, s.ticks[len(s.ticks)-1]))
		return s
	}
	s.ticks = steps(low, high, max(2, room/70))
	s.low, s.high = min(low, s.ticks[0]), max(high, s.ticks[len(s.ticks)-1])
	return s
}

// extent returns the range of the values. A linear axis starts at zero, and the range is never empty.
func (a Axis) extent(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if a.shown(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	switch {
	case low > high:
		low, high = 1, 10
	case !a.Log:
		low = min(low, 0)
	}
	if high-low <= smallest*max(1, math.Abs(low)) {
		high = low + max(1, math.Abs(low))
	}
	return low, high
}

// decades returns ticks of a logarithmic axis: powers of ten, with 2 and 5 between if there are few.
func decades(low, high float64) (ticks []float64) {
	first, last := math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	parts := []float64{1}
	if last-first <= 2 {
		parts = []float64{1, 2, 5}
	}
	for d := first; d <= last; d++ {
		for _, p := range parts {
			if v := p * math.Pow(10, d); v >= low*(1-1e-9) && v <= high*(1+1e-9) || len(parts) == 1 {
				ticks = append(ticks, v)
			}
		}
	}
	if len(ticks) < 2 {
		return []float64{low, high}
	}
	return ticks
}

// steps returns about that many round ticks of a linear axis, the last at or above high.
func steps(low, high, about float64) (ticks []float64) {
	rough := (high - low) / about
	unit := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, m := range []float64{1, 2, 5, 10} {
		if unit*m >= rough*(1-1e-9) {
			unit *= m
			break
		}
	}
	first := math.Floor(low/unit + 1e-9)
	for i := first; ; i++ {
		v := i * unit
		ticks = append(ticks, v)
		if v >= high*(1-1e-9) {
			return ticks
		}
	}
}

// at returns the pixel of a value.
func (s scale) at(v float64) float64 {
	if s.log {
		v = math.Log10(v)
	}
	return s.from + (v-s.low)/(s.high-s.low)*(s.to-s.from)
}
