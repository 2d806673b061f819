package tiered_test

import (
	"fmt"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
	"aliquot/sim"
	"aliquot/workload"
	"aliquot/workload/gen"
)

// stream returns jobs of the model of Lublin and Feitelson at a load of the nodes, one task per processor. Tasks of
// several use 40 % to 100 % of it.
func stream(b *testing.B, count, nodes int, load float64) []workload.Job {
	dice := gen.NewDice(1, 0)
	jobs := gen.Augment(dice, gen.Lublin(dice, nodes, count))
	for i := range jobs {
		jobs[i].Memory, jobs[i].Need = workload.UnitMemory/100, workload.UnitCPU
	}
	jobs, err := workload.Scale(jobs, nodes, load)
	if err != nil {
		b.Fatal(err)
	}
	for i := range jobs {
		if j := &jobs[i]; j.Tasks > 1 {
			j.Need = workload.UnitCPU * cluster.CPU(40+j.ID*37%61) / 100
		}
	}
	return jobs
}

func BenchmarkSimulation(b *testing.B) {
	const nodes = 320
	for _, count := range []int{10_000, 100_000, 1_000_000} {
		for _, name := range []string{"EASY", "KEASY", "REASY", "MEASY", "attained"} {
			b.Run(fmt.Sprintf("%s/jobs=%d", name, count), func(b *testing.B) {
				p, err := catalog.Parse(name, cluster.Minute)
				if err != nil {
					b.Fatal(err)
				}
				jobs := stream(b, count, nodes, 0.8)
				setup := sim.Setup{Nodes: sim.Units(nodes), Policy: p, Penalty: 20 * cluster.Second}
				var result sim.Result
				for b.Loop() {
					if result, err = sim.Run(setup, jobs); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
				b.ReportMetric(result.Summary().AvgTurnaround, "turnaround-s")
				b.ReportMetric(result.Summary().AvgBoundedStretch, "stretch")
			})
		}
	}
}

// BenchmarkAttainedWithAQueue decides on 200 full nodes when a job is submitted behind many others.
func BenchmarkAttainedWithAQueue(b *testing.B) {
	for _, waiting := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("waiting=%d", waiting), func(b *testing.B) {
			p, err := catalog.Parse("attained", 10*cluster.Minute)
			if err != nil {
				b.Fatal(err)
			}
			w := policytest.NewWorld(b, p)
			for i := range 200 {
				w.Join(fmt.Sprint("n", i), cluster.Description{CPU: 1000, Memory: cluster.Bytes(1024) * cluster.MiB})
			}
			spec := cluster.Spec{Tasks: 1, Need: 1000, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}}
			for range 200 {
				w.Submit(spec)
			}
			w.Decide()
			w.Settle()
			w.Clock += cluster.Hour
			for range waiting {
				w.Submit(spec)
			}
			v := w.Look()
			for b.Loop() {
				p.Decide(v)
			}
		})
	}
}
