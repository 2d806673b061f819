package bound

import (
	"fmt"
	"testing"

	"aliquot/workload"
	"aliquot/workload/gen"
)

// stream draws jobs from the model of Lublin and Feitelson for the given number of nodes and load.
func stream(t testing.TB, number, count, nodes int, load float64) []workload.Job {
	t.Helper()
	dice := gen.NewDice(1, number)
	jobs, err := workload.Scale(gen.Augment(dice, gen.Lublin(dice, nodes, count)), nodes, load)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func BenchmarkMaxStretch(b *testing.B) {
	for _, count := range []int{1000, 10_000} {
		for _, load := range []float64{0.7, 0.9, 1.1} {
			jobs := stream(b, 0, count, 128, load)
			b.Run(fmt.Sprintf("jobs=%d/load=%v", count, load), func(b *testing.B) {
				b.ReportAllocs()
				var last Bound
				for b.Loop() {
					last = mustBound(b, 128, jobs)
				}
				b.ReportMetric(last.Stretch, "stretch")
				b.ReportMetric(float64(last.Effort.Probes), "probes")
				b.ReportMetric(float64(last.Effort.Flows), "flows")
				b.ReportMetric(float64(last.Effort.Cells), "cells")
				b.ReportMetric(float64(last.Effort.Scans), "scans")
			})
		}
	}
}
