package bench

import (
	"slices"
	"testing"
	"time"
)

// report reports the median and the 99th percentile of the samples, by nearest rank.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	at := func(percent int) float64 {
		return float64(took[(len(took)*percent+99)/100-1].Microseconds()) / 1000
	}
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(99), "p99-ms")
}
