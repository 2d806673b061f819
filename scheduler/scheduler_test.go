package scheduler

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/migrate"
	"aliquot/policy"
)

const image = "busybox@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// together places every candidate on node 1 with an equal share, and records the occasions that it was asked about.
type together struct {
	asked []cluster.Occasion
	leave func(*cluster.Job) bool // reports whether to leave a job out; nil: none
}

func (p *together) Decide(v *cluster.View) policy.Decision {
	p.asked = append(p.asked, v.Pending())
	d := policy.Decision{Target: cluster.NewAllocation(),
		Alarms: []cluster.Alarm{{At: (v.At/cluster.Minute + 1) * cluster.Minute, Kind: cluster.AlarmTick}}}
	for j := range v.Candidates() {
		if p.leave == nil || !p.leave(j) {
			d.Target.Set(j.ID, &cluster.Placement{Grant: cluster.Foreground.Grant(100),
				Nodes: slices.Repeat([]cluster.NodeID{1}, j.Live())})
		}
	}
	return d
}

var roomy = migrate.Limits{PerNode: 9, Total: 9, Store: 9}

// lab is a state with its clock and its policy.
type lab struct {
	*testing.T
	s   *cluster.State
	now cluster.Time
	p   *together
}

func newLab(t *testing.T) *lab {
	l := &lab{t, cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "together", Period: cluster.Minute}), 0,
		&together{}}
	_, digest, _ := strings.Cut(image, "@sha256:")
	l.do(cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: digest, Kind: "kernel"}})
	l.do(cluster.Claim{Replica: 1, Term: 1})
	l.do(cluster.Join{Name: "n1", Boot: "1", Description: cluster.Description{CPU: 4000, Memory: 1024 * cluster.MiB}})
	l.report()
	l.settle()
	l.p.asked = nil
	return l
}

func (l *lab) do(a cluster.Action) cluster.Result {
	l.Helper()
	root := cluster.Actor{Name: "root", Role: cluster.System}
	r := l.s.Apply(l.s.Revision+1, cluster.Command{At: l.now, Actor: root, Epoch: l.s.Epoch, Action: a})
	if r.Rejection != nil {
		l.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

func (l *lab) submit(tasks int) cluster.JobID {
	l.Helper()
	return l.do(cluster.Submit{Spec: &cluster.Spec{Image: image, Tasks: tasks, Need: 1000,
		Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}}}).Job
}

func (l *lab) report(seen ...cluster.Observation) {
	l.Helper()
	l.do(cluster.Report{Node: 1, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40, Observations: seen})
}

func (l *lab) step() cluster.Action { return new(Backoff).Step(l.s.View(l.now), l.p, roomy) }

// obey lets the node carry out all moves under way.
func (l *lab) obey() {
	l.Helper()
	var seen []cluster.Observation
	for m := range l.s.Moves() {
		o := cluster.Observation{Run: cluster.RunID{Job: m.Task.Job, Index: m.Task.Index, Number: m.Run}, Move: m.ID,
			Cap: m.CPU, Seen: cluster.SeenRunning}
		if m.Kind == cluster.Pause {
			o.Seen = cluster.SeenSaved
		}
		seen = append(seen, o)
	}
	l.report(seen...)
}

func (l *lab) settle() {
	l.Helper()
	for a := l.step(); a != nil; a = l.step() {
		l.do(a)
		l.obey()
	}
}

func TestADecisionComesFirstThenItsMovesThenNothing(t *testing.T) {
	l := newLab(t)
	j := l.submit(2)
	adopt, ok := l.step().(cluster.Adopt)
	if !ok || len(adopt.Set) != 1 || adopt.Set[0].Job != j {
		t.Fatalf("not decided: %+v", adopt)
	}
	l.do(adopt)
	moves, ok := l.step().(cluster.StartMoves)
	if !ok || len(moves.Moves) != 2 || moves.Moves[0].Kind != cluster.Start {
		t.Fatalf("not started: %+v", moves)
	}
	l.do(moves)
	if a := l.step(); a != nil {
		t.Errorf("proposes %+v while the moves are under way", a)
	}
	l.obey()
	if a := l.step(); a != nil {
		t.Errorf("proposes %+v although all is done", a)
	}
	if len(l.p.asked) != 1 {
		t.Errorf("decided %d times", len(l.p.asked))
	}
}

func TestArrivalsDuringADecisionAreDecidedTogether(t *testing.T) {
	l := newLab(t)
	l.submit(1)
	inFlight := l.step()
	second, third := l.submit(1), l.submit(1)
	l.do(cluster.Hold{Job: l.submit(1)})
	l.do(inFlight)
	l.settle()
	if len(l.p.asked) != 2 {
		t.Fatalf("decided %d times: %+v", len(l.p.asked), l.p.asked)
	}
	if diff := cmp.Diff([]cluster.JobID{second, third}, l.p.asked[1].Submitted); diff != "" {
		t.Errorf("the second decision (-want +got):\n%s", diff)
	}
}

func TestMovesAreNoOccasionToDecide(t *testing.T) {
	l := newLab(t)
	j := l.submit(1)
	l.settle()
	l.p.leave = func(*cluster.Job) bool { return true }
	l.submit(1)
	l.settle()
	if phase := l.s.Job(j).Tasks[0].Phase; phase != cluster.Saved {
		t.Fatalf("the first job is %v", phase)
	}
	if len(l.p.asked) != 2 {
		t.Errorf("decided %d times for two submissions", len(l.p.asked))
	}
}

func TestNothingIsProposedUntilTheTickIsDue(t *testing.T) {
	l := newLab(t)
	l.submit(1)
	l.settle()
	l.p.asked = nil
	l.now = l.s.View(l.now).WakeAt() - 1
	if a := l.step(); a != nil {
		t.Errorf("proposes %+v before the tick", a)
	}
	l.now++
	if _, ok := l.step().(cluster.Adopt); !ok || !l.p.asked[0].Rings(cluster.AlarmTick) {
		t.Error("the tick is not decided")
	}
	l.settle()
	if wake := l.s.View(l.now).WakeAt(); wake != 2*cluster.Minute {
		t.Errorf("wakes at %v s", wake.Seconds())
	}
}

func TestAnAdoptionListsOnlyChangesByPriority(t *testing.T) {
	l := newLab(t)
	old, ended, young, gone, newest := l.submit(1), l.submit(2), l.submit(1), l.submit(1), cluster.JobID(0)
	l.settle()
	l.now = 30 * cluster.Second
	l.report(cluster.Observation{Run: cluster.RunID{Job: ended, Index: 0, Number: 1}, Seen: cluster.SeenExited,
		Exit: &cluster.Exit{}})
	newest = l.submit(1)
	v := l.s.View(l.now)
	d := policy.Decision{Target: v.TargetAll().Clone()}
	d.Target.Delete(gone)
	d.Target.Delete(young)
	d.Target.Set(old, &cluster.Placement{Grant: cluster.Foreground.Grant(300), Nodes: []cluster.NodeID{1}})
	d.Target.Set(ended, &cluster.Placement{Grant: cluster.Foreground.Grant(200), Nodes: []cluster.NodeID{0, 1}})
	d.Target.Set(newest, &cluster.Placement{Grant: cluster.Foreground.Grant(200), Nodes: []cluster.NodeID{1}})
	got := Adoption(v, v.Pending(), d)
	one := []cluster.NodeID{1}
	want := []cluster.Holding{
		{Job: newest, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(200), Nodes: one}},
		{Job: old, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(300), Nodes: one}},
		{Job: ended, Placement: cluster.Placement{Grant: cluster.Foreground.Grant(200), Nodes: one}},
	}
	if diff := cmp.Diff(want, got.Set); diff != "" {
		t.Errorf("set (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]cluster.JobID{gone, young}, got.Drop); diff != "" {
		t.Errorf("dropped, the lowest priority first (-want +got):\n%s", diff)
	}
	if got.Basis != v.Revision() {
		t.Errorf("basis %d of revision %d", got.Basis, v.Revision())
	}
}

func TestLimitsHoldMovesBack(t *testing.T) {
	l := newLab(t)
	l.submit(3)
	l.do(l.step())
	moves := new(Backoff).Step(l.s.View(l.now), l.p, migrate.Limits{PerNode: 2, Total: 9, Store: 9}).(cluster.StartMoves)
	if len(moves.Moves) != 2 {
		t.Errorf("%d moves start", len(moves.Moves))
	}
}

func TestAPreviewDecidesOnACopyAsIfTheTickWereDue(t *testing.T) {
	l := newLab(t)
	j := l.submit(1)
	now := l.s.Snapshot(l.now)
	is := func(cluster.PolicyChoice) (policy.Policy, error) { return l.p, nil }
	got, err := Foresee(now, Hypothesis{}, is)
	if err != nil || len(got.Adopt.Set) != 1 || got.After.Target(j) == nil || l.s.Target(j) != nil ||
		now.Target(j) != nil {
		t.Fatalf("%+v, %v", got.Adopt, err)
	}
	if len(got.Plan.Steps) != 1 || got.Plan.Steps[0].Kind != cluster.Start {
		t.Errorf("the plan is %+v", got.Plan)
	}
	if l.p.asked[0].Rings(cluster.AlarmTick) {
		t.Error("the tick is due although a submission is pending")
	}
	l.settle()
	l.p.asked, l.now = nil, cluster.Second
	if _, err := Foresee(l.s.Snapshot(l.now), Hypothesis{}, is); err != nil || !l.p.asked[0].Rings(cluster.AlarmTick) {
		t.Errorf("%v, asked %+v", err, l.p.asked)
	}
}
