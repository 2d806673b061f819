package packing

import "math"

// fan is the number of entries whose minimum is one node of the tree: a cache line of them.
const fan = 8

// minima finds the first of many values that is small enough, in O(log n).
type minima struct {
	values []float64
	above  [][]float64 // the minima of fan values each, then those of fan of these, up to a single one
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
func (t *minima) remove(i int) {
	old := t.values[i]
	t.values[i] = math.Inf(1)
	row := t.values
	for _, up := range t.above[:t.height] {
		if i /= fan; up[i] < old {
			return
		}
		least := least(row[i*fan : min(i*fan+fan, len(row))])
		if least == up[i] {
			return
		}
		up[i], row = least, up
	}
}

// next is the first index from one on whose value fits beside what is used, or the number of values.
func (t *minima) next(from int, used, capacity float64) int {
	height, row := 0, t.values
	for {
		end := min(from|(fan-1), len(row)-1)
		for from <= end && used+row[from] > capacity {
			from++
		}
		if from <= end {
			break
		}
		if from >= len(row) {
			return len(t.values)
		}
		from /= fan
		row = t.above[height]
		height++
	}
	for ; height > 0; height-- {
		row = t.row(height - 1)
		for from *= fan; used+row[from] > capacity; {
			from++
		}
	}
	return from
}

func least(values []float64) float64 {
	least := math.Inf(1)
	for _, v := range values {
		if v < least {
			least = v
		}
	}
	return least
}
