package cluster

import "testing"

// gapped promises a job its work in two parts, before and after an interval that another one has.
func (w *margined) gapped(lasts Time) JobID {
	w.Helper()
	w.submit(w.spec(1, 1000, &Reservation{w.s.Now + 60*Minute, 30 * Minute}))
	spec := w.spec(1, 1000, nil)
	spec.Deadline = &Deadline{By: w.s.Now + 150*Minute, Lasts: lasts, Pausable: true}
	return w.submit(spec)
}

// The node takes more than the margin, and no other room is left: the second part is kept. Only the last one is
// measured.
func TestAPartInWhichTooMuchIsLostLeavesTheLaterOnes(t *testing.T) {
	w := newMargined(t, Whole/10)
	id := w.gapped(114 * Minute)
	first := w.s.PromiseTo(id)
	if len(first.Later) != 1 {
		t.Fatalf("it is promised %+v", first)
	}
	over, lost := false, len(w.s.losses)
	for w.s.Now < first.Later[0].From {
		if !over && w.s.Now >= first.Until {
			over = true
			other := w.spec(1, 1000, &Reservation{first.Later[0].From + Minute, 45 * Minute})
			if r := w.s.Apply(w.s.Revision+1, w.command(Submit{Spec: other})); r.Rejection == nil {
				t.Error("another job is promised the time of the second part")
			}
		}
		w.goOn(id, 0)
	}
	if p := w.s.PromiseTo(id); p == nil || p.Broken() || p.Until != first.Later[0].Until {
		t.Fatalf("in the second part it is promised %+v, which was %+v", p, first.Later[0])
	}
	if !over || len(w.s.losses) > lost {
		t.Errorf("between the parts something was tried: %v, and %d losses are measured", over, len(w.s.losses))
	}
}

func TestNoPartsArePromisedWhereNothingCanBePaused(t *testing.T) {
	w := newMargined(t, 0)
	w.s.StoreFree = -1
	w.submit(w.spec(1, 1000, &Reservation{w.s.Now + 60*Minute, 30 * Minute}))
	spec := w.spec(1, 1000, nil)
	spec.Deadline = &Deadline{By: w.s.Now + 150*Minute, Lasts: 100 * Minute, Pausable: true}
	if r := w.unbookable(spec); r == nil || r.Code != CodeNoPromise {
		t.Errorf("%+v", r)
	}
}
