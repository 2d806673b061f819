package check

import (
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// moving simulates the jobs where moves take time, and returns everything that Schedule checks.
func moving(t interface{ Fatalf(string, ...any) }, name string, bandwidth sim.PlannedMoves, nodes int,
	jobs []workload.Job, initials map[int64]sim.Initial, events ...workload.Event) (sim.Setup, sim.Result, sim.Recording) {
	p, err := catalog.Parse(name, 600*cluster.Second)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var seen sim.Recording
	s := sim.Setup{Nodes: sim.Units(nodes), Policy: p, Cost: bandwidth, Impossible: sim.Skip, Events: events,
		Initials: initials,
		Record:   func(s sim.Span) { seen.Spans = append(seen.Spans, s) },
		Start:    func(m sim.Moved) { seen.Moves = append(seen.Moves, m) }}
	result, err := sim.Run(s, jobs)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s, result, seen
}

func TestEveryPolicyProducesSchedulesThatHoldWhereMovesTakeTime(t *testing.T) {
	for _, name := range append(catalog.Names(), "EASY/cores/per-node=4", "GreedyPM */per/opt=min/minvt=600",
		"/stretch-per/opt=avg/minft=300") {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				jobs, nodes := drawJobs(t), rapid.IntRange(1, 4).Draw(t, "nodes")
				bandwidth := sim.PlannedMoves(rapid.SampledFrom([]float64{0.003, 0.05, 10}).Draw(t, "bandwidth"))
				s, result, seen := moving(t, name, bandwidth, nodes, jobs, nil, drawEvents(t, jobs, nodes)...)
				if err := Schedule(s, jobs, result, seen); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}
