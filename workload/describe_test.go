package workload

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"aliquot/cluster"
)

func TestStreamsAreSummedUp(t *testing.T) {
	jobs := []Job{
		{ID: 1, Submit: 0, Tasks: 1, Need: UnitCPU / 4, Memory: UnitMemory / 10, Runtime: cluster.Hour, User: "a"},
		{ID: 2, Submit: 24 * cluster.Hour, Tasks: 3, Need: UnitCPU, Memory: UnitMemory / 2, Runtime: 2 * cluster.Hour,
			User: "b", Estimate: 1},
		{ID: 3, Submit: 48 * cluster.Hour, Tasks: 4, Need: UnitCPU, Memory: UnitMemory / 2, Runtime: cluster.Hour, User: "a"},
		{ID: 4, Submit: 48 * cluster.Hour, Tasks: 1, Need: UnitCPU / 4, Memory: UnitMemory, Runtime: cluster.Hour},
	}
	want := Description{
		Jobs: 4, Tasks: 9, Users: 2, Days: 2, NodeHours: 12, CPUHours: 10.5, Nodes: 2, Load: new(12. / 96),
		Serial: 0.5, PowerOf2: 0.75, Estimated: 0.25,
		Gap:     Spread{0, 0, 0, 43200, 86400, 86400},
		Size:    Spread{1, 1, 1, 2.25, 4, 4},
		Need:    Spread{0.25, 0.25, 0.25, 0.625, 1, 1},
		Memory:  Spread{0.1, 0.1, 0.5, 0.525, 1, 1},
		Runtime: Spread{3600, 3600, 3600, 4500, 7200, 7200},
	}
	if diff := cmp.Diff(want, Describe(jobs, 2), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Description{Nodes: 2}, Describe(nil, 2)); diff != "" {
		t.Error(diff)
	}
	if d := Describe(jobs[:1], 2); d.Load != nil || math.IsNaN(d.Gap.Mean) {
		t.Errorf("one job: %+v", d)
	}
}

func TestRoundingGivesMultiplesAndNeverNothing(t *testing.T) {
	jobs := []Job{
		{ID: 1, Tasks: 1, Need: 123, Memory: 12_345 * memoryStep, Runtime: 1},
		{ID: 2, Tasks: 1, Need: UnitCPU, Memory: UnitMemory, Runtime: 1},
		{ID: 3, Tasks: 1, Need: 49_500, Memory: 99_600 * memoryStep, Runtime: 1},
	}
	want := []Job{
		{ID: 1, Tasks: 1, Need: 1000, Memory: 12_000 * memoryStep, Runtime: 1},
		{ID: 2, Tasks: 1, Need: UnitCPU, Memory: UnitMemory, Runtime: 1},
		{ID: 3, Tasks: 1, Need: 50_000, Memory: UnitMemory, Runtime: 1},
	}
	if diff := cmp.Diff(want, Round(jobs, 0.01)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Round(jobs, 0.3)[1]; got.Need != 90_000 || got.Check() != nil {
		t.Errorf("a fraction that does not divide a node: %+v", got)
	}
}
