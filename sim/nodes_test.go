package sim_test

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/sim/check"
	"aliquot/workload"
)

func TestAFileOfNodesTellsTheirSpeeds(t *testing.T) {
	nodes, err := sim.ReadNodes(strings.NewReader("node,speed,cpu\na,1,1\nb,0.5,2\n"))
	if err != nil || len(nodes) != 2 {
		t.Fatal(nodes, err)
	}
	if b := nodes[1]; b.Name != "b" || b.Speed != 500 || b.CPU != workload.UnitCPU || b.Memory != workload.UnitMemory {
		t.Errorf("%+v", b)
	}
	for text, want := range map[string]string{
		"":                           "EOF",
		"node\n":                     "there are 0 nodes",
		"speed\n1\n":                 "line 2: node: the name is missing",
		"node,node\na,a\n":           "line 1: column \"node\" is unknown or twice there",
		"node\na\na\n":               "line 3: node: a is there twice",
		"node,speed\na,0\n":          "line 2: speed: \"0\" is no speed",
		"node,memory\na,1\nb,-1\n":   "line 3: memory: \"-1\" is not a number",
		"node,cpu\na,1\nbig,90000\n": "line 3: cpu: \"90000\"",
	} {
		if _, err := sim.ReadNodes(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A task of one vCPU has half of its need on a node of half the speed, and so takes twice as long there, under every
// kind of policy. It is a hundredth of a unit node.
func TestATaskTakesTwiceAsLongOnANodeOfHalfTheSpeed(t *testing.T) {
	nodes, err := sim.ReadNodes(strings.NewReader("node,speed\nslow,0.5\n"))
	if err != nil {
		t.Fatal(err)
	}
	jobs := []workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU / 100, Memory: workload.UnitMemory / 10,
		Runtime: 100 * cluster.Second}}
	for _, name := range []string{"GreedyPM */stable", "MCB8 */per/opt=avg", "FCFS", "EASY", "attained"} {
		p, err := catalog.Parse(name, 10*cluster.Minute)
		if err != nil {
			t.Fatal(err)
		}
		setup, seen := sim.Setup{Nodes: nodes, Policy: p}, sim.Recording{}
		seen.Observe(&setup)
		r, err := sim.Run(setup, jobs)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := check.Schedule(setup, jobs, r, seen); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := r.Jobs[0].Ended; took != 200*cluster.Second {
			t.Errorf("%s: it takes %v s", name, took.Seconds())
		}
	}
}
