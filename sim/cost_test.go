package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
	"aliquot/workload"
)

func TestPublishedPoliciesDecideTheSameWhateverReschedulingCosts(t *testing.T) {
	batch := []string{"FCFS", "EASY", "EASY/no-reserved", "conservative", "EASY/cores", "conservative/cores/exclusive"}
	published := slices.Concat(batch, policytest.Variants())
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(published), 5, 5).Draw(t, "policies") {
			decidesTheSameWhateverItCosts(t, name, nodes, jobs)
		}
	})
}

// priced is an oracle with other costs.
type priced struct {
	oracle
	costs func(*cluster.Job) cluster.Cost
}

func (p priced) Cost(j *cluster.Job) cluster.Cost { return p.costs(j) }

func decidesTheSameWhateverItCosts(t *rapid.T, name string, nodes int, jobs []workload.Job) {
	var runs [3]Result
	for i, costs := range []func(*cluster.Job) cluster.Cost{
		nil,
		func(*cluster.Job) cluster.Cost { return cluster.Cost{} },
		func(j *cluster.Job) cluster.Cost {
			return cluster.Cost{MoveTime: cluster.Time(j.ID%3) * cluster.Hour, MoveBytes: 1 << 40,
				Unpaid: cluster.Time(j.ID*j.ID) * cluster.Minute, Moves: int(j.ID), Weight: int64(j.ID % 2)}
		},
	} {
		m := newSimulation(setup(t, nodes, name), jobs)
		if costs != nil {
			m.model.Consult(priced{oracle{m}, costs})
		}
		var err error
		if runs[i], err = m.run(); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range runs[1:] {
		if diff := cmp.Diff(runs[0].Jobs, other.Jobs); diff != "" {
			t.Fatalf("%s (-as it is +blanked or made up):\n%s", name, diff)
		}
	}
}

// curious follows a script and records the view's cost of the first job.
type curious struct {
	script
	heard map[cluster.Time]cluster.Cost
}

func (c curious) Decide(v *cluster.View) policy.Decision {
	if j := v.Job(1); j != nil {
		c.heard[v.At/cluster.Second] = v.Cost(j)
	}
	return c.script.Decide(v)
}

func TestTheViewSaysWhatReschedulingCosts(t *testing.T) {
	p := curious{parseScript(
		"0s j1 1000m n1 n1\n10s j1 1000m n1 n2\n12s j1 500m n1 n2\n20s j1 paused\n30s j1 1000m n1 n2\n60s j1 500m n1 n2\n"),
		map[cluster.Time]cluster.Cost{}}
	job := workload.Job{ID: 5, Tasks: 2, Need: 1000, Memory: workload.UnitMemory / 2, Runtime: 100 * cluster.Second,
		Priority: 3}
	if _, err := Run(Setup{Nodes: Units(2), Policy: p, Cost: Live{4 * cluster.Second, 1}},
		[]workload.Job{job}); err != nil {
		t.Fatal(err)
	}
	plain := cluster.Cost{
		ResumeTime: 16 * cluster.Second, MoveTime: 4 * cluster.Second,
		PauseBytes: workload.UnitMemory, ResumeBytes: workload.UnitMemory, MoveBytes: workload.UnitMemory, Weight: 3,
	}
	moved, resumed := plain, plain
	moved.LastMoved, moved.Moves = 10*cluster.Second, 1
	resumed.LastMoved, resumed.Moves = 30*cluster.Second, 2
	paying := moved
	paying.Unpaid = 2 * cluster.Second
	want := map[cluster.Time]cluster.Cost{0: plain, 10: plain, 12: paying, 20: moved, 30: moved, 60: resumed}
	if diff := cmp.Diff(want, p.heard); diff != "" {
		t.Errorf("by second (-want +got):\n%s", diff)
	}
}

func TestCostModelsAreReadByName(t *testing.T) {
	for text, want := range map[string]Cost{
		"constant": Constant(cluster.Minute), "memory": Bandwidth(10), "memory=2.5": Bandwidth(2.5),
		"live": Live{cluster.Second, 10}, "live=300ms": Live{300 * cluster.Millisecond, 10},
	} {
		if got, err := ParseCost(text, cluster.Minute); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "free", "constant=3", "memory=", "memory=-1", "memory=NaN", "live=1", "live=-1s"} {
		if got, err := ParseCost(text, 0); err == nil {
			t.Errorf("%q is taken for %v", text, fmt.Sprint(got))
		}
	}
}
