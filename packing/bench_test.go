package packing_test

import (
	"fmt"
	"slices"
	"testing"

	"aliquot/internal/cpu"
	"aliquot/packing"
	"aliquot/packing/study/instance"
)

// simulated resembles instants of a simulation of the report.
var simulated = []instance.Family{
	instance.Busy,
	{Nodes: 120, Tasks: 250, PerJob: 5, Memory: 0.4, Need: 1.75, Pinned: 3},
	{Nodes: 120, PerJob: 5, Memory: 0.6, Discrete: true},
}

func BenchmarkSearch(b *testing.B) {
	for _, f := range append(simulated, instance.Goals()...) {
		b.Run(f.String(), func(b *testing.B) {
			p, order := f.Draw(1)
			b.ReportAllocs()
			var r packing.Result
			started := cpu.Time(b)
			for b.Loop() {
				r = packing.Search(p, order)
			}
			b.ReportMetric(float64(cpu.Time(b)-started)/float64(b.N), "cpu-ns/op")
			b.ReportMetric(float64(r.Probes), "probes/op")
			b.ReportMetric(float64(len(r.Dropped)), "dropped/op")
			b.ReportMetric(r.Yield, "yield")
		})
	}
}

// BenchmarkSearchInParallel measures wall time, which is meaningful only with three idle processors.
func BenchmarkSearchInParallel(b *testing.B) {
	f := instance.Family{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.7, Need: 2}
	p, order := f.Draw(1)
	for _, workers := range []int{1, 2, 3} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			for b.Loop() {
				packing.Options{Workers: workers}.Search(p, order)
			}
		})
	}
}

func BenchmarkMaxMin(b *testing.B) {
	for _, f := range []instance.Family{
		instance.Busy,
		{Nodes: 10_000, Tasks: 100_000, PerJob: 1, Memory: 0.7, Need: 2},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 5, Memory: 0.7, Need: 2},
	} {
		b.Run(f.String(), func(b *testing.B) {
			p, order := f.Draw(1)
			m := packing.Search(p, order).Mapping
			b.ReportAllocs()
			started := cpu.Time(b)
			for b.Loop() {
				packing.MaxMin(p, m)
			}
			b.ReportMetric(float64(cpu.Time(b)-started)/float64(b.N), "cpu-ns/op")
		})
	}
}

func BenchmarkAverage(b *testing.B) {
	for _, f := range []instance.Family{instance.Busy, {Nodes: 1000, Tasks: 10_000, PerJob: 5, Memory: 0.7, Need: 2},
		{Nodes: 10_000, Tasks: 100_000, PerJob: 5, Memory: 0.7, Need: 2}} {
		b.Run(f.String(), func(b *testing.B) {
			p, order := f.Draw(1)
			m := packing.Search(p, order).Mapping
			level := slices.Min(packing.MaxMin(p, m))
			b.ReportAllocs()
			started := cpu.Time(b)
			for b.Loop() {
				if _, err := packing.Average(p, m, level, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(cpu.Time(b)-started)/float64(b.N), "cpu-ns/op")
		})
	}
}
