package tiered

import (
	"testing"

	"aliquot/cluster"
	"aliquot/policy/policytest"
)

// sleeper returns a node of one core with a job in its foreground that needs all of it and has used the given
// millicores for a minute, and a second job, on which the policy decides then.
func sleeper(t *testing.T, parameters []string, used cluster.CPU) *policytest.World {
	t.Helper()
	p, err := New("MEASY", parameters, 0)
	if err != nil {
		t.Fatal(err)
	}
	w := policytest.NewWorld(t, p)
	w.Join("n1", cluster.Description{CPU: 1000, Memory: cluster.Bytes(1024) * cluster.MiB})
	w.Submit(full(1, 1000))
	w.Decide()
	w.Settle()
	for _, work := range []cluster.Work{{}, {Ran: cluster.Time(used) * 60_000}} {
		w.Clock += cluster.Minute
		w.Do(cluster.Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: w.Store,
			Observations: []cluster.Observation{{Run: cluster.RunID{Job: 1, Number: 1}, Seen: cluster.SeenRunning, Cap: 1000,
				Tiered: true, Work: &work}}})
	}
	w.Submit(full(1, 1000))
	w.Decide()
	return w
}

func TestAForegroundCountsWithWhatItWasMeasuredToUse(t *testing.T) {
	if p := sleeper(t, nil, 959).Target(2); p == nil || p.Tier != cluster.Background {
		t.Errorf("above it is use for a background, but the job holds %+v", p)
	}
	if p := sleeper(t, nil, 960).Target(2); p != nil {
		t.Errorf("above it the node is busy, but the job holds %+v", p)
	}
}

func TestWhatWasMeasuredMayBeIgnored(t *testing.T) {
	if p := sleeper(t, []string{"use=declared"}, 0).Target(2); p != nil {
		t.Errorf("above it the node is declared busy, but the job holds %+v", p)
	}
}
