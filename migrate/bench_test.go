package migrate

import (
	"fmt"
	"testing"

	"aliquot/cluster"
)

// BenchmarkBuild1000x10000 plans the start of 10,000 jobs on 1,000 nodes, and plans again when they run and nothing
// is left to do.
func BenchmarkBuild1000x10000(b *testing.B) {
	w := newWorld(b.Fatalf)
	do := func(a cluster.Action) cluster.Result { // applies without checking the whole state
		root := cluster.Actor{Name: "root", Role: cluster.System}
		return w.s.Apply(w.s.Revision+1, cluster.Command{At: w.s.Now + 1, Actor: root, Epoch: w.s.Epoch, Action: a})
	}
	for i := range 1000 {
		do(cluster.Join{Name: fmt.Sprint("n", i), Boot: "boot", Description: cluster.Description{CPU: 100_000,
			Memory: 1000 * unit}})
	}
	var set []cluster.Holding
	for i := range 10_000 {
		j := do(cluster.Submit{Spec: &cluster.Spec{Image: testImage, Tasks: 1, Need: 1000,
			Requirement: cluster.Requirement{Memory: unit}}}).Job
		set = append(set, cluster.Holding{Job: j, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(500),
			Nodes: []cluster.NodeID{cluster.NodeID(1 + i%1000)}}})
	}
	do(cluster.Adopt{Set: set})
	b.Run("starts", func(b *testing.B) { build(b, w.view(), 10_000) })

	var moves []cluster.Move
	for _, s := range Build(w.view()).Steps {
		moves = append(moves, s.Move)
	}
	do(cluster.StartMoves{Moves: moves})
	reports := make([]cluster.Report, 1000)
	for m := range w.s.Moves() {
		r := &reports[m.To-1]
		r.Node, r.Observations = m.To, append(r.Observations, cluster.Observation{
			Run: cluster.RunID{Job: m.Task.Job, Number: m.Run}, Move: m.ID, Seen: cluster.SeenRunning, Cap: m.CPU,
		})
	}
	for _, r := range reports {
		do(r)
	}
	b.Run("settled", func(b *testing.B) { build(b, w.view(), 0) })
}

func build(b *testing.B, v *cluster.View, steps int) {
	b.ReportAllocs()
	for b.Loop() {
		if p := Build(v); len(p.Steps) != steps {
			b.Fatalf("%d steps", len(p.Steps))
		}
	}
}
