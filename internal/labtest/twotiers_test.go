package labtest

import (
	"testing"

	"aliquot/web/api"
)

// onOneNode returns an endless job that a node has a foreground and a background for.
func onOneNode(node string) api.JobSpec {
	spec := counting(endless, "100m")
	spec.Estimate = "1h"
	if node != "" {
		spec.Placement = &api.Placement{Nodes: []string{node}}
	}
	return spec
}

// sunk fills the foreground of every node, one job each, and returns these jobs by node, and one that had to go to the
// background of n1, whose foreground leaves most.
func (s *scene) sunk(policy string) (above map[string]string, below string) {
	s.t.Helper()
	s.empty()
	s.need(s.api.SetPolicy(s.ctx, api.Policy{Name: policy, Period: "24h"}))
	above = map[string]string{}
	for _, p := range places {
		above[p.name] = s.submitOne(onOneNode(p.name))
	}
	below = s.submitOne(onOneNode(""))
	j := s.awaitThat(below, "at work in the background", ended, func(j api.Job) bool {
		return j.Tasks[0].State == "running"
	})
	if j.Tasks[0].Tier != "background" || j.Tasks[0].Node != "n1" {
		s.t.Fatalf("want it in the background of n1: %s", show(j))
	}
	s.awaitCount(below, 0, 2, ended)
	return above, below
}

// risen returns the job when it is at work in the foreground of the node.
func (s *scene) risen(id, node string) api.Job {
	s.t.Helper()
	return s.awaitThat(id, "at work in the foreground of "+node, ended, func(j api.Job) bool {
		return j.Tasks[0].State == "running" && j.Tasks[0].Tier == "foreground" && j.Tasks[0].Node == node
	})
}

func TestABackgroundJobComesToTheForegroundAsItsPolicySays(t *testing.T) {
	s := begin(t)

	above, below := s.sunk("KEASY")
	s.need(s.api.Cancel(s.ctx, above["n2"], "room for another"))
	if j := s.risen(below, "n2"); j.Tasks[0].Run != 2 || j.Tasks[0].Losses != 0 || j.Tasks[0].Failures != 0 {
		t.Errorf("under KEASY it should start anew: %s", show(j))
	}
	s.awaitCount(below, 0, 2, ended)
	s.wantOrder(s.events(below), []string{"job_killed " + below, "task_started " + below})

	above, below = s.sunk("MEASY")
	written := s.counted(below, 0)
	s.need(s.api.Cancel(s.ctx, above["n2"], "room for another"))
	if j := s.risen(below, "n2"); j.Tasks[0].Run != 1 {
		t.Errorf("under MEASY it should keep its work: %s", show(j))
	}
	s.awaitCount(below, 0, written+2, ended)

	above, below = s.sunk("REASY")
	written = s.counted(below, 0)
	s.need(s.api.Cancel(s.ctx, above["n2"], "room for another"))
	s.await(above["n2"], "cancelled", ended)
	s.need(s.api.Cancel(s.ctx, above["n1"], "room for another"))
	if j := s.risen(below, "n1"); j.Tasks[0].Run != 1 {
		t.Errorf("under REASY it should go on where it is: %s", show(j))
	}
	s.awaitCount(below, 0, written+2, ended)
	for _, kind := range []string{"job_killed", "task_migrated", "task_paused"} {
		if found := s.events(below, kind); len(found) > 0 {
			t.Errorf("under REASY there is %s: %v", kind, found)
		}
	}
}
