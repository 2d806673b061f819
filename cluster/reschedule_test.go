package cluster

import (
	"strings"
	"testing"
)

// Without a quota an owner is promised half of the nodes at a time, also by deadlines that are moved onto another's
// time.
func TestAnEarlierDeadlineStaysWithinHalfOfTheNodes(t *testing.T) {
	w := &promised{t, Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})}
	w.do(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	w.do(Claim{Replica: 1, Term: 1})
	w.node("a", 1000)
	w.node("b", 1000)
	by := func(end Time) JobID {
		spec := w.spec(1, 1000, nil)
		spec.Deadline = &Deadline{By: end, Lasts: 50 * Minute}
		return w.submit(spec)
	}
	by(Hour)
	later := by(5 * Hour)
	move := func(by Time) Result {
		return w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Epoch: w.s.Epoch, Action: Reschedule{later, by}})
	}
	if r := move(-4 * Hour); codeOf(r) != CodeNoPromise || !strings.Contains(r.Rejection.Detail, "half of the nodes") {
		t.Errorf("at the time of the other: %+v", r)
	}
	if r := move(-3 * Hour); r.Rejection != nil {
		t.Errorf("after the other: %v", r.Rejection)
	}
}

// extended is a cluster of two cores, of which one and a half are promised for the hour from 02:01 on. root has half a
// core for the one from 01:00 on.
func extended(t *testing.T) (*promised, JobID) {
	w := priced(t)
	for _, c := range []struct {
		owner string
		need  CPU
	}{{"ann", 1000}, {"bob", 500}} {
		spec := w.spec(1, c.need, &Reservation{2*Hour + Minute, Hour})
		spec.Owner = c.owner
		w.submit(spec)
	}
	return w, w.submit(w.spec(1, 500, &Reservation{Hour, Hour}))
}

// pays returns what a job is promised for, in core-hours.
func (w *promised) pays(id JobID) float64 { return w.s.PromiseTo(id).Price.CoreHours() }

func TestAnExtensionCostsWhatANewPromiseOfTheWholeWould(t *testing.T) {
	w, id := extended(t)
	before := w.pays(id)
	quote := w.s.bookedBut(id).price(w.spec(1, 500, &Reservation{Hour, 2 * Hour})).CoreHours()
	for range 5 { // moving it to and fro gains nothing
		w.do(Reschedule{id, Hour})
		if got := w.pays(id); got != quote || quote <= before {
			t.Errorf("it cost %v, and a new promise of the whole %v: extended, %v", before, quote, got)
		}
		w.do(Reschedule{id, -Hour})
		if got := w.pays(id); got != before {
			t.Errorf("it cost %v, and given back %v", before, got)
		}
	}
}

func TestAnExtensionThatIsTakenBackAtOnceCostsNothing(t *testing.T) {
	w := priced(t)
	id := w.submit(w.spec(1, 500, &Reservation{Hour, Hour}))
	before := w.pays(id)
	w.do(Reschedule{id, 30 * Minute})
	more := w.pays(id)
	w.do(Reschedule{id, -30 * Minute})
	if got := w.pays(id); more <= before || got != before {
		t.Errorf("it cost %v, extended %v, and then %v", before, more, got)
	}
}

func TestAnExtensionStaysWithinBudgetAndTheta(t *testing.T) {
	for name, c := range map[string]struct {
		budget Price
		theta  Theta
		want   string
	}{
		"budget": {CoreHour / 10, 0, "is above the budget of 0.1 core-hours; possible now: until 1970-01-01 02:"},
		"theta":  {0, 50, "above the limit of 0.1 core-hours that all promises have: theta is 0.05; possible now: until 1970-01-01 02:"},
	} {
		w, _ := extended(t)
		spec := w.spec(1, 500, &Reservation{Hour, Hour})
		spec.Owner, spec.Budget = "cid", c.budget
		w.do(Cancel{Job: w.s.NextJob - 1})
		id := w.submit(spec)
		w.dial(c.theta)
		before := w.s.Hash()
		r := w.try(root, Reschedule{id, Hour})
		if r == nil || r.Code != CodeNoPromise || r.Field != "by" || !strings.Contains(r.Detail, c.want) {
			t.Fatalf("%s: %v", name, r)
		}
		if w.s.Revision--; w.s.Hash() != before {
			t.Errorf("%s: it changed something", name)
		}
		a := r.Alternatives[0]
		w.do(Reschedule{id, a.end() - 2*Hour})
		if got := w.s.PromiseTo(id).Price; got != a.Price || got > CoreHour/10 {
			t.Errorf("%s: %v, told was %v", name, got, a.Price)
		}
	}
}

func TestANearerDeadlineCostsWhatItsWindowDoes(t *testing.T) {
	w := busy(t)
	spec := w.thrifty()
	spec.Reserve, spec.Deadline, spec.Budget = nil, &Deadline{Ready: Hour, By: 20 * Hour, Lasts: 30 * Minute}, CoreHour/50
	id := w.submit(spec)
	before := w.pays(id)
	w.do(Reschedule{id, 10 * Hour})
	if got := w.pays(id); got != before {
		t.Errorf("later: %v instead of %v", got, before)
	}
	r := w.try(root, Reschedule{id, -(30*Hour - 150*Minute)})
	if r == nil || r.Field != "by" || !strings.Contains(r.Detail, "is above the budget of 0.02") {
		t.Errorf("too dear: %v", r)
	}
	w.do(Reschedule{id, -(30*Hour - 5*Hour)})
	if got := w.pays(id); got <= before || got > 0.02 {
		t.Errorf("nearer: %v, at first %v", got, before)
	}
}

// Promises that were made before θ was set may be given back in part, or moved without costing more.
func TestThetaDoesNotHinderWhatCostsNoMore(t *testing.T) {
	w := busy(t)
	spec := w.thrifty()
	spec.Budget = 0
	id := w.submit(spec)
	w.dial(1)
	before := w.pays(id)
	w.do(Reschedule{id, 2 * Hour}) // idle hours: the whole is cheaper than the busy one alone
	if got := w.pays(id); got != before {
		t.Errorf("extended by idle hours it costs %v, and cost %v", got, before)
	}
	w.do(Reschedule{id, -150 * Minute})
	if r := w.try(root, Reschedule{id, 10 * Minute}); r == nil || r.Field != "by" {
		t.Errorf("extended: %v", r)
	}
}
