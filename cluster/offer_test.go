package cluster

import (
	"fmt"
	"slices"
	"testing"
)

// ask submits a job of three tasks on different nodes, with offers for a minute.
func (w *promised) ask(owner, project string, need CPU) Result {
	w.Helper()
	spec := w.spec(3, need, &Reservation{Hour, Hour})
	spec.Owner, spec.Project, spec.Placement.Spread = owner, project, true
	return w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Action: Submit{spec, Minute}})
}

// inNeed returns a cluster of three nodes, of which one is in maintenance when jobs are asked for.
func inNeed(t *testing.T) *promised {
	w := newPromised(t)
	for _, name := range []string{"a", "b"} {
		w.node(name, 1000)
	}
	w.do(Maintain{Node: w.node("c", 1000), From: Minute, Until: maxReserved - Minute})
	return w
}

func TestAProjectIsOfferedNoMoreThanHalfOfTheNodesAtATime(t *testing.T) {
	w := inNeed(t)
	first, second, third := w.ask("ann", "p", 450), w.ask("bob", "p", 450), w.ask("bob", "q", 450)
	if first.Offered == nil || codeOf(second) != CodeNoPromise || third.Offered == nil {
		t.Errorf("two of three offers of 900 are held: %+v, %+v, %+v", first, second, third)
	}
}

func TestTheNumberOfOffersIsBounded(t *testing.T) {
	w := inNeed(t)
	for i := range 2 * maxOffersOf {
		if r := w.ask(fmt.Sprint("owner", i), "p", 1); (r.Offered != nil) != (i < maxOffersOf) {
			t.Fatalf("answer %d: %+v, %v", i, r.Offered, r.Rejection)
		}
	}
	for i := range maxOffers {
		w.ask(fmt.Sprint("owner", i), fmt.Sprint("project", i), 1)
	}
	if n := len(slices.Collect(w.s.Offers())); n != maxOffers {
		t.Errorf("%d offers are held, not %d", n, maxOffers)
	}
}

func TestALoopWakesAsAnOfferExpires(t *testing.T) {
	w := inNeed(t)
	w.do(Reopen{Node: 3})
	w.do(SetNode{3, Cordon})
	w.do(Adopt{Basis: w.s.Revision, Seen: w.s.Occasion})
	made := w.ask("ann", "p", 1).Offered.Alternatives[0]
	v := w.s.View(w.s.Now)
	if at := v.WakeAt(); at != made.Expires || v.Pending().Rings(AlarmOffer) {
		t.Errorf("it wakes at %v s, not at %v, for %+v", at.Seconds(), made.Expires.Seconds(), v.Pending())
	}
	if v = w.s.View(made.Expires); !v.Pending().Rings(AlarmOffer) {
		t.Errorf("nothing is pending as the offer expires: %+v", v.Pending())
	}
	w.s.Apply(w.s.Revision+1, Command{At: made.Expires, Actor: root, Epoch: w.s.Epoch, Action: Adopt{Basis: w.s.Revision}})
	if v = w.s.View(w.s.Now); v.Pending().Rings(AlarmOffer) || v.WakeAt() != 0 {
		t.Errorf("it wakes again at %v s, for %+v", v.WakeAt().Seconds(), v.Pending())
	}
}

// A moment belongs to the offers of an answer together once, however many of them want it.
func TestWhatIsHeldForAnAnswerIsTheMostOfItsOffers(t *testing.T) {
	got := most([]booking{{0, 20, 300, 10}, {10, 30, 200, 40}, {40, 50, 100, 1}})
	want := []booking{{0, 10, 300, 10}, {10, 20, 300, 40}, {20, 30, 200, 40}, {40, 50, 100, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
