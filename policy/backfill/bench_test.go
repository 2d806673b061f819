package backfill_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
	"aliquot/workload/gen"
)

const nodes = 128

// stream is one of Lublin and Feitelson's, at a load of 128 nodes.
func stream(b *testing.B, count int, load float64) []workload.Job {
	dice := gen.NewDice(1, 0)
	jobs, err := workload.Scale(gen.Augment(dice, gen.Lublin(dice, nodes, count)), nodes, load)
	if err != nil {
		b.Fatal(err)
	}
	return jobs
}

// BenchmarkSimulation runs whole simulations of perfect estimates; queue is the mean and the greatest number of jobs that wait.
func BenchmarkSimulation(b *testing.B) {
	for _, c := range []struct {
		policy string
		load   float64
		count  int
	}{
		{"FCFS", 0.7, 10_000},
		{"EASY", 0.7, 1_000}, {"EASY", 0.7, 10_000}, {"EASY", 0.7, 100_000}, {"EASY", 0.7, 1_000_000},
		{"EASY", 1.1, 10_000}, {"EASY", 1.1, 100_000},
		{"EASY/no-reserved", 0.7, 10_000},
		{"conservative", 0.7, 10_000}, {"conservative", 0.7, 100_000}, {"conservative", 1.1, 10_000},
	} {
		b.Run(fmt.Sprintf("%s/load=%v/jobs=%d", strings.ReplaceAll(c.policy, "/", "-"), c.load, c.count), func(b *testing.B) {
			p, err := catalog.Parse(c.policy, cluster.Minute)
			if err != nil {
				b.Fatal(err)
			}
			jobs := stream(b, c.count, c.load)
			var result sim.Result
			for b.Loop() {
				if result, err = sim.Run(sim.Setup{Nodes: sim.Units(nodes), Policy: p}, jobs); err != nil {
					b.Fatal(err)
				}
			}
			mean, most := queue(result)
			b.ReportMetric(float64(c.count)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric(mean, "queue")
			b.ReportMetric(most, "longest-queue")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// queue is the mean and the greatest number of jobs that waited.
func queue(r sim.Result) (mean, most float64) {
	type step struct {
		at    cluster.Time
		delta int
	}
	var steps []step
	wait, first, last := cluster.Time(0), cluster.Time(math.MaxInt64), cluster.Time(0)
	for _, o := range r.Jobs {
		steps = append(steps, step{o.Submit, 1}, step{o.Started, -1})
		wait += o.Started - o.Submit
		first, last = min(first, o.Submit), max(last, o.Started)
	}
	slices.SortFunc(steps, func(a, b step) int { return int(a.at - b.at) })
	length := 0
	for _, s := range steps {
		length += s.delta
		most = max(most, float64(length))
	}
	return float64(wait) / float64(last-first), most
}
