package manager

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

// An older version's state may name a policy that is gone.
func TestAClusterWhosePolicyIsGoneKeepsAllThatItHasUntilAnotherIsSet(t *testing.T) {
	w := newWorldWith(t, "GreedyPM */per/opt=min/minvt=600/steady")
	n1 := w.node("n1")
	for _, part := range []string{"nothing is decided", `"GreedyPM */per/opt=min/minvt=600/steady"`, "GreedyPM */stable", "aliquot policy set"} {
		if problem := w.Health().Problem; !strings.Contains(problem, part) {
			t.Errorf("no %q in %q", part, problem)
		}
	}
	r, err := w.Do(t.Context(), admin, "", cluster.Submit{Spec: w.spec()})
	w.ok(err)
	w.obey(n1)
	if j := w.Latest().Job(r.Job); j == nil || j.Tasks[0].Node != 0 {
		t.Fatalf("%+v", j)
	}
	_, err = w.Do(t.Context(), admin, "", cluster.SetPolicy{Name: "GreedyPM */stable", Period: cluster.Minute})
	w.ok(err)
	w.until("the job runs", func() bool {
		w.obey(n1)
		return w.Latest().Job(r.Job).Tasks[0].Phase == cluster.Running
	})
	if problem := w.Health().Problem; problem != "" {
		t.Error(problem)
	}
}

func TestWhatHasBeenDecidedIsDoneAndUndoneUnderAPolicyThatIsGone(t *testing.T) {
	w := newWorldWith(t, "GreedyPM */per/opt=min/minvt=600/steady")
	n1 := w.node("n1")
	r, err := w.Do(t.Context(), admin, "", cluster.Submit{Spec: w.spec()})
	w.ok(err)
	w.until("somebody has placed it", func() bool {
		s := w.Latest()
		at := cluster.Placement{CPU: s.Job(r.Job).Spec.Need, Nodes: []cluster.NodeID{n1}}
		_, err := w.Do(t.Context(), admin, "", cluster.Enact{Basis: s.Revision, Decision: cluster.Adopt{Set: []cluster.Holding{{Job: r.Job, Placement: at}}}})
		return err == nil
	})
	w.until("the job runs", func() bool {
		w.obey(n1)
		return w.Latest().Job(r.Job).Tasks[0].Phase == cluster.Running
	})
	_, err = w.Do(t.Context(), admin, "", cluster.Cancel{Job: r.Job})
	w.ok(err)
	w.until("the cancelled job is over", func() bool {
		w.obey(n1)
		return w.Latest().Job(r.Job) == nil
	})
}
