package sweep

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Distribution sums up a measure over traces.
type Distribution struct {
	N         int
	Mean      float64
	Deviation float64     // standard deviation of the sample; 0 if there is one value
	Deciles   [11]float64 // from the least to the greatest value; the median is in the middle; linear between values
	Worst     []Extreme   // the greatest values first, at most ten
}

// Extreme is a value with its result.
type Extreme struct {
	Value  float64
	Result Result
}

// Median returns the value that half of the traces do not exceed.
func (d Distribution) Median() float64 { return d.Deciles[5] }

// Max returns the greatest value.
func (d Distribution) Max() float64 { return d.Deciles[10] }

// worstShown is the number of worst traces that a distribution names.
const worstShown = 10

// Distribute sums up a measure of results. It skips results without the measure.
func Distribute(results []Result, m Measure) Distribution {
	var all []Extreme
	for _, r := range results {
		if v, known := m.Of(r); known {
			all = append(all, Extreme{v, r})
		}
	}
	d := Distribution{N: len(all)}
	if d.N == 0 {
		return d
	}
	slices.SortFunc(all, func(a, b Extreme) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), a.Result.Compare(b.Result.Trial))
	})
	values := make([]float64, d.N)
	for i, e := range all {
		values[d.N-1-i] = e.Value
	}
	d.Mean = stat.Mean(values, nil)
	if d.N > 1 {
		d.Deviation = stat.StdDev(values, nil)
	}
	for i := range d.Deciles {
		d.Deciles[i] = quantile(values, float64(i)/10)
	}
	d.Worst = all[:min(worstShown, d.N)]
	return d
}

// quantile interpolates between the sorted values. Invariant: there is at least one.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := min(int(at), len(sorted)-1)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}
