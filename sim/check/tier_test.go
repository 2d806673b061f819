package check

import (
	"strings"
	"testing"

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
