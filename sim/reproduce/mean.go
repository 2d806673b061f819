package reproduce

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"aliquot/wording"
)

// Mean is the mean of independent values with its interval of confidence at 95%, by Student's t.
type Mean struct {
	N     int
	Value float64
	Half  float64 // half of the interval; infinite for one value
}

// MeanOf returns the mean of some values.
func MeanOf(values []float64) Mean {
	m := Mean{N: len(values), Half: math.Inf(1)}
	if m.N == 0 {
		return m
	}
	m.Value = stat.Mean(values, nil)
	if m.N > 1 {
		t := distuv.StudentsT{Sigma: 1, Nu: float64(m.N - 1)}.Quantile(0.975)
		m.Half = t * stat.StdErr(stat.StdDev(values, nil), float64(m.N))
	}
	return m
}

// String returns the mean and half of its interval.
func (m Mean) String() string {
	switch {
	case m.N == 0:
		return "not run"
	case m.N == 1:
		return wording.Number(m.Value)
	}
	return fmt.Sprintf("%s ± %s", wording.Number(m.Value), wording.Number(m.Half))
}

// Low returns the lower end of the interval.
func (m Mean) Low() float64 { return m.Value - m.Half }

// High returns the upper end of the interval.
func (m Mean) High() float64 { return m.Value + m.Half }
