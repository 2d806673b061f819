package cluster

import (
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const testImage = "busybox@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

var root = Actor{Name: "root", Owner: "root", Project: "default", Role: System}

// world drives a state with commands that are partly sensible and partly not.
type world struct {
	*rapid.T
	s     *State
	heard func(Event) // nil: nobody listens
	tried map[reflect.Type]bool
	lucky bool // no move fails
}

func newWorld(t *rapid.T) *world {
	w := &world{T: t, s: Newest([16]byte{1}, PolicyChoice{"FCFS", Minute}), tried: map[reflect.Type]bool{}}
	w.must(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	w.must(Claim{Replica: 1, Term: 1})
	return w
}

func (w *world) apply(a Action) Result {
	before := w.s.Clone()
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now + Second, TimeSet: w.s.TimeSet, Actor: root, Epoch: w.s.Epoch,
		Action: a})
	if w.tried[reflect.TypeOf(a)] = true; r.Rejection != nil {
		w.checkRejected(a, r, before)
	}
	w.checkNothingRunsTwice()
	w.checkOverrun()
	w.checkCeilings(a)
	w.checkFloors(a, before)
	if err := w.s.Check(); err != nil {
		w.Fatalf("after %T %+v: %v", a, a, err)
	}
	w.checkTouched(a, before)
	w.checkKept(a, r, before)
	w.checkDependencies(before)
	for _, e := range r.Events {
		if w.heard != nil {
			w.heard(e)
		}
	}
	return r
}

// checkKept looks for promises that a decision did not keep, and for those that were broken without a word.
func (w *world) checkKept(a Action, r Result, before *State) {
	if _, decided := a.(Adopt); decided && r.Rejection == nil {
		for p := range w.s.Promised() {
			if w.repromised(p, r) {
				continue // the next decision keeps it
			}
			if p.inForce(w.s.Now) && !p.Kept(w.s.Job(p.Job).Spec, w.s.Target(p.Job)) {
				w.Fatalf("%v has %+v and was promised %+v", p.Job, w.s.Target(p.Job), p)
			}
			for _, id := range p.Nodes {
				if n := w.s.Node(id); p.inForce(w.s.Now) && n != nil && !n.Load.Fits(n.Capacity(), Load{}) {
					w.Fatalf("node %d is to give %+v of %+v, and a part is promised to %v", id, n.Load, n.Capacity(), p.Job)
				}
			}
		}
	}
	broken := map[JobID]bool{}
	for _, e := range r.Events {
		was, is := before.PromiseTo(e.Job), w.s.PromiseTo(e.Job)
		broken[e.Job] = broken[e.Job] || e.Kind == JobPromiseBroken
		ended := e.Kind == JobEnding && !broken[e.Job] && was.binding(w.s.Now)
		if _, decided := a.(Adopt); decided && (ended || e.Kind == JobKilled && is.binding(w.s.Now)) {
			w.Fatalf("%s befell %v by a decision, although it was promised %+v", e.Kind, e.Job, was)
		}
	}
	for was := range before.Promised() {
		is, j := w.s.PromiseTo(was.Job), w.s.Job(was.Job)
		told := slices.ContainsFunc(r.Events, func(e Event) bool {
			return e.Job == was.Job && (e.Kind == JobPromiseBroken || e.Kind == JobOverran)
		})
		if lost := is == nil || is.Broken(); lost && !was.Broken() && j != nil && j.Ending == nil && !told {
			w.Fatalf("after %T %v lost its promise %+v without a word", a, was.Job, was)
		}
	}
}

// repromised reports whether the command has made the promise, or a broken one good.
func (w *world) repromised(p *Promise, r Result) bool {
	return slices.ContainsFunc(r.Events, func(e Event) bool {
		return (e.Kind == JobPromised || e.Kind == JobRepromised) && e.Job == p.Job
	})
}

// checkRejected compares all of the state with what it was before a command that was rejected.
func (w *world) checkRejected(a Action, r Result, before *State) {
	if r.Rejection.Code == CodeInternalBug {
		w.Fatalf("%T: %v", a, r.Rejection)
	}
	if before.Revision, before.Now = w.s.Revision, w.s.Now; before.Hash() != w.s.Hash() || len(r.Events) > 0 {
		w.Fatalf("%T %+v was rejected, %v, and changed more than the clock: %v", a, a, r.Rejection, r.Events)
	}
}

// checkCeilings looks for a task that is to have more than it can use on its job's slowest node.
func (w *world) checkCeilings(a Action) {
	for id, p := range w.s.TargetAll().All() {
		if most := w.s.ceiling(w.s.Job(id).Spec, p.Nodes); p.Cap > most {
			w.Fatalf("after %T %+v each task of %v is to have %v, of which it can use %v", a, a, id, p.Cap, most)
		}
	}
}

// checkFloors looks for a job that a decision gives less than its least yield. One that it leaves alone may have less:
// its node has been slower.
func (w *world) checkFloors(a Action, before *State) {
	if _, decided := a.(Adopt); !decided {
		return // a node that becomes slower may give less until then
	}
	for id, p := range w.s.TargetAll().All() {
		if p == before.Target(id) {
			continue
		}
		if s := w.s.Job(id).Spec; s.MinYield > 0 && p.Guaranteed < s.MinShare() && w.s.ceiling(s, p.Nodes) >= s.MinShare() {
			w.Fatalf("after %+v each task of %v is sure of %v, and its floor is %v", a, id, p.Guaranteed, s.MinShare())
		}
	}
}

// checkNothingRunsTwice looks for a job that fails on loss, has lost a run, and goes on.
func (w *world) checkNothingRunsTwice() {
	for j := range w.s.Jobs() {
		lost := slices.ContainsFunc(j.Tasks, func(t Task) bool { return t.Losses > 0 })
		if j.Spec.FailOnLoss && lost && (j.Ending == nil || j.Ending.Outcome == Succeeded) {
			w.Fatalf("%v has lost a run and goes on: %+v", j.ID, j.Tasks)
		}
	}
}

// checkOverrun compares the jobs found by their deadlines with those whose running time is above their limit, now and
// in a while.
func (w *world) checkOverrun() {
	for _, now := range []Time{w.s.Now, w.s.Now + 5*Second} {
		var want []JobID
		for j := range w.s.Jobs() {
			if limit := j.Spec.Limits.Runtime; limit > 0 && j.Ending == nil && j.RunningTime(now) > limit {
				want = append(want, j.ID)
			}
		}
		var have []JobID
		for j := range w.s.Overrun(now) {
			have = append(have, j.ID)
		}
		if slices.Sort(have); !slices.Equal(have, want) {
			w.Fatalf("at %v s %v have run for too long, not %v", now.Seconds(), want, have)
		}
	}
}

// checkTouched compares the orders of the nodes that count as untouched.
func (w *world) checkTouched(a Action, before *State) {
	touched := w.s.Touched(before)
	for n := range w.s.Nodes() {
		if slices.Contains(touched, n.ID) {
			continue
		}
		old, now := ordered(before.Orders(n.ID)), ordered(w.s.Orders(n.ID))
		old.Revision = now.Revision
		if !reflect.DeepEqual(old, now) {
			w.Fatalf("%T %+v does not count as touching node %d, whose orders were %+v and are %+v", a, a, n.ID, old, now)
		}
	}
}

// ordered returns the orders without what nodes are not told: when a job ends.
func ordered(o Orders) Orders {
	o.Runs = slices.Clone(o.Runs)
	for i := range o.Runs {
		if o.Runs[i].Spec != nil {
			spec := *o.Runs[i].Spec
			spec.Reserve, spec.Deadline, spec.Budget = nil, nil, 0
			o.Runs[i].Spec = &spec
		}
	}
	return o
}

func (w *world) must(a Action) {
	if r := w.apply(a); r.Rejection != nil {
		w.Fatalf("%T: %v", a, r.Rejection)
	}
}

func (w *world) int(low, high int, label string) int {
	return rapid.IntRange(low, high).Draw(w.T, label)
}

func (w *world) someJob() JobID { return JobID(w.int(1, int(w.s.NextJob), "job")) }

func (w *world) someStanding() StandingID {
	return StandingID(w.int(0, int(w.s.NextStanding), "standing"))
}

func (w *world) someOffer() OfferID { return OfferID(w.int(0, int(w.s.NextOffer), "offer")) }

func (w *world) someNode() NodeID { return NodeID(w.int(1, int(w.s.NextNode), "node")) }

func (w *world) actions() map[string]func(*rapid.T) {
	do := func(f func()) func(*rapid.T) {
		return func(t *rapid.T) { w.T = t; f() }
	}
	return map[string]func(*rapid.T){
		"submit":     do(w.submit),
		"join":       do(w.join),
		"invite":     do(func() { w.apply(Invite{w.someName(), [32]byte{1}, w.s.Now + Hour}) }),
		"admit":      do(func() { w.apply(Admit{w.someName(), [32]byte{byte(w.int(0, 1, "secret"))}, [32]byte{1}}) }),
		"remove":     do(func() { w.apply(RemoveNode{w.someNode(), rapid.Bool().Draw(w.T, "force")}) }),
		"adopt":      do(w.adopt),
		"move":       do(w.move),
		"obey":       do(w.obey),
		"babble":     do(w.babble),
		"befall":     do(w.befall),
		"steps":      do(w.submitSteps),
		"accept":     do(func() { w.apply(AcceptOffer{w.someOffer()}) }),
		"reschedule": do(func() { w.apply(Reschedule{w.someJob(), Time(w.int(-40, 40, "by")) * Second}) }),
		"stand":      do(w.stand),
		"sit":        do(func() { w.apply(CancelStanding{w.someStanding()}) }),
		"decline":    do(func() { w.apply(DeclineOffer{w.someOffer()}) }),
		"cancel":     do(func() { w.apply(Cancel{Job: w.someJob()}) }),
		"hold":       do(func() { w.apply(Hold{w.someJob()}) }),
		"release":    do(func() { w.apply(Release{w.someJob()}) }),
		"wish":       do(func() { w.apply(SetNode{w.someNode(), NodeWish(w.int(0, 5, "wish"))}) }),
		"health":     do(func() { w.apply(SetHealth{w.someNode(), Health(w.int(0, 2, "health"))}) }),
		"maintain": do(func() {
			w.apply(Maintain{w.someNode(), w.s.Now + Time(w.int(-1, 90, "start"))*Second,
				w.s.Now + Time(w.int(0, 300, "end"))*Second, "", rapid.Bool().Draw(w.T, "force")})
		}),
		"reopen": do(func() { w.apply(Reopen{Node: w.someNode()}) }),
		"link":   do(func() { w.apply(SetLink{w.someNode(), Time(w.int(0, 2, "broken"))}) }),
		"claim":  do(func() { w.apply(Claim{Replica: 1, Term: uint64(w.int(0, 30, "term"))}) }),
		"settle": do(func() {
			w.apply(SettleStray{w.someNode(), RunID{w.someJob(), w.int(0, 2, "index"), w.int(1, 3, "number")},
				rapid.Bool().Draw(w.T, "destroy")})
		}),
		"abort":      do(w.abort),
		"administer": do(w.administer),
		"enact":      do(w.enact),
	}
}

// abort gives up the first move, or one that there is not.
func (w *world) abort() {
	a := AbortMove{TaskID{w.someJob(), 0}, w.s.NextMove, Cause{Text: "too slow"}}
	for m := range w.s.Moves() {
		a.Task, a.Move = m.Task, m.ID
		break
	}
	w.apply(a)
}

func (w *world) submit() { w.apply(w.submission()) }

func (w *world) submission() Submit {
	spec := w.spec()
	if w.int(0, 2, "reserves") == 0 {
		spec.Class = StandardClass
		spec.Reserve = &Reservation{w.s.Now + Time(w.int(-5, 60, "start"))*Second, Time(w.int(0, 60, "lasts")) * Second}
	}
	for id := JobID(1); id <= w.s.NextJob && w.int(0, 2, "waits") == 0; id += JobID(w.int(1, 3, "next")) {
		spec.After = append(spec.After, Dependency{id, w.outcomes()})
	}
	if spec.Reserve == nil && w.int(0, 2, "is due") == 0 {
		spec.Class, spec.Deadline = StandardClass, w.deadline(-5, 120)
	}
	if w.int(0, 1, "pays") == 0 {
		spec.Budget = Price(rapid.SampledFrom([]int{-1, 1, 100, 1000, 10_000, 100_000}).Draw(w.T, "budget"))
	}
	return Submit{spec, Time(w.int(-1, 3, "hold")) * 20 * Second}
}

func (w *world) outcomes() Outcomes { return Outcomes(w.int(0, int(OnEnd), "when")) }

// submitSteps submits a workflow, mostly of steps that wait for earlier ones, or joins one that may not exist.
func (w *world) submitSteps() {
	var a SubmitWorkflow
	if w.int(0, 3, "joins") == 0 {
		a.Joins, a.Seen = w.someJob(), w.s.NextJob-JobID(w.int(-1, 1, "behind"))
	}
	for i := range w.int(0, 4, "steps") {
		step := Step{Spec: w.submission().Spec}
		for on := 0; on < i+w.int(0, 1, "ahead"); on += w.int(1, 3, "next") {
			step.After = append(step.After, StepDependency{on, w.outcomes()})
		}
		a.Steps = append(a.Steps, step)
	}
	next := w.s.NextJob
	if r := w.apply(a); r.Rejection == nil && (r.Job != next || w.s.NextJob != next+JobID(len(a.Steps))) {
		w.Fatalf("%d steps took the ids from %v up to %v, and %v is told", len(a.Steps), next, w.s.NextJob, r.Job)
	}
}

// checkDependencies looks for a job that runs before those it waits for have ended as it needs, and for one that waits
// although they have.
func (w *world) checkDependencies(before *State) {
	for j := range w.s.Jobs() {
		open, unmet := 0, false
		for _, d := range j.Spec.After {
			if w.s.Job(d.Job) != nil {
				open++
			} else if past := w.s.Ended(d.Job); past != nil {
				unmet = unmet || d.When != OnEnd && (d.When == OnSuccess) != (past.Ending.Outcome == Succeeded)
			}
		}
		if j.Schedulable() != (open == 0 && !j.Held && j.Ending == nil) || unmet && j.Ending == nil {
			w.Fatalf("%v waits for %d of %v, unmet %v: %+v", j.ID, open, j.Spec.After, unmet, j)
		}
		if was := before.Job(j.ID); was != nil && was.Waits > 0 && j.Waits == 0 && j.Eligible != w.s.Now && j.Ending == nil {
			w.Fatalf("%v may run since %d, and it is %d", j.ID, j.Eligible, w.s.Now)
		}
	}
}

// deadline draws one that is so many seconds ahead.
func (w *world) deadline(low, high int) *Deadline {
	d := &Deadline{By: w.s.Now + Time(w.int(low, high, "by"))*Second}
	if rapid.Bool().Draw(w.T, "ready") {
		d.Ready = w.s.Now + Time(w.int(0, 20, "ready"))*Second
	}
	d.Pausable = rapid.Bool().Draw(w.T, "pausable")
	if d.Lasts = Time(w.int(1, 40, "lasts")) * Second; rapid.Bool().Draw(w.T, "by work") {
		d.Lasts, d.Work = 0, d.Lasts
	}
	return d
}

func (w *world) spec() *Spec {
	return &Spec{
		Owner: "root", Project: "default", Image: testImage, Tasks: w.int(1, 3, "tasks"), Need: CPU(w.int(1, 1500, "need")),
		Requirement: Requirement{Bytes(w.int(16, 96, "mem")) * MiB}, Restarts: w.int(0, 1, "restarts"),
		Placement: Constraint{Spread: rapid.Bool().Draw(w.T, "spread")}, FailOnLoss: w.int(0, 3, "loss") == 0,
		Class: Class(w.int(0, 2, "class")), Network: Network(w.int(0, 3, "network") / 3),
		MinYield: Parts(max(0, w.int(-6, 4, "floor"))) * Whole / 4,
		Limits:   Limits{Runtime: Time(w.int(0, 9, "limit")) * Second},
	}
}

func (w *world) join() {
	name := w.someName()
	a := Join{Name: name, Boot: "boot", Description: Description{CPU: CPU(w.int(0, 2000, "cpu")),
		Memory: Bytes(w.int(0, 400, "mem")) * MiB, Overhead: Bytes(w.int(0, 2, "over")) * MiB, Cores: w.int(0, 2, "cores"),
		Speed: rapid.SampledFrom([]Speed{0, 0, 500, 2000}).Draw(w.T, "speed"), Limits: w.int(0, 1, "limits") == 1,
		Bridged: w.int(0, 1, "bridged") == 1, Measured: Speed(w.int(-1, 2, "measured")) * 500}}
	a.Description.Isolates = a.Description.Bridged && w.int(0, 1, "isolates") == 1
	if n := w.s.NodeNamed(name); n != nil && w.int(0, 9, "honest") > 0 {
		a.Admission = n.Admission
	}
	w.apply(a)
	if n := w.s.NodeNamed(name); n != nil {
		w.apply(Report{Node: n.ID, FenceAlive: rapid.Bool().Draw(w.T, "fence"), StoreProven: rapid.Bool().Draw(w.T, "store"),
			StoreFree: Bytes(w.int(-1, 2000, "free")) * MiB})
	}
}

func (w *world) someName() string {
	return rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(w.T, "name")
}

func (w *world) adopt() { w.apply(w.proposal(w.s.Revision)) }

// proposal places a random subset of the jobs at random, partly beyond what fits, kills some and refuses others.
func (w *world) proposal(basis uint64) Adopt {
	a := Adopt{Basis: basis, Seen: w.s.View(w.s.Now).Pending(), Alarms: ticksAt(w.s.Now + Minute)}
	for j := range w.s.Jobs() {
		switch w.int(0, 2, "what") {
		case 1:
			a.Drop = append(a.Drop, j.ID)
		case 2:
			h := Holding{Job: j.ID, Placement: Placement{Grant: w.grant(j.Spec.Need)}}
			binds := w.int(0, 3, "binds") == 0
			for range j.Live() {
				h.Placement.Nodes = append(h.Placement.Nodes, w.someNode())
				if binds {
					h.Placement.Cores = append(h.Placement.Cores, CoreID(w.int(0, 2, "core")))
				}
			}
			a.Set = append(a.Set, h)
			if w.int(0, 9, "kills") == 0 {
				a.Kill = append(a.Kill, j.ID)
			}
		}
		if w.int(0, 29, "refuses") == 0 {
			a.Refuse = append(a.Refuse, Refusal{j.ID, Reason{Job: j.ID, Code: WhyNoCPU, Values: []int64{1, 0, 1}}})
		}
	}
	return a
}

// grant draws one that a job of the need may hold.
func (w *world) grant(need CPU) Grant {
	g := Tier(w.int(0, 1, "tier")).Grant(CPU(w.int(1, int(need), "cap")))
	if g.Tier == Foreground && rapid.Bool().Draw(w.T, "in part") {
		g.Guaranteed = CPU(w.int(0, int(g.Cap), "guaranteed"))
	}
	return g
}

func (w *world) move() {
	var moves []Move
	for j := range w.s.Jobs() {
		for i := range j.Tasks {
			kinds := map[Phase][]MoveKind{Idle: {Start}, Booting: {Stop, Resize}, Running: {Stop, Pause, Migrate, Resize},
				Saved: {Resume}, Done: {Start}}
			kind := rapid.SampledFrom(kinds[j.Tasks[i].Phase]).Draw(w.T, "kind")
			if w.int(0, 9, "sense") == 0 {
				kind = MoveKind(w.int(1, 6, "any kind"))
			}
			moves = append(moves, Move{
				Kind: kind, Task: TaskID{j.ID, i},
				From: j.Tasks[i].Node, To: NodeID(w.int(0, int(w.s.NextNode), "to")), CPU: CPU(w.int(0, 100, "cpu")),
			})
		}
	}
	for i := range moves {
		if !moves[i].Kind.Fills() {
			moves[i].To = 0
		}
		if moves[i].Kind == Start || moves[i].Kind == Resume {
			moves[i].From = 0
		}
	}
	w.apply(StartMoves{moves})
}

// obey reports what an honest monitor would see after it followed its orders.
func (w *world) obey() {
	if id := w.someNode(); w.s.Node(id) != nil {
		w.obeyOn(id)
	}
}

func (w *world) obeyOn(id NodeID) {
	r := Report{Node: id, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB}
	for _, o := range w.s.Orders(id).Runs {
		seen := map[Want]Sight{Stay: SeenRunning, Begin: SeenBooting, Restore: SeenRunning, Save: SeenSaved,
			Arrive: SeenArrived, Vanish: SeenAbsent}[o.Want]
		if !w.lucky && w.int(0, 9, "luck") == 0 {
			seen = SeenFailed
		}
		if seen != 0 {
			r.Observations = append(r.Observations, Observation{Run: o.Run, Move: o.Move, Seen: seen, Cap: o.CPU, Tier: o.Tier,
				Tiered: true,
				Work:   w.work(), Image: MiB, Platform: "", Cause: "bad luck"})
		}
	}
	for _, run := range w.s.Orders(id).Destroy {
		r.Observations = append(r.Observations, Observation{Run: run, Seen: SeenAbsent})
	}
	w.apply(r)
}

// work is what a monitor may report of a run's work, true or not.
func (w *world) work() *Work {
	if w.int(0, 3, "unobserved") == 0 {
		return nil
	}
	at := int(w.s.Now)
	return &Work{Time(w.int(-1, 2*at, "ran")), Time(w.int(-1, 2*at, "waited"))}
}

// befall reports what may happen to a VM by itself.
func (w *world) befall() {
	for j := range w.s.Jobs() {
		for i := range j.Tasks {
			if t := &j.Tasks[i]; t.Present() && rapid.Bool().Draw(w.T, "this one") {
				o := Observation{Run: RunID{j.ID, i, t.Run}, Cause: "fate", Exit: &Exit{Code: w.int(0, 1, "code")}}
				o.Seen = rapid.SampledFrom([]Sight{SeenExited, SeenLost, SeenFrozen, SeenAbsent}).Draw(w.T, "seen")
				w.apply(Report{Node: t.Node, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB,
					Observations: []Observation{o}})
				return
			}
		}
	}
}

// babble reports nonsense.
func (w *world) babble() {
	o := Observation{
		Run:  RunID{w.someJob(), w.int(0, 3, "index"), w.int(1, 3, "number")},
		Move: MoveID(w.int(0, int(w.s.NextMove), "move")), Seen: Sight(w.int(0, 11, "seen")), Cap: CPU(w.int(0, 100, "cap")),
		Work: w.work(),
	}
	if rapid.Bool().Draw(w.T, "exit") {
		o.Exit = &Exit{Code: w.int(0, 1, "code")}
	}
	w.apply(Report{Node: w.someNode(), FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB,
		Observations: []Observation{o}})
}

func TestNoSequenceOfCommandsBreaksAnInvariantAndNoRejectedOneChangesAnything(t *testing.T) {
	tried := map[reflect.Type]bool{}
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.tried = tried
		t.Repeat(w.actions())
	})
	for _, a := range everyAction {
		if !tried[reflect.TypeOf(a)] {
			t.Errorf("the world never does %T", a)
		}
	}
}

func TestNoTaskGetsAnotherVMWhileANodeMayHaveItsLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.leaveCopy()
		actions := w.actions()
		for name, act := range actions {
			actions[name] = func(t *rapid.T) {
				next, contested := w.s.NextMove, w.contested()
				act(t)
				for m := range w.s.Moves() {
					if m.ID >= next && m.Kind.Relocates() && contested[m.Task] != 0 {
						t.Fatalf("%v of %v began while node %d may have a VM of it", m.Kind, m.Task, contested[m.Task])
					}
				}
			}
		}
		t.Repeat(actions)
	})
}

// leaveCopy runs a job on node 1 whose migration to node 2 has failed.
func (w *world) leaveCopy() {
	for _, name := range []string{"a", "b", "c"} {
		w.must(Join{name, "boot", Description{CPU: 1000, Memory: 200 * MiB}, 0})
	}
	w.must(Submit{Spec: &Spec{Owner: "root", Project: "default", Image: testImage, Tasks: 1, Need: 1000,
		Requirement: Requirement{16 * MiB}}})
	task, run := TaskID{1, 0}, RunID{1, 0, 1}
	w.must(StartMoves{[]Move{{Kind: Start, Task: task, To: 1, CPU: 100}}})
	w.must(Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB,
		Observations: []Observation{{Run: run, Move: 1, Seen: SeenRunning, Cap: 100}}})
	w.must(StartMoves{[]Move{{Kind: Migrate, Task: task, From: 1, To: 2, CPU: 100}}})
	w.must(Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB,
		Observations: []Observation{{Run: run, Move: 2, Seen: SeenFailed}}})
}

// contested finds, the dumb way, the tasks of whose latest run a node that is not down and not theirs has something to
// destroy.
func (w *world) contested() map[TaskID]NodeID {
	found := map[TaskID]NodeID{}
	for n := range w.s.Nodes() {
		for _, run := range n.Condemned {
			if task := w.s.task(run.Task()); task != nil && task.Run == run.Number && task.Node != n.ID && n.Health != Down {
				found[run.Task()] = n.ID
			}
		}
	}
	return found
}

func TestMemoryOfANodeIsNeverPromisedTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.lucky = true // a task that failed to leave too often keeps its place, although it was promised to others
		w.must(Join{"a", "boot", Description{CPU: 1000, Memory: 200 * MiB}, 0})
		for range 10 {
			w.submit()
			w.adopt()
			w.move()
			w.obey()
			n := w.s.Node(1)
			if n.Load.Memory > n.Capacity().Memory || n.Occupied > n.Capacity().Memory || n.Load.Guaranteed > n.Capacity().CPU {
				t.Fatalf("promised %+v, occupied %v of %+v", n.Load, n.Occupied, n.Capacity())
			}
		}
	})
}

func TestVMsOfFailingMovesNeverOccupyMoreThanTheNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.must(Join{"a", "boot", Description{CPU: 1000, Memory: 200 * MiB}, 0})
		for range 10 {
			w.submit()
			w.adopt()
			w.move()
			w.obey()
			if n := w.s.Node(1); n.Occupied > n.Capacity().Memory {
				t.Fatalf("occupied %v of %+v", n.Occupied, n.Capacity())
			}
		}
	})
}
