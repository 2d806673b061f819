package packing

import "testing"

func BenchmarkSearch128x100(b *testing.B)    { benchmarkSearch(b, 128, 100, 20) }
func BenchmarkSearch1000x10000(b *testing.B) { benchmarkSearch(b, 1000, 10000, 1) }

func benchmarkSearch(b *testing.B, nodes, items, maxTasks int) {
	p, order := cluster(nodes, items, maxTasks)
	b.ReportAllocs()
	var r Result
	for b.Loop() {
		r = Search(p, order)
	}
	b.ReportMetric(float64(r.Probes), "probes/op")
	b.ReportMetric(float64(len(r.Dropped)), "dropped/op")
	b.ReportMetric(r.Yield, "yield")
}

func BenchmarkProbe1000x10000(b *testing.B) {
	p, _ := cluster(1000, 10000, 1)
	k := newPacker(p, all(len(p.Items)))
	b.ReportAllocs()
	for b.Loop() {
		k.pack(0.25)
	}
}

func BenchmarkMaxMin1000x10000(b *testing.B) {
	p, order := cluster(1000, 10000, 1)
	m := Search(p, order).Mapping
	b.ReportAllocs()
	for b.Loop() {
		MaxMin(p, m)
	}
}
