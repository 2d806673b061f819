package cluster

import (
	"math"
	"strings"
	"testing"
)

// unable submits a job that is refused.
func (w *promised) unable(spec *Spec, hold Time) *Rejection {
	w.Helper()
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Action: Submit{spec, hold}})
	switch {
	case r.Offered != nil:
		return r.Offered
	case r.Rejection == nil:
		w.Fatalf("%v is accepted", spec.Budget)
	}
	return r.Rejection
}

// busy is a cluster of two cores, of which one and a half are promised for an hour.
func busy(t *testing.T) *promised {
	w := priced(t)
	first := w.spec(1, 1000, &Reservation{Hour, Hour})
	w.submit(first)
	second := w.spec(1, 500, &Reservation{Hour, Hour})
	second.Owner = "bob"
	w.submit(second)
	return w
}

// thrifty is a job of half a core for an hour that costs half a core-hour in the busy hour, and 0.02 without others.
func (w *promised) thrifty() *Spec {
	spec := w.spec(1, 500, &Reservation{Hour, Hour})
	spec.Owner, spec.Budget = "cid", CoreHour/10
	return spec
}

func TestAReservationAboveItsBudgetIsOfferedCheaperLater(t *testing.T) {
	w := busy(t)
	r := w.unable(w.thrifty(), Minute)
	if r.Code != CodeNoPromise || r.Field != "budget" ||
		!strings.Contains(r.Detail, "0.5 core-hours, is above the budget of 0.1 core-hours") {
		t.Fatal(r)
	}
	later := r.Alternatives[0]
	if later.Start <= Hour || later.Start >= 2*Hour || later.Lasts != Hour || later.Price > CoreHour/10 {
		t.Errorf("the first alternative: %+v", later)
	}
	w.do(DeclineOffer{later.Offer})
	sooner := w.thrifty()
	sooner.Reserve.Start = later.Start - Minute
	if r := w.unable(sooner, 0); r.Field != "budget" {
		t.Errorf("a minute earlier: %v", r)
	}
	for _, a := range r.Alternatives {
		if a.Offer == 0 || a.Price > CoreHour/10 || a.Price == 0 {
			t.Errorf("%+v", a)
		}
	}
	enough := w.thrifty()
	enough.Budget = CoreHour / 2
	w.submit(enough)
}

func TestADeadlineAboveItsBudgetIsOfferedALaterOne(t *testing.T) {
	w := busy(t)
	spec := w.thrifty()
	spec.Reserve, spec.Deadline = nil, &Deadline{Ready: Hour, By: 150 * Minute, Lasts: 30 * Minute}
	spec.Budget = CoreHour / 50
	r := w.unable(spec, Minute)
	if len(r.Alternatives) == 0 || r.Field != "budget" {
		t.Fatal(r)
	}
	a := r.Alternatives[0]
	if a.By <= spec.Deadline.By || a.Price > spec.Budget || a.Offer == 0 {
		t.Errorf("the first alternative: %+v", a)
	}
	w.do(DeclineOffer{a.Offer})
	if r := w.unable(spec.due(a.By-Minute), 0); r.Field != "budget" {
		t.Errorf("a minute earlier: %v", r)
	}
	w.do(AcceptOffer{w.unable(spec, Minute).Alternatives[0].Offer})
}

func TestFewerTasksOrLessTimeFitABudget(t *testing.T) {
	w := priced(t)
	spec := w.spec(4, 500, &Reservation{Hour, Hour})
	spec.Budget = CoreHour / 10 // all nodes cost two core-hours
	r := w.unable(spec, Minute)
	if len(r.Alternatives) != 2 || r.Alternatives[0].Tasks != 1 || r.Alternatives[1].Lasts >= Hour {
		t.Errorf("%v: %+v", r, r.Alternatives)
	}
}

func TestABudgetIsAboveZeroAndForAPromise(t *testing.T) {
	w := priced(t)
	for name, c := range map[string]struct {
		budget  Price
		reserve *Reservation
		want    string
	}{
		"negative":   {-1, &Reservation{Hour, Hour}, "must be above 0"},
		"huge":       {maxBudget + 1, &Reservation{Hour, Hour}, "at most 1e+11 core-hours"},
		"no promise": {CoreHour, nil, "nothing else has a price"},
	} {
		spec := w.spec(1, 500, c.reserve)
		spec.Budget = c.budget
		if r := w.unable(spec, 0); r.Code != CodeInvalid || r.Field != "budget" || !strings.Contains(r.Detail, c.want) {
			t.Errorf("%s: %v", name, r)
		}
	}
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e12} {
		if p, err := ParseBudget(bad); err == nil {
			t.Errorf("%v is %v", bad, p)
		}
	}
	for good, want := range map[float64]Price{3: 3 * CoreHour, 0.1: CoreHour / 10, 1e-12: 1, 1e11: maxBudget} {
		if p, err := ParseBudget(good); err != nil || p != want {
			t.Errorf("%v is %v, %v", good, p, err)
		}
	}
}

func TestABudgetIsRefusedUntilAllReplicasKnowIt(t *testing.T) {
	w := priced(t)
	spec := w.spec(1, 500, &Reservation{Hour, Hour})
	spec.Budget = CoreHour
	w.s.Format = prices - 1
	if r := w.unable(spec, 0); r.Code != CodeConflict || !strings.Contains(r.Detail, "needs format 7") {
		t.Error(r)
	}
	w.s.Format = prices
	w.submit(spec)
}
