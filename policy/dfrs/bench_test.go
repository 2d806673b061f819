package dfrs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

const gib = 1024 * cluster.MiB

// busy is a cluster that has run for an hour with more jobs than its memory holds, and now has to decide.
func busy(b *testing.B, name string, nodes, jobs int, wish cluster.Constraint) *policytest.World {
	p, err := catalog.Parse(name, cluster.Hour)
	if err != nil {
		b.Fatal(err)
	}
	w := policytest.NewWorld(b, p)
	for n := range nodes {
		w.Join(fmt.Sprintf("n%d", n), cluster.Description{CPU: 16 * cluster.Core, Memory: 64 * gib, Labels: []cluster.Pair{{Key: "zone", Value: "a"}}})
	}
	w.Clock = cluster.Second
	r := rand.New(rand.NewPCG(1, uint64(nodes)))
	most := max(3, 30*nodes/jobs) // tasks, so that memory is short
	for range jobs {
		w.Submit(cluster.Spec{
			Tasks: 1 + r.IntN(most), Need: cluster.CPU(250 * (1 + r.IntN(32))),
			Requirement: cluster.Requirement{Memory: cluster.Bytes(1+r.IntN(10)) * gib}, Placement: wish,
		})
	}
	w.Decide()
	w.Settle()
	w.Clock = cluster.Hour - cluster.Second
	return w
}

func BenchmarkDecision(b *testing.B) {
	for _, size := range []struct{ nodes, jobs int }{{128, 100}, {1000, 10000}} {
		b.Run(fmt.Sprintf("submission/%dx%d", size.nodes, size.jobs), func(b *testing.B) {
			w := busy(b, "GreedyPM */per/minvt=600", size.nodes, size.jobs, cluster.Constraint{})
			w.Submit(cluster.Spec{Tasks: 4, Need: 2000, Requirement: cluster.Requirement{Memory: 8 * gib}})
			measure(b, w)
		})
		b.Run(fmt.Sprintf("tick/%dx%d", size.nodes, size.jobs), func(b *testing.B) {
			w := busy(b, "GreedyPM */per/minvt=600", size.nodes, size.jobs, cluster.Constraint{})
			w.Clock = cluster.Hour
			measure(b, w)
		})
		b.Run(fmt.Sprintf("constrained/%dx%d", size.nodes, size.jobs), func(b *testing.B) {
			zone := cluster.Constraint{Match: []cluster.Pair{{Key: "zone", Value: "a"}}}
			w := busy(b, "GreedyPM */per/minvt=600", size.nodes, size.jobs, zone)
			w.Clock = cluster.Hour
			measure(b, w)
		})
	}
}

func measure(b *testing.B, w *policytest.World) {
	v := w.Look()
	if v.Pending().Empty() {
		b.Fatal("there is nothing to decide")
	}
	b.ReportAllocs()
	held := 0
	for b.Loop() {
		held = w.Policy.Decide(v).Target.Len()
	}
	jobs, _, _ := w.Counts()
	b.ReportMetric(float64(held), "held")
	b.ReportMetric(float64(jobs), "jobs")
}
