package tiered

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// The head j3 needs both nodes. When j2 ends, j4 may overtake it.
func TestJobsComeToTheForegroundWhereEndsDoNotTellTheirTier(t *testing.T) {
	w := policytest.NewWorld(t, Policy{rule{name: "MEASY", way: migrate}})
	w.Format = cluster.FirstFormat
	for _, name := range []string{"n1", "n2"} {
		w.Join(name, cluster.Description{CPU: 1000, Memory: cluster.Bytes(1024) * cluster.MiB})
	}
	for _, spec := range []cluster.Spec{full(1, 100), full(1, 20), full(2, 50), full(1, 50)} {
		w.Submit(spec)
	}
	w.Decide()
	w.Settle()
	w.End(cluster.TaskID{Job: 2})
	w.Decide()
	if p := w.Target(4); p == nil || p.Tier != cluster.Foreground {
		t.Errorf("beside a free node it holds %+v", p)
	}
}

// full returns a job whose tasks need a whole node of one core each.
func full(tasks int, seconds cluster.Time) cluster.Spec {
	s := brief(tasks, seconds)
	s.Need = 1000
	return s
}
