package tiered

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// pair returns a cluster of two nodes of one core under KEASY, in the first of which a standard job of 100 s runs.
func pair(t *testing.T) *policytest.World {
	w := policytest.NewWorld(t, Policy{rule{name: "KEASY", way: kill}})
	for _, name := range []string{"n1", "n2"} {
		w.Join(name, cluster.Description{CPU: 1000, Memory: cluster.Bytes(1024) * cluster.MiB})
	}
	w.Submit(brief(2, 100))
	w.Decide()
	w.Settle()
	return w
}

func brief(tasks int, seconds cluster.Time) cluster.Spec {
	return cluster.Spec{Tasks: tasks, Need: 500, Requirement: cluster.Requirement{Memory: 64 * cluster.MiB},
		Estimate: seconds * cluster.Second}
}

func TestABackgroundJobNeverComesToTheForeground(t *testing.T) {
	w := pair(t)
	spec := brief(1, 10)
	spec.Class = cluster.BackgroundClass
	job := w.Submit(spec).Job
	w.Decide()
	w.Settle()
	if p := w.Target(job); p == nil || p.Tier != cluster.Background {
		t.Fatalf("it holds %+v", p)
	}
	for i := range 2 {
		w.End(cluster.TaskID{Job: 1, Index: i})
	}
	w.Decide()
	if p := w.Target(job); p == nil || p.Tier != cluster.Background {
		t.Errorf("on free nodes it holds %+v", p)
	}
}

func TestAJobThatMustNotRunTwiceIsNotSentWhereItMayBeKilled(t *testing.T) {
	w := pair(t)
	spec := brief(1, 10)
	spec.FailOnLoss = true
	job := w.Submit(spec).Job
	w.Decide()
	if p := w.Target(job); p != nil {
		t.Errorf("it holds %+v beside a foreground job", p)
	}
	spec.FailOnLoss = false
	other := w.Submit(spec).Job
	w.Decide()
	if p := w.Target(other); p == nil || p.Tier != cluster.Background {
		t.Errorf("another job holds %+v", p)
	}
}

func TestAJobThatMustNotRunTwiceIsNotKilledInTheBackgroundOfAnEarlierPolicy(t *testing.T) {
	w := policytest.NewWorld(t, Policy{rule{name: "MEASY", way: migrate}})
	for _, name := range []string{"n1", "n2"} {
		w.Join(name, cluster.Description{CPU: 1000, Memory: cluster.Bytes(1024) * cluster.MiB})
	}
	w.Submit(brief(1, 100))
	w.Submit(brief(1, 100))
	spec := brief(1, 10)
	spec.FailOnLoss = true
	job := w.Submit(spec).Job
	w.Decide()
	w.Settle()
	below := *w.Target(job)
	if below.Tier != cluster.Background {
		t.Fatalf("under MEASY it holds %+v", below)
	}
	w.Policy = Policy{rule{name: "KEASY", way: kill}}
	for id := range cluster.JobID(3) {
		if p := w.Target(id); p != nil && p.Nodes[0] != below.Nodes[0] {
			w.End(cluster.TaskID{Job: id})
		}
	}
	w.Decide()
	if p := w.Target(job); !p.Equal(&below) || w.Job(job).Tasks[0].Killed {
		t.Errorf("beside a free node it holds %+v", p)
	}
}
