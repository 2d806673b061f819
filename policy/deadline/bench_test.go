package deadline

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"aliquot/cluster"
)

// BenchmarkAdmission answers a job with 10,000 live promises on 1,024 nodes, and takes the answer into the plan.
func BenchmarkAdmission(b *testing.B) {
	const nodes, live = 1024, 10_000
	dice := rand.New(rand.NewPCG(1, 0))
	lengths := [...]cluster.Time{60, 300, 900, 1800, 3600, 10800}
	horizon := cluster.Time(live) * 900 * cluster.Second
	id := cluster.JobID(0)
	draw := func() *Job {
		id++
		lasts := lengths[dice.IntN(len(lengths))] * cluster.Second
		ready := cluster.Time(dice.Int64N(int64(horizon)))
		return &Job{ID: id, Tasks: 1 << (5 + dice.IntN(6)), Floor: 1, Ready: ready, Lasts: lasts,
			Deadline: ready + lasts + cluster.Time(3*dice.Float64()*float64(lasts))}
	}
	p := NewPlan(0, nodes, nodes, nil, nil)
	for len(p.coming) < live {
		if t, kept := p.Try(draw()); kept {
			p.Accept(t)
		}
	}
	var times []time.Duration
	for b.Loop() {
		j, begun := draw(), time.Now()
		p.Planned(j.Ready, j.Deadline)
		if t, kept := p.Try(j); kept {
			p.Accept(t)
		}
		times = append(times, time.Since(begun))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2])/1e3, "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100])/1e3, "p99-µs")
}
