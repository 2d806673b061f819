package manager

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/policy"
)

// stubborn is a policy whose decisions can never be adopted.
type stubborn struct{}

func (stubborn) Decide(v *cluster.View) policy.Decision {
	d := policy.Decision{Target: v.TargetAll().Clone()}
	for j := range v.Jobs() {
		d.Target.Set(j.ID, &cluster.Placement{Grant: cluster.Foreground.Grant(j.Spec.Need + 1),
			Nodes: make([]cluster.NodeID, j.Live())})
	}
	return d
}

func TestALeaderBacksOffADecisionThatCannotBeAdoptedAndSaysSo(t *testing.T) {
	var written lines
	w := newWorldAfter(t, "FCFS", zerolog.New(&written), func(m *Manager) {
		m.parse = func(string, cluster.Time) (policy.Policy, error) { return stubborn{}, nil }
	})
	r, err := w.Do(t.Context(), admin, "", cluster.Submit{Spec: w.spec()})
	w.ok(err)
	w.until("operators are told", func() bool { return w.Health().Backoff >= loudBackoff })
	if proposals := w.Latest().Revision - r.Revision; proposals > 20 { // by then, 5 decisions
		t.Errorf("%d proposals until the back-off was %v s", proposals, w.Health().Backoff.Seconds())
	}
	if problem := w.Health().Problem; !strings.Contains(problem, "aliquot policy set") {
		t.Errorf("the problem is %q", problem)
	}
	w.until("it is logged", func() bool { return written.count("cannot be adopted") > 0 })
	if written.count(r.Job.String()) == 0 {
		t.Error("the log does not name the job")
	}
	w.epoch.Store(0) // the state of a leader that was just elected
	w.until("a new leader begins without a back-off", func() bool {
		return w.epoch.Load() != 0 && w.Health().Backoff < loudBackoff
	})
}
