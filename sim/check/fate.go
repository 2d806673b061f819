package check

import (
	"aliquot/sim"
	"aliquot/workload"
)

// fates verifies the summary's numbers about how long jobs took.
func (c *checker) fates(jobs []sim.Outcome, got sim.Summary) {
	stretch, bounded, turnaround := make([]float64, len(jobs)), make([]float64, len(jobs)), make([]float64, len(jobs))
	for i, o := range jobs {
		took := o.Ended - o.Since()
		stretch[i] = float64(took) / float64(o.Runtime)
		bounded[i] = float64(max(took, workload.ShortTime)) / float64(max(o.Runtime, workload.ShortTime))
		turnaround[i] = took.Seconds()
	}
	c.compare([]comparison{
		{"the maximum stretch", got.MaxStretch, greatest(stretch)}, {"the average stretch", got.AvgStretch, mean(stretch)},
		{"the maximum bounded stretch", got.MaxBoundedStretch, greatest(bounded)},
		{"the average bounded stretch", got.AvgBoundedStretch, mean(bounded)},
		{"the maximum turn-around", got.MaxTurnaround, greatest(turnaround)}, {"the average turn-around", got.AvgTurnaround,
			mean(turnaround)},
	})
	c.percentiles("bounded stretch", bounded, got.P50BoundedStretch, got.P90BoundedStretch, got.P99BoundedStretch)
	c.percentiles("turn-around", turnaround, got.P50Turnaround, got.P90Turnaround, got.P99Turnaround)
}

func greatest(values []float64) (most float64) {
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// percentiles verifies that each percentile is one of the values, that at least its fraction of the values does not
// exceed it, and that a smaller fraction is below it.
func (c *checker) percentiles(what string, values []float64, p50, p90, p99 float64) {
	for _, p := range []struct {
		percent    int
		comparison float64
	}{{50, p50}, {90, p90}, {99, p99}} {
		below, equal := 0, 0
		for _, v := range values {
			switch {
			case near(v, p.comparison):
				equal++
			case v < p.comparison:
				below++
			}
		}
		if part := p.percent * len(values); equal == 0 || 100*(below+equal) < part || 100*below >= part {
			c.fail("%g is reported as the %s that %d%% of the jobs do not exceed, but %d of %d are below it and %d equal",
				p.comparison, what, p.percent, below, len(values), equal)
		}
	}
}
