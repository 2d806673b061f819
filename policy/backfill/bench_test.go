package backfill_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/scheduler"
	"aliquot/sim"
	"aliquot/workload"
	"aliquot/workload/gen"
)

const nodes = 128

// stream returns jobs of the model of Lublin and Feitelson, at the given load of 128 nodes.
func stream(b *testing.B, count int, load float64) []workload.Job {
	dice := gen.NewDice(1, 0)
	jobs, err := workload.Scale(gen.Augment(dice, gen.Lublin(dice, nodes, count)), nodes, load)
	if err != nil {
		b.Fatal(err)
	}
	return jobs
}

// BenchmarkSimulation runs whole simulations with perfect estimates. It reports the mean and the greatest number of
// waiting jobs.
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

// queue returns the mean and the greatest number of jobs that waited.
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

// BenchmarkDecision decides on a submission. All but two nodes are busy; the head of the queue waits for half of the
// nodes, and the other jobs wait behind it.
func BenchmarkDecision(b *testing.B) {
	for _, name := range []string{"FCFS", "EASY", "EASY/no-reserved", "conservative", "EASY/cores", "conservative/cores"} {
		for _, size := range []struct{ nodes, jobs int }{{128, 100}, {1000, 10_000}} {
			b.Run(fmt.Sprintf("%s/%dx%d", strings.ReplaceAll(name, "/", "-"), size.nodes, size.jobs), func(b *testing.B) {
				p, err := catalog.Parse(name, cluster.Minute)
				if err != nil {
					b.Fatal(err)
				}
				v := busy(b, p, size.nodes, size.jobs)
				b.ReportAllocs()
				for b.Loop() {
					p.Decide(v)
				}
			})
		}
	}
}

func busy(b *testing.B, p policy.Policy, nodes, jobs int) *cluster.View {
	m := cluster.NewModel()
	for n := range nodes {
		m.Join(fmt.Sprint("n", n), cluster.Description{CPU: 1000, Memory: 100 * cluster.MiB})
	}
	submit := func(tasks int, seconds cluster.Time) {
		if _, r := m.Submit(&cluster.Spec{
			Tasks: tasks, Need: 1000, Requirement: cluster.Requirement{Memory: 50 * cluster.MiB},
			Estimate: seconds * cluster.Second,
			Image:    "busybox@sha256:00",
		}); r != nil {
			b.Fatal(r)
		}
	}
	decide := func() {
		if err := m.Adopt(scheduler.Adoption(m.View(), m.View().Pending(), p.Decide(m.View()))); err != nil {
			b.Fatal(err)
		}
	}
	for n := range (nodes - 2) / 6 {
		submit(6, cluster.Time(600+n))
	}
	submit(nodes/2, 600)
	for j := range jobs {
		submit(3+j%60, cluster.Time(300+j%1000))
	}
	decide()
	submit(1, 3600)
	return m.View()
}
