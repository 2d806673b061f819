package cluster

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unbound lets root be promised all of the nodes.
var unbound = Quota{Owner: "root", Most: Use{CPU: 1_000_000, Memory: 1 << 40}}

// The world's own checks look for promises that are not kept, and for those that exceed a node.
func TestWhatIsPromisedIsKeptUntilItIsSaidThatItCannotBe(t *testing.T) {
	heardOf(t, (*world).promising, always, JobPromised, JobRepromised, JobPromiseBroken, JobOverran,
		JobRescheduled, OfferMade, OfferAccepted, OfferDeclined, OfferExpired, OfferWithdrawn)
}

func TestWhatStandsIsPromisedAgainAndAgainUntilItIsSaidThatItCannotBe(t *testing.T) {
	heardOf(t, func(w *world) map[string]func(*rapid.T) {
		some := w.promising()
		delete(some, "maintain") // a node in maintenance for days would leave room for nothing
		some["stand"] = func(t *rapid.T) { w.T = t; w.stand() }
		some["sit"] = func(t *rapid.T) { w.T = t; w.apply(CancelStanding{w.someStanding()}) }
		some["sleep"] = func(t *rapid.T) { w.T = t; w.apply(SetTime{w.s.Now + Time(w.int(1, 20, "days"))*fullDay}) }
		return some
	}, always, StandingMade, StandingCancelled, StandingEnded, StandingLacking, StandingMissed)
}

// heardOf lets random actions happen to a cluster whose nodes can all be promised to root. Each of the kinds of events
// has to occur. If one is rare, or the test has not seen enough, more is tried, in up to 500 clusters. With -short it
// is looked for as long, a fifth at a time.
func heardOf(t *testing.T, actions func(*world) map[string]func(*rapid.T), enough func() bool, kinds ...EventKind) {
	heard := map[EventKind]int{}
	missing := func() []EventKind {
		return slices.DeleteFunc(slices.Clone(kinds), func(kind EventKind) bool { return heard[kind] > 0 })
	}
	tried := 0
	for attempt := 0; attempt == 0 || tried < 500 && (len(missing()) > 0 || !enough()); attempt++ {
		rapid.Check(t, func(t *rapid.T) {
			tried++
			for range attempt { // so that the sequences differ
				rapid.Bool().Draw(t, "another attempt")
			}
			w := newWorld(t)
			w.heard = func(e Event) { heard[e.Kind]++ }
			w.must(SetQuota{unbound})
			for _, name := range []string{"a", "b", "c"} {
				w.must(Join{name, "boot", Description{CPU: 2000, Memory: 300 * MiB}, 0})
				w.must(Report{Node: w.s.NodeNamed(name).ID, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB})
			}
			t.Repeat(actions(w))
		})
	}
	if rare := missing(); len(rare) > 0 {
		t.Errorf("%v never happen", rare)
	}
}

func always() bool { return true }

// promising returns the actions around promises.
func (w *world) promising() map[string]func(*rapid.T) {
	all, some := w.actions(), map[string]func(*rapid.T){}
	for _, name := range []string{"submit", "adopt", "move", "obey", "befall", "cancel", "wish", "health", "join",
		"maintain", "reopen", "accept", "decline", "reschedule"} {
		some[name] = all[name]
	}
	some["reserve"] = func(t *rapid.T) { w.T = t; w.reserve() }
	some["promise an end"] = func(t *rapid.T) { w.T = t; w.promiseEnd() }
	some["wait"] = func(t *rapid.T) { w.T = t; w.wait(Time(w.int(1, 40, "seconds")) * Second) }
	some["expire"] = func(t *rapid.T) { w.T = t; w.wait(max(0, w.s.expiryAfter(w.s.Now)-w.s.Now)) }
	some["set time"] = func(t *rapid.T) { w.T = t; w.apply(SetTime{w.s.Now + Time(w.int(-60, 60, "time"))*Second}) }
	return some
}

// unbookable returns why the spec is promised nothing.
func (w *promised) unbookable(spec *Spec) *Rejection {
	_, r := w.s.promiseOf(spec)
	return r
}

func TestAnOwnerMayHaveAHundredPromises(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	for i := range maxOfOwner {
		j := &Job{ID: JobID(i + 1), Spec: &Spec{Owner: "root", Need: 1, Tasks: 1}}
		s.jobs.put(j)
		s.keep(&Promise{Job: j.ID, From: Hour, Until: 2 * Hour})
	}
	spec := Spec{Owner: "root", Need: 1, Tasks: 1, Requirement: Requirement{MiB}, Reserve: &Reservation{Hour, Hour}}
	if _, r := s.promiseOf(&spec); r == nil || r.Code != CodeLimit {
		t.Errorf("one more: %v", r)
	}
	spec.Owner = "ann"
	if _, r := s.promiseOf(&spec); r.Code != CodeNoPromise {
		t.Error("another owner's is not judged by the nodes")
	}
}

func TestAlternativesAmongManyPromisesAreFoundWithBoundedWork(t *testing.T) {
	w := newPromised(t)
	var nodes []NodeID
	for i := range 20 {
		nodes = append(nodes, w.node(fmt.Sprint("n", i), 500))
	}
	for i := range 300 {
		j := &Job{ID: JobID(i + 1), Spec: w.spec(100, 100, nil), Tasks: make([]Task, 100)}
		p := &Promise{Job: j.ID, From: Hour + Time(i)*Minute, Until: Hour + Time(i+1)*Minute}
		for k := range 100 {
			p.Nodes = append(p.Nodes, nodes[k/5])
		}
		w.s.jobs.put(j)
		w.s.keep(p)
	}
	b, wanted := w.s.booked(&Spec{}), w.spec(100, 100, &Reservation{Hour, 6 * Hour})
	free := Hour + 300*Minute + w.s.lead(wanted)
	if list := b.alternatives(wanted, 0); len(list) != 1 || list[0].Start != free || *b.looks > 3*20*300 {
		t.Errorf("%v after %d looks, and there is room from %s on", list, *b.looks, free.Moment())
	}
	*b.looks = maxLooks + 1
	if list := b.alternatives(wanted, 0); len(list) > 0 {
		t.Errorf("%v after all looks that are allowed", list)
	}
}

func TestOfManyBrokenPromisesTheFirstAreToldWhenThereCouldBeAnother(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 1000)
	for range 2 * maxConsoled {
		w.submit(w.spec(1, 10, &Reservation{Hour, Hour}))
	}
	told, all := 0, 0
	for _, e := range w.do(SetNode{a, ForceCordon}).Events {
		if e.Kind == JobPromiseBroken {
			all, told = all+1, told+len(e.Cause.Why[0].Values)
		}
	}
	if all != 2*maxConsoled || told != maxConsoled {
		t.Errorf("%d are broken, %d told", all, told)
	}
}

func TestWhoLosesAPromiseToMaintenanceIsToldThatThereIsRoomAfterIt(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 1000)
	id := w.submit(w.spec(1, 1000, &Reservation{2 * Hour, Hour}))
	for _, e := range w.do(Maintain{Node: a, From: Hour, Until: 4 * Hour, Force: true}).Events {
		if after := 4*Hour + w.s.PromiseTo(id).Lead; e.Kind == JobPromiseBroken && Time(e.Cause.Why[0].Values[0]) != after {
			t.Errorf("it is told %v, not %d", e.Cause, after)
		}
	}
	if !w.s.PromiseTo(id).Broken() {
		t.Error("its promise is not broken")
	}
}

func TestAPromiseFallsDueAgainAfterTheTimeWasSetBack(t *testing.T) {
	w := newPromised(t)
	w.node("a", 1000)
	due := w.s.PromiseTo(w.submit(w.spec(1, 1000, &Reservation{Hour, Hour}))).Due()
	w.do(SetTime{due})
	w.do(Adopt{Basis: w.s.Revision})
	if at := w.s.View(w.s.Now).WakeAt(); at <= due {
		t.Errorf("it falls due at %v s, after it did", at.Seconds())
	}
	w.do(SetTime{due - Minute})
	w.do(Adopt{Basis: w.s.Revision})
	if at := w.s.View(w.s.Now).WakeAt(); at != due {
		t.Errorf("it falls due at %v s, not %v", at.Seconds(), due.Seconds())
	}
}

func TestTheStartThatIsOfferedInsteadIsNotTooSoonOrTooLate(t *testing.T) {
	w := newPromised(t)
	w.node("a", 1000)
	soon := w.unbookable(w.spec(1, 1000, &Reservation{w.s.Now + Second, Hour}))
	w.do(SetTime{w.s.Now + 50*Second})
	w.submit(w.spec(1, 1000, &soon.Alternatives[0].Reservation))
	w.submit(w.spec(1, 1000, &Reservation{3 * Hour, maxReserved - 4*Hour}))
	late := w.unbookable(w.spec(1, 1000, &Reservation{3 * Hour, 48 * Hour}))
	if late == nil || len(late.Alternatives) > 0 {
		t.Errorf("beyond the last day: %+v", late)
	}
}

// promised is a cluster in which root may be promised all nodes.
type promised struct {
	*testing.T
	s *State
}

func newPromised(t *testing.T) *promised {
	w := &promised{t, Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})}
	w.do(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	w.do(Claim{Replica: 1, Term: 1})
	w.do(SetQuota{unbound})
	return w
}

// do applies an action at once, which must not be rejected.
func (w *promised) do(a Action) Result {
	w.Helper()
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Epoch: w.s.Epoch, Action: a})
	if r.Rejection != nil {
		w.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

func (w *promised) node(name string, cpu CPU) NodeID {
	w.do(Join{name, "boot", Description{CPU: cpu, Memory: 1 << 34}, 0})
	return w.s.NodeNamed(name).ID
}

func (w *promised) spec(tasks int, need CPU, r *Reservation) *Spec {
	return &Spec{Owner: "root", Project: "default", Image: testImage, Tasks: tasks, Need: need,
		Requirement: Requirement{16 * MiB}, Reserve: r}
}

func (w *promised) submit(s *Spec) JobID { w.Helper(); return w.do(Submit{Spec: s}).Job }

// reserve asks for an interval that begins soon.
func (w *world) reserve() {
	spec := w.spec()
	spec.Class = StandardClass
	spec.Reserve = &Reservation{w.s.Now + w.s.lead(spec) + Time(w.int(0, 20, "start"))*Second,
		Time(w.int(1, 60, "lasts")) * Second}
	w.apply(Submit{spec, Time(w.int(0, 2, "hold")) * 30 * Second})
}

// promiseEnd asks for an end in time.
func (w *world) promiseEnd() {
	spec := w.spec()
	spec.Class, spec.Deadline = StandardClass, w.deadline(40, 200)
	w.apply(Submit{spec, Time(w.int(0, 2, "hold")) * 30 * Second})
}

// stand asks for an interval on some days of the week, the first of which may begin soon.
func (w *world) stand() {
	spec := w.spec()
	spec.Class = StandardClass
	soon := (w.s.Now + w.s.lead(spec) + Time(w.int(0, 2, "start"))*Minute) / Minute * Minute
	w.apply(Stand{spec, Week{Days: Weekdays(w.int(0, allDays, "days")), Start: soon % fullDay, Zone: "UTC",
		Offsets: []Offset{{}}, Until: w.s.Now + Time(w.int(0, 40, "until"))*fullDay}, Time(w.int(1, 600, "lasts")) * Second})
}

// wait lets time pass.
func (w *world) wait(d Time) {
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now + d, TimeSet: w.s.TimeSet, Actor: root, Epoch: w.s.Epoch,
		Action: Checkpoint{}})
	for _, e := range r.Events {
		if w.heard != nil {
			w.heard(e)
		}
	}
	if err := w.s.Check(); err != nil {
		w.Fatalf("after %v s: %v", d.Seconds(), err)
	}
}

func TestWorkIsCPUTimeOfAllTasksRoundedUpToTime(t *testing.T) {
	for _, c := range []struct {
		work  Time
		need  CPU
		tasks int
		want  Time
	}{
		{8 * Hour, 500, 4, 4 * Hour}, {1, 1000, 1, 1}, {1, 3000, 1, 1}, {10, 3000, 1, 4}, {7, 1, 1, 7000},
		{math.MaxInt64, 1, 1, math.MaxInt64 / 2},
	} {
		d := Deadline{Work: c.work}
		if got := d.lasts(&Spec{Need: c.need}, c.tasks); got != c.want {
			t.Errorf("%v of %d tasks with %v take %v, not %v", c.work, c.tasks, c.need, got, c.want)
		}
	}
}

func TestAJobOnScheduleAsksForNoDecisionBeforeItsWorkIsDone(t *testing.T) {
	c := Clock{At: 100 * Second, Share: 1000}
	if at, lags := c.lags(Second, 1000); lags {
		t.Errorf("at full speed it lags at %v", at)
	}
	c.Share = 750
	if at, _ := c.lags(10*Second, 1000); at != 140*Second {
		t.Errorf("at three quarters of its speed it lags after %v s", at.Seconds())
	}
	c.Share = 0
	if at, _ := c.lags(10*Second, 1000); at != 110*Second {
		t.Errorf("while it stands still it lags after %v s", at.Seconds())
	}
}

// Maintenance that has begun ends, a drain does not.
func TestADrainDuringMaintenanceCountsThePromisesAfterIt(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 1000)
	id := w.submit(w.spec(1, 1000, &Reservation{2 * Hour, Hour}))
	w.do(Maintain{Node: a, Until: w.s.Now + Hour})
	w.do(Adopt{Basis: w.s.Revision})
	if r := w.s.Apply(w.s.Revision+1, w.command(SetNode{a, Drain})); r.Rejection == nil {
		t.Errorf("accepted: %+v", r.Events)
	}
	if r := w.do(SetNode{a, ForceDrain}); !told(r, JobPromiseBroken, id) {
		t.Errorf("%+v", r.Events)
	}
}

func TestACordonThatWouldBreakPromisesIsRefusedUnlessItIsForced(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 1000)
	id := w.submit(w.spec(1, 1000, &Reservation{2 * Hour, Hour}))
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Action: SetNode{a, Cordon}})
	if r.Rejection == nil || !strings.Contains(r.Rejection.Detail, "break the promises to "+id.String()+" of root") {
		t.Fatalf("%+v", r.Rejection)
	}
	if w.s.Node(a).Cordoned || w.s.PromiseTo(id).Broken() {
		t.Error("the refused cordon is in force")
	}
	w.node("b", 1000)
	if r := w.do(SetNode{a, Cordon}); !told(r, JobRepromised, id) || !w.s.Node(a).Cordoned {
		t.Errorf("with room on b: %+v", r.Events)
	}
	w.do(SetNode{a, Uncordon})
	w.do(SetNode{a, Cordon}) // it is on b now
	w.do(SetNode{a, ForceCordon})
}

func TestADrainThatWouldBreakPromisesIsRefusedUnlessItIsForced(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 1000)
	id := w.submit(w.spec(1, 1000, &Reservation{2 * Hour, Hour}))
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Action: SetNode{a, Drain}})
	if r.Rejection == nil || !strings.Contains(r.Rejection.Detail, "break the promises to "+id.String()+" of root") {
		t.Fatalf("%+v", r.Rejection)
	}
	if w.s.Node(a).Draining || w.s.PromiseTo(id).Broken() {
		t.Error("the refused drain has begun")
	}
	if r := w.do(SetNode{a, ForceDrain}); !told(r, JobPromiseBroken, id) || !w.s.Node(a).Draining {
		t.Errorf("%+v", r.Events)
	}
	w.do(SetNode{a, Drain}) // it breaks nothing more
	w.do(Adopt{Why: []Reason{{Job: id, Code: WhyWaitsTick}}})
	if why := w.s.Job(id).Why; why.Code != WhyBroken {
		t.Errorf("it waits because of %v", why)
	}
	w.node("b", 1000)
	w.do(SetNode{a, Drain}) // it is made good elsewhere
	if p := w.s.PromiseTo(id); p.Broken() {
		t.Errorf("it is promised %+v", p)
	}
}

func TestACordonedNodeIsPromisedNoMoreTasksThanStayThere(t *testing.T) {
	w := newPromised(t)
	cordoned, open := w.node("cordoned", 4000), w.node("open", 500)
	w.do(SetNode{Node: cordoned, Want: Cordon})
	spec := w.spec(3, 400, nil)
	j := &Job{ID: 1, Spec: spec, Tasks: make([]Task, 3)}
	j.Tasks[0].Node, j.Tasks[0].Phase = cordoned, Running
	may := func(n *Node) bool { return w.s.takes(n, spec, j) }
	for has, want := range map[NodeID]int{open: 1, cordoned: 2} { // where the running task is going
		if _, fit := w.s.booked(spec).find(spec, 3, []NodeID{has, 0, 0}, may, Hour, 2*Hour); fit != want {
			t.Errorf("with a task that goes to node %d, %d fit, want %d", has, fit, want)
		}
	}
}

func TestMaintenanceLeavesAStretchBeforeBetweenOrAfterItsIntervals(t *testing.T) {
	n := Node{Maintenance: []Maintenance{{From: 11 * Hour, Until: 12 * Hour}, {From: 20 * Hour, Until: 21 * Hour}}}
	for _, c := range []struct {
		stretch, from, until Time
		want                 bool
	}{
		{Hour, 10 * Hour, 12 * Hour, true},
		{2 * Hour, 10 * Hour, 12 * Hour, false},
		{2 * Hour, 10 * Hour, 13 * Hour, false},
		{2 * Hour, 10 * Hour, 11*Hour + Second, false},
		{2 * Hour, 10 * Hour, 14 * Hour, true},
		{9 * Hour, 10 * Hour, 21 * Hour, false},
		{Hour, 20 * Hour, 22 * Hour, true},
		{2 * Hour, 13 * Hour, 14 * Hour, true},
	} {
		if got := n.leaves(c.stretch, c.from, c.until); got != c.want {
			t.Errorf("a stretch of %v from %v to %v: %v", c.stretch, c.from, c.until, got)
		}
	}
	n.Maintenance[0].Begun = true
	if n.leaves(Hour, 10*Hour, 12*Hour) {
		t.Error("maintenance that has begun leaves an hour before it")
	}
}
