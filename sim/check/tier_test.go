package check

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/sim"
	"aliquot/workload"
)

// piled places all jobs on the first node at full cap: the first job in the foreground, the others in the given tier.
type piled struct{ others cluster.Tier }

func (p piled) Decide(v *cluster.View) policy.Decision {
	target := v.TargetAll().Clone()
	for j := range v.Candidates() {
		if target.Get(j.ID) == nil {
			tier := p.others
			if j.ID == 1 {
				tier = cluster.Foreground
			}
			target.Set(j.ID, &cluster.Placement{Grant: tier.Grant(j.Spec.Need), Nodes: []cluster.NodeID{1}})
		}
	}
	return policy.Decision{Target: target}
}

func TestBackgroundTasksMayBeGrantedMoreThanANodeHasLeft(t *testing.T) {
	for _, c := range []struct {
		name   string
		memory cluster.Bytes
		tier   cluster.Tier
		want   string
	}{
		{"in the background", workload.UnitMemory / 4, cluster.Background, ""},
		{"in the foreground", workload.UnitMemory / 4, cluster.Foreground, "is to give 200000m"},
		{"in the background without the memory", workload.UnitMemory / 2, cluster.Background, "is to give 100000m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var jobs []workload.Job
			for id := range int64(3) {
				jobs = append(jobs, workload.Job{
					ID: id + 1, Submit: cluster.Time(id), Tasks: 1, Need: workload.UnitCPU, Memory: c.memory, Runtime: cluster.Minute,
				})
			}
			var spans []sim.Span
			s := sim.Setup{Nodes: sim.Units(1), Policy: piled{c.tier}, Cost: sim.Constant(0), Record: func(s sim.Span) {
				spans = append(spans, s)
			}}
			result, err := sim.Run(s, jobs)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v; want %q", err, c.want)
				}
				return
			}
			if err == nil {
				err = judge(s, jobs, result, spans)
			}
			if err != nil {
				t.Error(err)
			}
			for i := range spans {
				spans[i].Grant.Tier, spans[i].Grant.Guaranteed = cluster.Foreground, spans[i].Share
			}
			if err := judge(s, jobs, result, spans); err == nil || !strings.Contains(err.Error(), "node n1 gives 200000m") {
				t.Errorf("if all of it had been guaranteed: %v", err)
			}
		})
	}
}

// drawCores draws nodes of up to three cores, and scales the jobs so that a task needs a core at most.
func drawCores(t *rapid.T, jobs []workload.Job) (nodes []sim.Node) {
	for i := range jobs {
		jobs[i].Need = max(1, jobs[i].Need*cluster.Core/workload.UnitCPU)
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "nodes") {
		cores := rapid.IntRange(1, 3).Draw(t, "cores")
		speed := rapid.SampledFrom([]cluster.Speed{0, 500, 2000}).Draw(t, "speed")
		own := cluster.Core*cluster.CPU(cores) + cluster.CPU(rapid.IntRange(0, 900).Draw(t, "more"))
		nodes = append(nodes, sim.Node{Name: fmt.Sprint("n", i+1), Cores: cores, Memory: workload.UnitMemory,
			CPU: speed.Reference(own), Speed: speed})
	}
	return nodes
}

func TestPoliciesOfTwoTiersFillTheProcessorsOfNodes(t *testing.T) {
	for _, name := range []string{"KEASY", "REASY", "MEASY", "attained"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				jobs := drawJobs(t)
				nodes := drawCores(t, jobs)
				cost := rapid.SampledFrom([]sim.Cost{sim.Constant(20 * cluster.Second), sim.PlannedMoves(0.1)}).Draw(t, "cost")
				s, result, seen := runOn(t, name, cost, nodes, jobs, drawEvents(t, jobs, len(nodes))...)
				if err := Schedule(s, jobs, result, seen); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// Each of the two processors has half of what one of the reference has, and a task of a whole core fills one.
func TestASlowNodeDoesNoMoreThanItsProcessorsCan(t *testing.T) {
	for _, need := range []cluster.CPU{500, 1000} {
		var jobs []workload.Job
		for id := range int64(5) {
			jobs = append(jobs, workload.Job{ID: id + 1, Submit: cluster.Time(id), Tasks: 1, Need: need,
				Efficiency: cluster.Whole, Memory: workload.UnitMemory / 10, Runtime: cluster.Minute})
		}
		nodes := []sim.Node{{Name: "n1", CPU: 1000, Memory: workload.UnitMemory, Cores: 2, Speed: 500}}
		s, result, seen := runOn(t, "MEASY", sim.Constant(0), nodes, jobs)
		if err := Schedule(s, jobs, result, seen); err != nil {
			t.Errorf("jobs of %v: %v", need, err)
		}
		if least := cluster.Time(int64(need) * 5 / 1000); result.Jobs[4].Ended < least*cluster.Minute {
			t.Errorf("five jobs of %v for a minute end at %v s on 1000m", need, result.Jobs[4].Ended.Seconds())
		}
	}
}

func TestATaskOnAnotherProcessorIsFound(t *testing.T) {
	var jobs []workload.Job
	for id := range int64(3) {
		jobs = append(jobs, workload.Job{ID: id + 1, Submit: cluster.Time(id), Tasks: 1, Need: cluster.Core / 2,
			Memory: workload.UnitMemory / 10, Runtime: cluster.Minute})
	}
	nodes := []sim.Node{{Name: "n1", CPU: 2 * cluster.Core, Memory: workload.UnitMemory, Cores: 2}}
	for core, want := range map[cluster.CoreID]string{
		1: "node n1 is to be exclusive, and 2 jobs share it", 3: "ran on core 3 of node n1, which has 2",
	} {
		s, result, seen := runOn(t, "MEASY", sim.Constant(0), nodes, jobs)
		if err := Schedule(s, jobs, result, seen); err != nil {
			t.Fatal(err)
		}
		for i := range seen.Spans {
			if seen.Spans[i].Grant.Tier == cluster.Foreground {
				seen.Spans[i].Cores = []cluster.CoreID{core}
			}
		}
		if err := Schedule(s, jobs, result, seen); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("everybody on core %d: %v", core, err)
		}
	}
}
