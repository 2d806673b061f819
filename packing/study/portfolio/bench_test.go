package portfolio

import (
	"fmt"
	"testing"
	"time"

	"aliquot/packing/study/instance"
)

// BenchmarkLimit measures by how much a search exceeds a time limit at worst, negative if it ended
// earlier: for different tasks, some of which may have to be dropped, and for jobs of identical ones.
func BenchmarkLimit(b *testing.B) {
	for _, f := range []instance.Family{
		{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 1, Memory: 1.1, Need: 2},
		{Nodes: 100_000, Tasks: 1_000_000, PerJob: 5, Memory: 0.9, Need: 6},
	} {
		p, order := f.Draw(1)
		least := time.Duration(f.Nodes) * 10 * time.Microsecond
		for _, limit := range []time.Duration{least, 2 * least, 3 * least, 8 * least} {
			b.Run(fmt.Sprintf("%v/%v", f, limit), func(b *testing.B) {
				over, yield := -1.0, 0.0
				for b.Loop() {
					started := time.Now()
					r := Options{Stop: func() bool { return time.Since(started) >= limit }}.Search(p, order)
					over = max(over, float64(time.Since(started)-limit)/float64(limit))
					if len(r.Dropped) < len(order) {
						yield = r.Yield
					}
				}
				b.ReportMetric(100*over, "overrun-%")
				b.ReportMetric(yield, "yield")
			})
		}
	}
}
