package scheduler

import (
	"testing"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
)

// stubborn makes decisions that cannot be adopted for all jobs but the first.
type stubborn struct{ *together }

func (p stubborn) Decide(v *cluster.View) policy.Decision {
	d := p.together.Decide(v)
	for j := range v.Candidates() {
		if j.ID > 1 {
			d.Target.Set(j.ID, &cluster.Placement{Grant: cluster.Foreground.Grant(j.Spec.Need + 1), Nodes: []cluster.NodeID{1}})
		}
	}
	return d
}

// loop is a leader's loop in virtual time.
type loop struct {
	*lab
	backoff   Backoff
	decides   policy.Policy
	proposals []cluster.Action
}

// run steps once a millisecond for the given length. The node carries out orders at once.
func (l *loop) run(length cluster.Time) {
	l.Helper()
	for end := l.now + length; l.now < end; l.now += cluster.Millisecond {
		if a := l.backoff.Step(l.s.View(l.now), l.decides, roomy); a != nil {
			l.propose(a)
			l.obey()
		}
	}
}

func (l *loop) propose(a cluster.Action) {
	l.Helper()
	root := cluster.Actor{Name: "root", Role: cluster.System}
	r := l.s.Apply(l.s.Revision+1, cluster.Command{At: l.now, Actor: root, Epoch: l.s.Epoch, Action: a})
	l.proposals = append(l.proposals, a)
	l.backoff.Note(a, r.Rejection != nil, l.s.View(l.now))
}

func newLoop(t *testing.T) *loop {
	l := newLab(t)
	return &loop{lab: l, decides: stubborn{l.p}}
}

func TestADecisionThatCannotBeAdoptedBacksOff(t *testing.T) {
	l := newLoop(t)
	l.submit(1)
	second := l.submit(1)
	l.run(2 * cluster.Second)
	// One adoption and one start for the first job; for the second, decisions at 0, 0.1, 0.3, 0.7 and 1.5 s.
	if len(l.proposals) != 6 {
		t.Errorf("%d proposals in 2 s", len(l.proposals))
	}
	if jobs, wait := l.backoff.Undecided(); len(jobs) != 1 || jobs[0] != second || wait != 1600*cluster.Millisecond {
		t.Errorf("undecided %v, for %v", jobs, wait)
	}
	l.proposals = nil
	l.now += cluster.Hour // as after a suspension of the machine
	l.run(10 * cluster.Minute)
	ticks := 10
	if n := len(l.proposals); n > ticks+10+2 {
		t.Errorf("%d proposals in 10 min with a tick and a back-off of a minute", n)
	}
}

func TestMovesGoOnWhileADecisionIsHeldBack(t *testing.T) {
	l := newLoop(t)
	first := l.submit(1)
	l.submit(1)
	l.run(100 * cluster.Millisecond)
	if phase := l.s.Job(first).Tasks[0].Phase; phase != cluster.Running {
		t.Errorf("the first job is %v", phase)
	}
}

func TestNewsEndABackoffAndSuccessForgetsIt(t *testing.T) {
	l := newLoop(t)
	l.submit(2)
	l.submit(1)
	l.run(10 * cluster.Second)
	l.proposals = nil
	l.submit(1)
	l.run(cluster.Millisecond)
	if len(l.proposals) != 1 {
		t.Fatalf("%d proposals at once after a submission", len(l.proposals))
	}
	l.decides = l.p
	l.report(cluster.Observation{Run: cluster.RunID{Job: 1, Index: 0, Number: 1}, Seen: cluster.SeenExited,
		Exit: &cluster.Exit{}})
	l.run(10 * cluster.Millisecond)
	if jobs, wait := l.backoff.Undecided(); len(jobs) != 0 || wait != 0 {
		t.Errorf("undecided %v, for %v, after a decision that was adopted", jobs, wait)
	}
	if l.s.Target(2) == nil || l.s.Target(3) == nil {
		t.Error("the end of a task did not lead to a decision")
	}
}

func TestALoopWakesWhenABackoffIsOver(t *testing.T) {
	l := newLoop(t)
	l.submit(1)
	l.submit(1)
	l.run(10 * cluster.Millisecond)
	v := l.s.View(l.now)
	if wake := l.backoff.WakeAt(v); wake != 100*cluster.Millisecond {
		t.Errorf("wakes at %v s", wake.Seconds())
	}
	if v.WakeAt() != cluster.Minute {
		t.Errorf("the view itself wakes at %v s", v.WakeAt().Seconds())
	}
}

// hasty sets an alarm in the past.
type hasty struct{ *together }

func (p hasty) Decide(v *cluster.View) policy.Decision {
	d := p.together.Decide(v)
	d.Alarms[0].At = v.At
	return d
}

func TestATickInThePastDoesNotMakeTheLoopRunHot(t *testing.T) {
	l := newLoop(t)
	l.decides = hasty{l.p}
	l.submit(1)
	l.run(2 * cluster.Second)
	if len(l.proposals) > 7 {
		t.Errorf("%d proposals in 2 s", len(l.proposals))
	}
}

func TestARefusedActionBacksOffAndAnotherDoesNot(t *testing.T) {
	l := newLab(t)
	l.submit(1)
	l.do(l.step())
	var b Backoff
	v := l.s.View(l.now)
	starts := b.Step(v, l.p, roomy)
	if b.Note(starts, true, v); b.Step(v, l.p, roomy) != nil {
		t.Error("a refused start is proposed again at once")
	}
	l.submit(1)
	l.do(l.step())
	if a := b.Moves(l.s.View(l.now), migrate.Limits{PerNode: 9, Total: 9, Store: 9}); a == nil {
		t.Error("other moves are held back")
	}
	l.now = firstBackoff
	again := b.Step(l.s.View(l.now), l.p, roomy)
	if again == nil {
		t.Fatal("never proposed again")
	}
	if b.Note(again, false, l.s.View(l.now)); b.moves.wait != 0 {
		t.Error("success does not end the back-off")
	}
}
