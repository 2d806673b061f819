package cluster

import (
	"slices"
	"testing"
)

// margined is a cluster of one node whose programs take a part of the CPU of its VMs.
type margined struct {
	*promised
	on      NodeID
	taken   Parts
	started Time // of the latest VM
}

func newMargined(t *testing.T, taken Parts) *margined {
	w := newPromised(t)
	w.later(Hour)
	on := w.node("a", 1000)
	w.do(Report{Node: on, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40})
	return &margined{w, on, taken, 0}
}

// due submits a job with so much work that its promise counts after a while.
func (w *margined) due(work, after Time) JobID {
	w.Helper()
	spec := w.spec(1, 1000, nil)
	spec.Deadline = &Deadline{Lasts: work}
	spec.Deadline.By = w.s.Now + after + w.s.lead(spec) + w.s.padded(work)
	return w.submit(spec)
}

// run lets the job run, with the node's start of its VM taking a time, until its promise has ended, and then ends it.
// It returns what became of the promise.
func (w *margined) run(id JobID, boots Time) EventKind {
	w.Helper()
	w.started = 0
	for range 10_000 {
		if end := w.goOn(id, boots); end == JobOverran || end == JobPromiseBroken {
			w.sees(id, w.on, Observation{Seen: SeenExited, Exit: &Exit{}})
			return end
		}
	}
	w.Fatal("its promise does not end")
	return ""
}

// goOn lets a step pass in which the job's VM is started, or runs. It returns the event that ended its promise, if any.
func (w *margined) goOn(id JobID, boots Time) EventKind {
	w.Helper()
	end := w.step(id)
	switch task := &w.s.Job(id).Tasks[0]; {
	case task.Phase == Idle && w.s.Move(TaskID{id, 0}) == nil && w.s.Target(id) != nil:
		w.do(StartMoves{Moves: []Move{{Task: TaskID{id, 0}, Kind: Start, To: w.on, CPU: 1000}}})
		w.started = w.s.Now
	case task.Phase == Running || w.started > 0 && w.s.Now >= w.started+boots:
		ran := w.s.Now - w.started
		waited := Time(w.taken) * (ran - boots) / Time(Whole)
		w.sees(id, w.on, Observation{Seen: SeenRunning, Cap: 1000, Tiered: true, Work: &Work{ran - waited, waited}})
	}
	return end
}

// step lets ten seconds pass, or the time until the next turn, and decides. It returns the event that ended the job's
// promise, if one did.
func (w *margined) step(id JobID) (end EventKind) {
	w.Helper()
	next := w.s.Now + 10*Second
	if at := w.s.View(w.s.Now).WakeAt(); at > w.s.Now {
		next = min(next, at)
	}
	w.s.Now = next
	for _, e := range w.do(Adopt{Basis: w.s.Revision}).Events {
		if e.Job == id && (e.Kind == JobOverran || e.Kind == JobPromiseBroken) {
			end = e.Kind
		}
	}
	if err := w.s.Check(); err != nil {
		w.Fatal(err)
	}
	return end
}

// A tenth of the CPU is more than the fiftieth that is kept at first: that these promises are missed is said. The later
// ones are kept.
func TestTheMarginIsLearntFromWhatOtherProgramsTook(t *testing.T) {
	w := newMargined(t, Whole/10)
	for i := range fewLosses {
		id := w.due(20*Minute, Minute)
		if p := w.s.PromiseTo(id); p.Margin != leastMargin || p.Until-p.From != p.Work+p.Work/50 {
			t.Fatalf("promise %d keeps %v for %v", i, p.Until-p.From, p.Work)
		}
		if end := w.run(id, 5*Second); end != JobPromiseBroken {
			t.Fatalf("promise %d: %v, although a fiftieth is too little", i, end)
		}
	}
	margin, known, _ := w.s.Margin()
	if margin < Whole/10 || margin > Whole*12/100 || known != fewLosses {
		t.Fatalf("the margin is %d, after %d promises", margin, known)
	}
	for i := range fewLosses {
		if end := w.run(w.due(20*Minute, Minute), 5*Second); end != JobOverran {
			t.Fatalf("promise %d with the wider margin: %v", i, end)
		}
	}
	if _, known, _ = w.s.Margin(); known != 2*fewLosses {
		t.Errorf("%d promises are measured", known)
	}
}

func TestANodeThatTakesNothingLeavesTheMarginAtAFiftieth(t *testing.T) {
	w := newMargined(t, 0)
	for i := range fewLosses + 1 {
		if end := w.run(w.due(15*Minute, Minute), 5*Second); end != JobOverran {
			t.Fatalf("promise %d: %v", i, end)
		}
	}
	if margin, known, _ := w.s.Margin(); margin != leastMargin || known != fewLosses+1 {
		t.Errorf("the margin is %d, after %d promises", margin, known)
	}
}

// The time to start is that of the image, which its owner can make slow. It widens nobody's margin.
func TestASlowStartIsNoLoss(t *testing.T) {
	w := newMargined(t, 0)
	if end := w.run(w.due(15*Minute, Minute), 3*Minute); end != JobPromiseBroken {
		t.Errorf("with a VM that starts much too late: %v", end)
	}
	if len(w.s.losses) != 1 || w.s.losses[0] > leastMargin {
		t.Errorf("lost were %v", w.s.losses)
	}
}

func TestAPromiseKeepsTheMarginWithWhichItWasMade(t *testing.T) {
	w := newMargined(t, 0)
	early := w.due(Hour, 10*Hour)
	w.s.losses = slices.Repeat([]Parts{Whole / 10}, fewLosses)
	late := w.due(Hour, 5*Hour)
	for id, want := range map[JobID]Time{early: 72 * Second, late: 6 * Minute} {
		if p := w.s.PromiseTo(id); p.Until-p.From != Hour+want {
			t.Errorf("%v keeps %v s more than its work", id, (p.Until - p.From - Hour).Seconds())
		}
	}
	w.s.losses = slices.Repeat([]Parts{mostMargin}, fewLosses)
	for id, by := range map[JobID]Time{early: -Minute, late: -Minute} {
		w.do(Reschedule{Job: id, By: by})
	}
	for id, want := range map[JobID]Time{early: 72 * Second, late: 6 * Minute} {
		if p := w.s.PromiseTo(id); p.Until-p.From != Hour+want {
			t.Errorf("%v, moved, keeps %v s more than its work", id, (p.Until - p.From - Hour).Seconds())
		}
	}
}

func TestAPromiseWithoutAMarginHasAFiftieth(t *testing.T) {
	for _, work := range []Time{0, 1, 49, 50, 51, Hour, maxReserved} {
		if got := (&Promise{}).padded(work); got != work+(work+49)/50 {
			t.Errorf("%d keeps %d", work, got)
		}
	}
}

func TestTheMarginIsWhatNineteenOfTwentyPromisesNeeded(t *testing.T) {
	of := func(large int, loss Parts) []Parts {
		return append(slices.Repeat([]Parts{30_000}, mostLosses-large), slices.Repeat([]Parts{loss}, large)...)
	}
	for name, c := range map[string]struct {
		losses []Parts
		want   Parts
	}{
		"too few":  {slices.Repeat([]Parts{100_000}, fewLosses-1), leastMargin},
		"enough":   {slices.Repeat([]Parts{100_000}, fewLosses), 100_000},
		"at least": {slices.Repeat([]Parts{1000}, mostLosses), leastMargin},
		"at most":  {slices.Repeat([]Parts{mostMargin}, mostLosses), mostMargin},
		"three":    {of(3, 200_000), 30_000}, "four": {of(4, 200_000), 200_000},
	} {
		got, known, learnt := (&State{losses: c.losses}).Margin()
		if got != c.want || known != len(c.losses) || learnt == (name == "too few") {
			t.Errorf("%s: %d of %d, learnt %t", name, got, known, learnt)
		}
	}
}

func TestALossIsAPartOfTheWork(t *testing.T) {
	for _, c := range []struct {
		took, work Time
		want       Parts
	}{
		{10 * Minute, 9 * Minute, 112_000}, {Hour, Hour, 1000}, {Hour, Hour + 1, 1000}, {Hour, 0, mostMargin},
		{5 * Hour, 4 * Hour, mostMargin}, {5*Hour - 1, 4 * Hour, mostMargin}, {maxReserved, maxReserved - 1, 1000},
	} {
		if got := lossOf(c.took, c.work); got != c.want {
			t.Errorf("%v s for %v s: %d, not %d", c.took.Seconds(), c.work.Seconds(), got, c.want)
		}
	}
}

func TestSixtyFourLossesAreKept(t *testing.T) {
	w := newMargined(t, 0)
	w.s.losses = slices.Repeat([]Parts{mostMargin}, mostLosses)
	w.run(w.due(15*Minute, Minute), 5*Second)
	if n := len(w.s.losses); n != mostLosses || w.s.losses[n-1] > leastMargin {
		t.Errorf("%v", w.s.losses)
	}
}

func TestOnlyWhatIsAnOverheadIsMeasured(t *testing.T) {
	for name, c := range map[string]struct {
		befall func(*margined, JobID)
		lasts  Time
		want   []Parts
	}{
		"long enough":     {func(*margined, JobID) {}, leastForce, []Parts{1000}},
		"half of that":    {func(*margined, JobID) {}, leastForce / 2, nil},
		"a lost VM":       {func(w *margined, id JobID) { w.sees(id, w.on, Observation{Seen: SeenLost}) }, 15 * Minute, nil},
		"time that leaps": {func(w *margined, _ JobID) { w.do(SetTime{w.s.Now + 30*Minute}) }, 15 * Minute, []Parts{1000}},
		"a former format": {func(w *margined, _ JobID) { w.s.Format = learns - 1 }, 15 * Minute, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newMargined(t, 0)
			id := w.due(2*Hour, Minute)
			w.runs(id)
			c.befall(w, id)
			w.s.Now = max(w.s.Now, w.s.PromiseTo(id).From) + c.lasts
			if w.do(Cancel{Job: id}); !slices.Equal(w.s.losses, c.want) {
				t.Errorf("lost were %v, not %v", w.s.losses, c.want)
			}
		})
	}
}

// runs lets the job run until what its promise loses is measured.
func (w *margined) runs(id JobID) {
	w.Helper()
	for w.s.PromiseTo(id).Since == 0 {
		w.advance(id)
	}
}

// advance lets a step pass, and the job's VM start or run at once if it has to.
func (w *margined) advance(id JobID) {
	w.Helper()
	switch w.step(id); {
	case w.s.Target(id) == nil:
	case w.s.Job(id).Tasks[0].Phase == Idle && w.s.Move(TaskID{id, 0}) == nil:
		w.do(StartMoves{Moves: []Move{{Task: TaskID{id, 0}, Kind: Start, To: w.on, CPU: 1000}}})
	default:
		w.sees(id, w.on, Observation{Seen: SeenRunning, Cap: 1000, Tiered: true})
	}
}

// Below its format a promise is what earlier programs would make of it.
func TestBelowItsFormatAPromiseHasNoMargin(t *testing.T) {
	w := newMargined(t, 0)
	w.s.Format = learns - 1
	if p := w.s.PromiseTo(w.due(Hour, Hour)); p.Margin != 0 {
		t.Errorf("the margin is %d", p.Margin)
	}
}

func TestTimeThatLeapsOverTheStartOfABookingIsNoLoss(t *testing.T) {
	w := newMargined(t, 0)
	id := w.due(2*Hour, Minute)
	for w.s.Job(id).Tasks[0].Phase != Running {
		w.advance(id)
	}
	if p := w.s.PromiseTo(id); !p.Met || w.s.Now >= p.From {
		t.Fatalf("it runs at %d, and its booking begins at %d", w.s.Now, p.From)
	}
	w.do(SetTime{w.s.Now + 30*Minute})
	w.later(15 * Minute)
	if w.do(Cancel{Job: id}); !slices.Equal(w.s.losses, []Parts{1000}) {
		t.Errorf("lost were %v", w.s.losses)
	}
}
