package packing

import "math"

// fan is the number of entries below one node of the tree: a cache line.
const fan = 8

// minima finds the first of many values that is small enough, in O(log n). Removing a value leaves the
// minima above it too small; the next search that they mislead corrects them. So a removal costs next
// to nothing, and each misleads at most one search.
type minima struct {
	values []float64
	above  [][]float64 // bounds of fan values each, then of fan bounds each, up to a single one
	height int         // rows of above in use
}

// grow builds the tree over some values.
func (t *minima) grow(values []float64) {
	t.values, t.height = values, 0
	for row := t.values; len(row) > 1; row = t.above[t.height-1] {
		if t.height == len(t.above) {
			t.above = append(t.above, nil)
		}
		up := t.above[t.height][:0]
		for from := 0; from < len(row); from += fan {
			up = append(up, least(row[from:min(from+fan, len(row))]))
		}
		t.above[t.height] = up
		t.height++
	}
}

func (t *minima) row(height int) []float64 {
	if height == 0 {
		return t.values
	}
	return t.above[height-1]
}

// remove makes the i-th value infinite.
func (t *minima) remove(i int) { t.values[i] = math.Inf(1) }

// next returns the first index at or after from whose value fits beside the used part, or the number
// of values.
func (t *minima) next(from int, used, capacity float64) int {
	for height, below := 0, false; ; {
		row, start := t.row(height), from
		end := min(from|(fan-1), len(row)-1)
		for from <= end && used+row[from] > capacity {
			from++
		}
		switch {
		case from <= end && height == 0:
			return from
		case from <= end:
			height--
			from *= fan
			below = true
		case from >= len(row):
			if below {
				t.tighten(height, start)
			}
			return len(t.values)
		default:
			if below {
				t.tighten(height, start)
			}
			below = false
			from /= fan
			height++
		}
	}
}

// tighten corrects the bounds above a value, or above a bound of a row.
func (t *minima) tighten(height, i int) {
	for row := t.row(height); height < t.height; height++ {
		i /= fan
		up := t.above[height]
		least := least(row[i*fan : min(i*fan+fan, len(row))])
		if up[i] == least {
			return
		}
		up[i], row = least, up
	}
}

// least compares non-negative numbers by their bits, which takes no branches.
func least(values []float64) float64 {
	least := math.Float64bits(math.Inf(1))
	for _, v := range values {
		least = min(least, math.Float64bits(v+0)) // turns negative zero into zero
	}
	return math.Float64frombits(least)
}
