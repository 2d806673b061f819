package manager

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/wire"
)

// An older version's state may name a policy that is gone.
func TestAClusterWhosePolicyIsGoneKeepsAllThatItHasUntilAnotherIsSet(t *testing.T) {
	w := newWorldWith(t, "GreedyPM */per/opt=min/minvt=600/steady")
	n1 := w.node("n1")
	for _, part := range []string{"no jobs are scheduled", `"GreedyPM */per/opt=min/minvt=600/steady"`,
		"GreedyPM */stable", "aliquot policy set"} {
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

func TestUnderAPolicyForSimulationsOnlyJobsWaitAndNoneIsRefused(t *testing.T) {
	var written lines
	w := newWorldLogging(t, "reserve/FF", zerolog.New(&written))
	n1 := w.node("n1")
	r, err := w.Do(t.Context(), admin, "", cluster.Submit{Spec: w.spec()})
	w.ok(err)
	w.until("the leader has tried to decide", func() bool { return written.count("no jobs are scheduled") == 1 })
	if problem := w.Health().Problem; !strings.Contains(problem, "no jobs are scheduled") ||
		!strings.Contains(problem, "simulations") {
		t.Error(problem)
	}
	_, err = w.Do(t.Context(), admin, "", cluster.SetPolicy{Name: "GreedyPM */stable", Period: cluster.Minute})
	w.ok(err)
	w.until("the job runs", func() bool {
		w.obey(n1)
		j := w.Latest().Job(r.Job)
		return j != nil && j.Tasks[0].Phase == cluster.Running
	})
}

func TestThatAPolicyIsGoneIsLoggedOnceAndWhenItIsNoMore(t *testing.T) {
	var written lines
	w := newWorldLogging(t, "GreedyPM */per/opt=min/minvt=600/steady", zerolog.New(&written))
	n1 := w.node("n1")
	r, err := w.Do(t.Context(), admin, "", cluster.Submit{Spec: w.spec()})
	w.ok(err)
	w.placed(r.Job, n1)
	w.until("the job runs, which has taken steps", func() bool {
		w.obey(n1)
		return w.Latest().Job(r.Job).Tasks[0].Phase == cluster.Running
	})
	if n := written.count("no jobs are scheduled"); n != 1 {
		t.Errorf("logged %d times", n)
	}
	for _, name := range []string{"GreedyPM */stable", "FCFS"} {
		_, err = w.Do(t.Context(), admin, "", cluster.SetPolicy{Name: name, Period: cluster.Minute})
		w.ok(err)
	}
	w.until("its end is logged", func() bool { return written.count("scheduling resumes") == 1 })
	_, err = w.Do(t.Context(), admin, "", cluster.SetPolicy{Name: "Nobody's", Period: cluster.Minute})
	w.ok(err)
	w.until("another one is logged", func() bool { return written.count("no jobs are scheduled") == 2 })
}

func TestHealthTellsOfTheClockAndOfThePolicy(t *testing.T) {
	w := newWorldWith(t, "GreedyPM */per/opt=min/minvt=600/steady")
	m := New(Config{Replica: 2, Clock: func() time.Time {
		return time.Now().Add(-time.Hour)
	}, Elapsed: wire.Boottime}, w.store, w.events, w.Manager.images)
	for _, part := range []string{"behind the cluster's", "no jobs are scheduled"} {
		if problem := m.Health().Problem; !strings.Contains(problem, part) {
			t.Errorf("no %q in %q", part, problem)
		}
	}
}

func TestWhatHasBeenDecidedIsDoneAndUndoneUnderAPolicyThatIsGone(t *testing.T) {
	w := newWorldWith(t, "GreedyPM */per/opt=min/minvt=600/steady")
	n1 := w.node("n1")
	r, err := w.Do(t.Context(), admin, "", cluster.Submit{Spec: w.spec()})
	w.ok(err)
	w.placed(r.Job, n1)
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

// placed places the job on the node, as an administrator would.
func (w *world) placed(id cluster.JobID, on cluster.NodeID) {
	w.Helper()
	w.until("somebody has placed it", func() bool {
		s := w.Latest()
		at := cluster.Placement{Grant: cluster.Foreground.Grant(s.Job(id).Spec.Need), Nodes: []cluster.NodeID{on}}
		_, err := w.Do(w.Context(), admin, "",
			cluster.Enact{Basis: s.Revision, Decision: cluster.Adopt{Set: []cluster.Holding{{Job: id, Placement: at}}}})
		return err == nil
	})
}

// lines returns the logged lines.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}
