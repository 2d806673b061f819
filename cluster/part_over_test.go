package cluster

import "testing"

// apart promises a job its work in a part on node a, which is over since a second, and one on node b. Nothing was
// decided since then.
func apart(t *testing.T) (w *promised, id JobID, b NodeID) {
	w = newPromised(t)
	w.later(Hour)
	a, b := w.node("a", 1000), w.node("b", 1000)
	for _, n := range []NodeID{a, b} {
		w.do(Report{Node: n, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	}
	w.reserveOn("b", 5*Minute, 85*Minute)
	w.reserveOn("a", 60*Minute, 90*Minute)
	spec := w.spec(1, 1000, nil)
	spec.Deadline = &Deadline{By: w.s.Now + 150*Minute, Lasts: 70 * Minute, Pausable: true}
	id = w.submit(spec)
	p := w.s.PromiseTo(id)
	if len(p.Later) != 1 || p.Nodes[0] != a || p.Later[0].Nodes[0] != b {
		t.Fatalf("it is promised %+v", p)
	}
	w.s.Now = p.Until + Second
	return w, id, b
}

// reserveOn reserves all of a node of a core for an interval that begins after a time.
func (w *promised) reserveOn(node string, after, lasts Time) {
	w.Helper()
	spec := w.spec(1, 1000, &Reservation{w.s.Now + after, lasts})
	spec.Placement.Nodes = []string{node}
	w.submit(spec)
}

func TestAPartWhoseNodeGoesAfterTheOneBeforeIsOverBreaksThePromiseAtOnce(t *testing.T) {
	w, id, b := apart(t)
	if r := w.do(SetNode{b, ForceCordon}); !told(r, JobPromiseBroken, id) || !w.s.PromiseTo(id).Broken() {
		t.Errorf("%+v after %+v", w.s.PromiseTo(id), r.Events)
	}
}

func TestMaintenanceThatWouldBreakALaterPartIsRefusedAfterTheOneBeforeIsOver(t *testing.T) {
	w, id, b := apart(t)
	from := w.s.PromiseTo(id).Later[0].From + 5*Minute
	a := Maintain{Node: b, From: from, Until: from + Hour}
	if r := w.s.Apply(w.s.Revision+1, w.command(a)); r.Rejection == nil {
		t.Errorf("accepted, with %+v", r.Events)
	}
	if a.Force = true; !told(w.do(a), JobPromiseBroken, id) {
		t.Error("forced, it tells nobody")
	}
}

func TestThePartsAfterOneThatIsOverAreKeptIfTheyHold(t *testing.T) {
	w, id, _ := apart(t)
	later := w.s.PromiseTo(id).Later
	w.do(Adopt{Basis: w.s.Revision})
	p := w.s.PromiseTo(id)
	if p.Broken() || !p.Parts()[0].equal(later[0]) || w.s.Snapshot(w.s.Now).Lacks(p) == 0 {
		t.Errorf("%+v, after %+v", p, later)
	}
	w.s.Now = p.Until
	if r := w.do(Adopt{Basis: w.s.Revision}); !told(r, JobPromiseBroken, id) {
		t.Errorf("at the end of the last one: %+v", r.Events)
	}
}

// Too little is kept after the part, until there is room for more.
func TestAPromiseThatHoldsTooLittleGetsMoreWhenThereIsRoom(t *testing.T) {
	for name, gain := range map[string]func(w *promised, id JobID) Result{
		"a reservation is cancelled": func(w *promised, _ JobID) Result { return w.do(Cancel{Job: 2}) },
		"the deadline is put off": func(w *promised, id JobID) Result {
			return w.do(Reschedule{id, w.s.Job(id).Spec.Deadline.By + Hour})
		},
	} {
		w, id, _ := apart(t)
		over := w.do(Adopt{Basis: w.s.Revision})
		lacks := w.s.Snapshot(w.s.Now).Lacks(w.s.PromiseTo(id))
		if !told(over, JobPartOver, id) || lacks < 10*Minute || lacks > 20*Minute {
			t.Fatalf("it lacks %v, after %+v", lacks, over.Events)
		}
		if r := gain(w, id); !told(r, JobRepromised, id) {
			t.Errorf("%s: %+v", name, r.Events)
		}
		if p := w.s.PromiseTo(id); p.Short || w.s.Snapshot(w.s.Now).Lacks(p) > 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestAPromiseThatHoldsTooLittleIsKeptIfNoOtherIsFound(t *testing.T) {
	w, id, _ := apart(t)
	w.do(Adopt{Basis: w.s.Revision})
	p := *w.s.PromiseTo(id)
	w.node("c", 100)
	if now := w.s.PromiseTo(id); now.Broken() || now.From != p.From || now.Until != p.Until {
		t.Errorf("%+v, after %+v", now, p)
	}
}

// At half of its speed the job makes up for what the promise does not hold, so its progress does not put it off.
func TestAPromiseThatHoldsTooLittleIsLookedAtWhenItFallsDue(t *testing.T) {
	w, id, _ := apart(t)
	w.do(Adopt{Basis: w.s.Revision})
	j := *w.s.Job(id)
	j.Clock.At, j.Clock.Share = w.s.Now, 500
	w.s.jobs.put(&j)
	if p := w.s.PromiseTo(id); w.s.wake(p) != p.Due() {
		t.Errorf("it is looked at at %v, and falls due at %v", w.s.wake(p), p.Due())
	}
}

func TestNoPartsAreFoundForAPromiseThatMovesWhereNothingCanBePaused(t *testing.T) {
	w := newPromised(t)
	w.later(Hour)
	a, b := w.node("a", 1000), w.node("b", 1000)
	w.do(Report{Node: a, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	w.reserveOn("a", 20*Minute, 20*Minute)
	w.reserveOn("a", 80*Minute, 20*Minute)
	spec := w.spec(1, 1000, nil)
	spec.Deadline = &Deadline{By: w.s.Now + 150*Minute, Lasts: 60 * Minute, Pausable: true}
	id := w.submit(spec)
	w.do(Report{Node: a, FenceAlive: true})
	if w.do(SetNode{b, ForceCordon}); !w.s.PromiseTo(id).Broken() {
		t.Fatalf("without a store: %+v", w.s.PromiseTo(id))
	}
	w.do(Report{Node: a, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	if p := w.s.PromiseTo(id); len(p.Later) == 0 {
		t.Errorf("with one again: %+v", p)
	}
}

func told(r Result, kind EventKind, id JobID) bool {
	for _, e := range r.Events {
		if e.Kind == kind && e.Job == id {
			return true
		}
	}
	return false
}
