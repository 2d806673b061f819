package bound

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"aliquot/cluster"
	"aliquot/workload"
)

// stream makes jobs for the given nodes that look like a parallel machine's: sizes mostly
// powers of two, run times from seconds to days, a daily cycle, and load = Σ tasks × run
// time over nodes × time of arrivals.
func stream(seed uint64, n, nodes int, load float64) []workload.Job {
	rng := rand.New(rand.NewPCG(seed, 0))
	jobs := make([]workload.Job, n)
	work, at := 0.0, 0.0
	times := make([]float64, n)
	for i := range jobs {
		tasks := 1
		if rng.Float64() > 0.25 {
			tasks = min(nodes, 1<<rng.IntN(1+int(math.Log2(float64(nodes)))))
		}
		need := workload.UnitCPU
		if tasks == 1 {
			need /= 4
		}
		runtime := min(math.Exp(5.5+2.5*rng.NormFloat64())+1, 2*86400)
		jobs[i] = workload.Job{ID: int64(i + 1), Tasks: tasks, Need: need, Memory: workload.UnitMemory / 10, Runtime: cluster.Time(runtime * 1e6)}
		work += float64(tasks) * runtime
		times[i] = at
		at += rng.ExpFloat64() * (1 + 0.8*math.Sin(float64(i)/200*2*math.Pi))
	}
	scale := work / (float64(nodes) * load) / times[n-1]
	for i := range jobs {
		jobs[i].Submit = cluster.Time(times[i] * scale * 1e6)
	}
	return jobs
}

func BenchmarkMaxStretch(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		for _, load := range []float64{0.7, 0.9, 1.1} {
			jobs := stream(1, n, 128, load)
			b.Run(fmt.Sprintf("jobs=%d/load=%v", n, load), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					bound, err := MaxStretch(128, jobs)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(bound.Stretch, "stretch")
					b.ReportMetric(float64(bound.Effort.Flows), "flows")
					b.ReportMetric(float64(bound.Effort.Cells), "cells")
					b.ReportMetric(float64(bound.Effort.Scans), "scans")
					b.ReportMetric(float64(bound.Effort.Phases), "phases")
				}
			})
		}
	}
}
