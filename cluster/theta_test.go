package cluster

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// try applies an action of the actor, and returns why it is rejected, or nil.
func (w *promised) try(by Actor, a Action) *Rejection {
	return w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: by, Epoch: w.s.Epoch,
		Action: a}).Rejection
}

// dial sets θ, in thousandths.
func (w *promised) dial(theta Theta) {
	w.Helper()
	w.do(SetTheta{theta})
}

func TestThetaRefusesWhatFitsAndIsDear(t *testing.T) {
	w := busy(t) // two cores: θ = 0.1 allows 0.2 core-hours
	w.dial(100)
	spec := w.thrifty()
	spec.Budget = 0
	r := w.unable(spec, Minute)
	if r.Code != CodeNoPromise || r.Field != "reserve" || !strings.Contains(r.Detail, "there is room, but the price, "+
		"0.5 core-hours, is above the limit of 0.2 core-hours that all promises have: theta is 0.1; possible now: 1 task at ") {
		t.Fatal(r)
	}
	if len(r.Alternatives) == 0 {
		t.Fatal("nothing is offered")
	}
	for _, a := range r.Alternatives {
		if a.Offer == 0 || a.Price > CoreHour/5 || a.Price == 0 {
			t.Errorf("%+v", a)
		}
	}
	w.dial(0)
	w.submit(spec)
}

func TestThetaRefusesADearDeadline(t *testing.T) {
	w := busy(t)
	spec := w.thrifty()
	spec.Reserve, spec.Deadline, spec.Budget = nil, &Deadline{Ready: Hour, By: 150 * Minute, Lasts: 30 * Minute}, 0
	w.dial(5) // 0.01 core-hours
	r := w.unable(spec, Minute)
	if r.Code != CodeNoPromise || r.Field != "deadline" ||
		!strings.Contains(r.Detail, "theta is 0.005; possible now: 1 task by ") {
		t.Fatal(r)
	}
	if a := r.Alternatives[0]; a.By <= spec.Deadline.By || a.Price > CoreHour/100 || a.Offer == 0 {
		t.Errorf("the first alternative: %+v", a)
	}
	w.dial(1000)
	w.submit(spec)
}

func TestTheLowerOfBudgetAndThetaCountsAndIsNamed(t *testing.T) {
	w := busy(t)
	spec := w.thrifty() // costs 0.5, and its budget is 0.1
	w.dial(100)         // 0.2
	if r := w.unable(spec, 0); r.Field != "budget" || !strings.Contains(r.Detail, "the budget of 0.1") {
		t.Error(r)
	}
	w.dial(20) // 0.04
	r := w.unable(spec, 0)
	if r.Field != "reserve" || !strings.Contains(r.Detail, "theta is 0.02") {
		t.Error(r)
	}
	for _, a := range r.Alternatives {
		if a.Price > CoreHour/25 {
			t.Errorf("%+v", a)
		}
	}
}

func TestAlternativesToWhatDoesNotFitObeyTheta(t *testing.T) {
	for _, theta := range []Theta{0, 5} { // 0.01 core-hours
		w := inNeed(t)
		w.dial(theta)
		limit, limited := w.s.Dearest()
		r := w.ask("ann", "p", 450)
		list := []Alternative{}
		if r.Offered != nil {
			list = r.Offered.Alternatives
		} else if r.Rejection != nil {
			list = r.Rejection.Alternatives
		}
		if !limited && len(list) == 0 {
			t.Error("nothing is offered at any price")
		}
		if limited && slices.ContainsFunc(list, func(a Alternative) bool { return a.Price > limit }) {
			t.Errorf("above %v: %+v", limit, list)
		}
	}
}

func TestPromisesAndOffersThatWereMadeAreNotTouchedByTheta(t *testing.T) {
	w := inNeed(t)
	r := w.ask("ann", "p", 450)
	if r.Offered == nil {
		t.Fatal(r.Rejection)
	}
	made := slices.Collect(w.s.Promised())
	w.dial(1)
	if now := slices.Collect(w.s.Promised()); !slices.EqualFunc(made, now, func(x, y *Promise) bool {
		return x.Job == y.Job && x.Price == y.Price && slices.Equal(x.Nodes, y.Nodes)
	}) {
		t.Errorf("%v became %v", made, now)
	}
	w.do(AcceptOffer{r.Offered.Alternatives[0].Offer})
}

func TestADearOccurrenceIsToldToLackAndMadeWhenThetaAllowsIt(t *testing.T) {
	w := standing(t)
	w.dial(1)
	r := w.try(root, daily(w))
	if r == nil || !strings.HasPrefix(r.Detail, "the occurrence of 2026-12-01 08:00:00 UTC: ") ||
		!strings.Contains(r.Detail, "theta is 0.001") {
		t.Error(r)
	}
	w.dial(0)
	id := w.do(daily(w)).Standing
	w.dial(1)
	events := w.do(SetTime{moment("2026-12-01 10:00")}).Events
	if i := slices.IndexFunc(events, func(e Event) bool { return e.Kind == StandingLacking }); i < 0 ||
		!strings.Contains(events[i].Cause.Text, "theta is 0.001") {
		t.Errorf("when one comes near: %v", events)
	}
	w.do(SetTime{w.s.Now + standingRetry})
	if slices.Contains(w.starts(id), "2026-12-15 08:00:00 UTC") {
		t.Error("it is promised although it is too dear")
	}
	w.dial(0)
	w.do(SetTime{w.s.Now + standingRetry})
	if !slices.Contains(w.starts(id), "2026-12-15 08:00:00 UTC") {
		t.Errorf("without a limit promised are %v", w.starts(id))
	}
}

func TestThetaIsOperatorsToSetWithinItsRange(t *testing.T) {
	w := priced(t)
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1), 0.0009, 100.1} {
		if theta, err := ParseTheta(bad); err == nil || !strings.Contains(err.Error(), "0.001 to 100") {
			t.Errorf("%v is %v: %v", bad, theta, err)
		}
	}
	for good, want := range map[float64]Theta{0: 0, 0.001: 1, 0.2: 200, 0.7: 700, 1: 1000, 100: MaxTheta} {
		if theta, err := ParseTheta(good); err != nil || theta != want || theta.Float() != good {
			t.Errorf("%v is %v: %v", good, theta, err)
		}
	}
	for _, bad := range []Theta{-1, MaxTheta + 1, math.MaxInt64, math.MinInt64} {
		if r := w.try(root, SetTheta{bad}); r == nil || r.Code != CodeInvalid || r.Field != "theta" {
			t.Errorf("%d: %v", bad, r)
		}
	}
	user := Actor{Name: "ann", Owner: "ann", Project: "default", Role: User}
	if r := w.try(user, SetTheta{200}); r == nil || r.Code != CodeForbidden {
		t.Errorf("a user: %v", r)
	}
	w.s.Format = limits - 1
	if r := w.try(root, SetTheta{200}); r == nil || !strings.Contains(r.Detail, "needs format 7") {
		t.Errorf("below its format: %v", r)
	}
	w.s.Format = limits
	if w.s.Theta != 0 {
		t.Errorf("it is %v", w.s.Theta)
	}
	user.Role = Operator
	if r := w.try(user, SetTheta{200}); r != nil || w.s.Theta != 200 {
		t.Errorf("an operator: %v, %v", r, w.s.Theta)
	}
}

// Law: θ times the cores that there are, for an hour, as in policy/deadline.
func TestTheLimitOfThetaIsThatOfTheFormula(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		theta := Theta(rapid.Int64Range(1, int64(MaxTheta)).Draw(r, "θ"))
		cpu := CPU(rapid.Int64Range(1, 4096_000).Draw(r, "cpu"))
		w := newPromised(t)
		w.node("a", cpu)
		w.s.Theta = theta
		most, limited := w.s.Dearest()
		want := theta.Float() * float64(w.s.up().CPU) / 1000
		if have := most.CoreHours(); !limited || math.Abs(have-want) > 1e-6+want*1e-12 {
			r.Errorf("%v × %v cores is %v, not %v", theta, cpu, have, want)
		}
	})
}

// Offers do not count where the next possible start is told to somebody who lost a promise.
func TestAPromiseWithABudgetIsBrokenWhileAnOfferIsHeld(t *testing.T) {
	w := priced(t)
	w.do(SetQuota{Quota{Owner: "*", Most: Use{CPU: 100 * Core, Memory: 1 << 40}}})
	for range 2 { // one on each node
		spec := w.spec(1, 900, &Reservation{Hour, Hour})
		spec.Budget = 100 * CoreHour
		w.submit(spec)
	}
	asked := w.spec(2, 450, &Reservation{Hour, Hour})
	asked.Owner = "bob"
	if w.s.Apply(w.s.Revision+1, Command{Actor: root, Action: Submit{asked, MaxHold}}).Offered == nil {
		t.Fatal("nothing is offered")
	}
	told := false
	for _, e := range w.do(SetNode{1, ForceCordon}).Events {
		told = told || e.Kind == JobPromiseBroken && len(e.Cause.Why[0].Values) > 0
	}
	if !told {
		t.Error("nobody is told that a promise is broken, and when there could be another")
	}
}
