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

// offered returns the most that is offered to the project at a time.
func (w *promised) offered(project string) Offer {
	b := newBookings(w.s)
	for answer := range w.s.answersNow() {
		b.addAnswer(answer.offers, 1)
	}
	return peak(b.held[project], 0, w.s.Now+maxReserved)
}

// The default project has no limit on promises, but it has this one.
func TestAProjectIsOfferedNoMoreThanHalfOfTheNodesAtATime(t *testing.T) {
	w := inNeed(t)
	first, second, third := w.ask("ann", DefaultProject, 450), w.ask("bob", DefaultProject, 450),
		w.ask("bob", "q", 450)
	if first.Offered == nil || codeOf(second) != CodeNoPromise || third.Offered == nil {
		t.Errorf("two of three offers of 900 are held: %+v, %+v, %+v", first, second, third)
	}
}

// An owner's own offers give way to what it asks for, but only until the project has half.
func TestManyOffersToOneProjectTakeNoMoreThanHalf(t *testing.T) {
	w := inNeed(t)
	w.do(SetQuota{Quota{Owner: "*", Most: Use{CPU: 1000 * Core, Memory: 1 << 40}}})
	for i, owner := range []string{"ann", "bob", "bob", "ann", "bob", "ann", "ann"} {
		w.ask(owner, "p", 175)
		if has := w.offered("p"); has.CPU > w.s.up().half().CPU || has.CPU == 0 {
			t.Errorf("after answer %d it is offered %v of %v", i, has.CPU, 2*w.s.up().half().CPU)
		}
	}
}

// ann is offered a and b, and then bob c and d, which become free meanwhile.
func TestNobodyTakesWhatIsHeldForAnother(t *testing.T) {
	w := newPromised(t)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		w.node(name, 1000)
	}
	hour := &Reservation{Hour, Hour}
	ask := func(owner string, tasks int, hold Time) Result {
		spec := w.spec(tasks, 1000, hour)
		spec.Owner, spec.Project = owner, owner
		return w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Epoch: w.s.Epoch, Action: Submit{spec, hold}})
	}
	keep := func() {
		for _, o := range slices.Collect(w.s.Offers()) {
			if o.Promise.From != Hour {
				w.do(DeclineOffer{o.ID})
			}
		}
	}
	ask("dan", 2, 0)
	ask("eve", 1, 0)
	late := ask("fay", 1, 0).Job
	ask("ann", 2, MaxHold)
	keep()
	w.do(Cancel{Job: late})
	ask("bob", 2, MaxHold)
	keep()
	held := func() (list []OfferID) {
		for o := range w.s.Offers() {
			if o.Spec.Owner == "bob" {
				list = append(list, o.ID)
			}
		}
		return list
	}
	before := held()
	if len(before) == 0 {
		t.Fatal("bob is offered nothing")
	}
	if r := ask("ann", 1, 0); r.Rejection != nil {
		t.Fatalf("ann's own offers do not give way: %v", r.Rejection)
	}
	if after := held(); !slices.Equal(before, after) {
		t.Errorf("bob had %v, and has %v", before, after)
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

func TestAnOfferLeavesANodeThatWillBeInMaintenance(t *testing.T) {
	w := newPromised(t)
	w.node("a", 500)
	w.node("b", 500)
	w.submit(w.spec(2, 500, &Reservation{Hour, Hour}))
	w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Epoch: w.s.Epoch,
		Action: Submit{w.spec(2, 200, &Reservation{Hour, Hour}), MaxHold}})
	w.node("c", 1000)
	offers := slices.Collect(w.s.Offers())
	if len(offers) == 0 {
		t.Fatal("nothing is offered")
	}
	w.do(Maintain{Node: 2, From: Minute, Until: 100 * Hour})
	for o := range w.s.Offers() {
		if slices.Contains(o.Promise.Nodes, 2) {
			t.Errorf("%v has nodes %v", o.ID, o.Promise.Nodes)
		}
	}
	if len(slices.Collect(w.s.Offers())) != len(offers) {
		t.Error("an offer was withdrawn, though another node is free")
	}
}

func TestAnOfferThatAQuotaForbidsIsWithdrawnAtOnce(t *testing.T) {
	w := newPromised(t)
	most := Use{CPU: 100 * Core, Memory: 1 << 40}
	w.do(SetQuota{Quota{Owner: "root", Most: most}})
	w.node("a", 1000)
	w.node("b", 1000)
	w.submit(w.spec(1, 800, &Reservation{Hour, Hour}))
	w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Epoch: w.s.Epoch,
		Action: Submit{w.spec(2, 600, &Reservation{Hour, Hour}), MaxHold}})
	if len(slices.Collect(w.s.Offers())) == 0 {
		t.Fatal("nothing is offered")
	}
	w.do(SetQuota{Quota{Owner: "root"}}) // half of the nodes again
	for o := range w.s.Offers() {
		if o.Promise.From < 2*Hour {
			t.Errorf("%v is still offered beside a promise of 800 of half of 2000", o.Promise)
		}
	}
}

func TestAPromiseLeavesANodeThatCannotRunItsJobAnyMore(t *testing.T) {
	label := []Pair{{"disk", "fast"}}
	for name, has := range map[string]Description{
		"a label": {Labels: label}, "its bridge": {Bridged: true, Isolates: true},
		"its limits": {Bridged: true, Isolates: true, Limits: true},
	} {
		w := newPromised(t)
		has.CPU, has.Memory = 1000, 1<<34
		for _, name := range []string{"a", "b"} {
			w.do(Join{name, "boot", has, 0})
		}
		spec := w.spec(1, 400, &Reservation{Hour, Hour})
		if spec.Placement.Match = has.Labels; has.Bridged {
			subnet := Subnet{Base: 10 << 24, Bits: 16}
			if has.Limits {
				subnet.Rate = 5
			}
			w.do(SetSubnet{subnet})
			spec.Network = Bridged
		}
		id := w.submit(spec)
		was := w.s.PromiseTo(id).Nodes[0]
		left := Description{CPU: 1000, Memory: 1 << 34}
		left.Bridged, left.Isolates = has.Limits, has.Limits
		w.do(Join{w.s.Node(was).Name, "boot", left, 0})
		if is := w.s.PromiseTo(id).Nodes[0]; is == was {
			t.Errorf("it is promised node %d, which has lost %s", is, name)
		}
	}
}

func TestAnImageOfAnOfferStays(t *testing.T) {
	w := inNeed(t)
	w.ask("ann", "p", 1)
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Epoch: w.s.Epoch,
		Action: RemoveImage{testImage[len("busybox@sha256:"):]}})
	if codeOf(r) != CodeImageInUse {
		t.Errorf("it can be removed: %+v", r)
	}
}

func TestARedactedOfferTellsNoRequest(t *testing.T) {
	w := inNeed(t)
	spec := w.spec(3, 1, &Reservation{Hour, Hour})
	spec.Placement.Spread = true
	w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Request: "rest/t1/secret", Actor: root, Epoch: w.s.Epoch,
		Action: Submit{spec, Minute}})
	n := 0
	for o := range w.s.Redacted().Offers() {
		if n++; o.Request != "" {
			t.Errorf("%v: %q", o.ID, o.Request)
		}
	}
	if n == 0 {
		t.Error("nothing is offered")
	}
}

func TestALoopWakesAsAnOfferExpires(t *testing.T) {
	w := inNeed(t)
	w.do(Reopen{Node: 3})
	w.do(SetNode{3, ForceCordon})
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
