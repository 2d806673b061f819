package policytest

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/policy"
)

// T is the part of a test, benchmark or property that a World needs.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// World is a cluster driven by a policy. Its monitors carry out orders at once.
type World struct {
	*cluster.State
	Policy policy.Policy
	Clock  cluster.Time
	Store  cluster.Bytes // free store space that monitors report; negative: there is no store
	t      T

	blind     map[cluster.NodeID]bool // nodes that do not reach the store
	backwards bool                    // events of one instant arrive in reverse order
	foreign   cluster.AlarmKind       // kind of alarm, of another family, added to each decision; 0: none
}

const image = "busybox@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// NewWorld returns a cluster without nodes and jobs at time zero, with ample store.
func NewWorld(t T, p policy.Policy) *World {
	w := &World{State: cluster.Newest([16]byte{1}, cluster.PolicyChoice{Name: "under test", Period: cluster.Minute}),
		Policy: p, Store: 1 << 50, t: t, blind: map[cluster.NodeID]bool{}}
	w.Do(cluster.PutImage{Image: cluster.Image{Name: "busybox", Digest: image[len("busybox@sha256:"):],
		Kind: "kernel", Size: 1}})
	w.Do(cluster.SetSubnet{Subnet: cluster.Subnet{Base: 10 << 24, Bits: 16}})
	w.Do(cluster.Claim{Replica: 1, Term: 1})
	return w
}

// Try applies a command at the World's clock and checks the state's invariants afterwards. As a leader does, it shows
// the state its time first, in steps of at most [cluster.MaxStep].
func (w *World) Try(a cluster.Action) cluster.Result {
	w.t.Helper()
	for w.Now > 0 && w.Clock-w.Now > cluster.MaxStep {
		w.apply(cluster.Checkpoint{})
	}
	r := w.apply(a)
	if r.Rejection != nil && r.Rejection.Code == cluster.CodeInternalBug {
		w.t.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

func (w *World) apply(a cluster.Action) cluster.Result {
	actor := cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.System}
	return w.Apply(w.Revision+1, cluster.Command{At: w.Clock, TimeSet: w.TimeSet, Actor: actor, Epoch: w.Epoch, Action: a})
}

// Do applies a command that must succeed.
func (w *World) Do(a cluster.Action) cluster.Result {
	w.t.Helper()
	r := w.Try(a)
	if r.Rejection != nil {
		w.t.Fatalf("%T: %v", a, r.Rejection)
	}
	return r
}

// Join adds a node, or changes its description, and lets its monitor report.
func (w *World) Join(name string, d cluster.Description) {
	w.t.Helper()
	id := w.Do(cluster.Join{Name: name, Boot: "boot", Description: d}).Node
	w.observe(id, func(cluster.RunID) fate { return later })
}

// Submit adds a job and completes its spec.
func (w *World) Submit(s cluster.Spec) cluster.Result {
	w.t.Helper()
	s.Owner, s.Project, s.Image = cmp.Or(s.Owner, "root"), "default", image
	return w.Try(cluster.Submit{Spec: &s})
}

// Look returns the view at the World's clock.
func (w *World) Look() *cluster.View { return w.View(w.Clock) }

// Decide adopts the policy's decision on the pending occasion, if there is one.
func (w *World) Decide() {
	w.t.Helper()
	w.DecideWhile(func() {})
}

// DecideWhile is Decide with meanwhile running before the decision is adopted.
func (w *World) DecideWhile(meanwhile func()) {
	w.t.Helper()
	if v := w.Look(); !v.Pending().Empty() {
		d := w.Policy.Decide(v)
		meanwhile()
		w.adopt(v, d)
	}
}

// adopt makes the decision the target.
func (w *World) adopt(v *cluster.View, d policy.Decision) {
	w.t.Helper()
	a := cluster.Adopt{Basis: v.Revision(), Seen: v.Pending(), Tick: v.NextTick(), Refuse: d.Refuse,
		Alarms: d.Alarms, By: d.By, Kill: d.Kill}
	if d.Why != nil {
		a.Why = slices.Collect(d.Why)
	}
	for id, p := range d.Target.All() {
		if v.Target(id) != p {
			a.Set = append(a.Set, cluster.Holding{Job: id, Placement: *p})
		}
	}
	for id := range v.TargetAll().All() {
		if d.Target.Get(id) == nil {
			a.Drop = append(a.Drop, id)
		}
	}
	if w.foreign != 0 {
		a.Alarms = w.withForeign(v.At, a.Alarms)
	}
	if w.backwards {
		slices.Reverse(a.Set)
		slices.Reverse(a.Drop)
	}
	w.Do(a)
}

// Settle carries out moves until the target is reached or none can start.
func (w *World) Settle() {
	w.t.Helper()
	for w.Start() {
		w.Obey()
	}
}

// Start starts all moves towards the target for which there is room. It reports whether it started any.
func (w *World) Start() bool {
	w.t.Helper()
	if moves := w.moves(); len(moves) > 0 && w.Try(cluster.StartMoves{Moves: moves}).Rejection == nil {
		return true
	}
	way := w.giveWay()
	return len(way) > 0 && w.Try(cluster.StartMoves{Moves: way}).Rejection == nil
}

// moves returns the move that each task needs, those that free memory first.
func (w *World) moves() (moves []cluster.Move) {
	for j := range w.Jobs() {
		for i := range j.Tasks {
			if m, ok := w.move(j, i); ok {
				moves = append(moves, m)
			}
		}
	}
	slices.SortStableFunc(moves, func(a, b cluster.Move) int {
		switch {
		case a.Kind.Fills() == b.Kind.Fills():
			return 0
		case b.Kind.Fills():
			return -1
		}
		return 1
	})
	return moves
}

func (w *World) move(j *cluster.Job, i int) (m cluster.Move, ok bool) {
	t, p := &j.Tasks[i], w.Target(j.ID)
	m = cluster.Move{Task: cluster.TaskID{Job: j.ID, Index: i}, From: t.Node}
	if w.Move(m.Task) != nil || t.Phase == cluster.Done || t.RetryAt > w.Clock {
		return m, false
	}
	if p == nil {
		m.Kind = cluster.Pause
		if j.Ending != nil || t.Phase == cluster.Booting {
			m.Kind = cluster.Stop
		}
		return m, t.Present()
	}
	m.To, m.CPU, m.Tier = p.Nodes[i], p.Cap, p.Tier
	switch {
	case t.Killed:
		m.Kind, m.To = cluster.Stop, 0
	case t.Phase == cluster.Idle:
		m.Kind = cluster.Start
	case t.Phase == cluster.Saved:
		m.Kind = cluster.Resume
	case t.Node != m.To && t.Phase == cluster.Booting:
		m.Kind, m.To = cluster.Stop, 0
	case t.Node != m.To:
		m.Kind = cluster.Migrate
	default:
		m.Kind, m.To = cluster.Resize, 0
		return m, t.Cap != m.CPU || t.Tier != m.Tier
	}
	return m, true
}

// giveWay pauses the first task whose migration is blocked because moves wait for each other in a cycle.
func (w *World) giveWay() []cluster.Move {
	for _, m := range w.moves() {
		if m.Kind == cluster.Migrate {
			return []cluster.Move{{Task: m.Task, Kind: cluster.Pause, From: m.From}}
		}
	}
	return nil
}

// fate is the outcome of an order at the time of a report.
type fate uint8

const (
	done fate = iota
	failed
	later
)

// Obey lets every monitor carry out its orders and report.
func (w *World) Obey() {
	w.t.Helper()
	w.report(nil)
}

// report lets every monitor report. luck decides the outcome of its orders; nil: all succeed.
func (w *World) report(luck func(cluster.RunID) fate) {
	w.t.Helper()
	nodes := slices.Collect(w.Look().Nodes())
	if w.backwards {
		slices.Reverse(nodes)
	}
	for _, n := range nodes {
		w.observe(n.ID, luck)
	}
	for _, n := range nodes {
		w.clean(n.ID)
	}
}

// news returns a node's report on itself.
func (w *World) news(id cluster.NodeID) cluster.Report {
	if w.Store < 0 || w.blind[id] {
		return cluster.Report{Node: id, FenceAlive: true, StoreFree: -1}
	}
	return cluster.Report{Node: id, FenceAlive: true, StoreProven: true, StoreFree: w.Store}
}

// clean lets the node report that copies it was told to destroy are gone, including those left by moves since.
func (w *World) clean(id cluster.NodeID) {
	w.t.Helper()
	r := w.news(id)
	for _, run := range w.Orders(id).Destroy {
		r.Observations = append(r.Observations, cluster.Observation{Run: run, Seen: cluster.SeenAbsent})
	}
	if len(r.Observations) > 0 && w.Node(id).Health == cluster.Ready {
		w.Do(r)
	}
}

func (w *World) observe(id cluster.NodeID, luck func(cluster.RunID) fate) {
	w.t.Helper()
	if w.Node(id).Health != cluster.Ready {
		return
	}
	r := w.news(id)
	for _, o := range w.Orders(id).Runs {
		seen, f := sights[o.Want], done
		if luck != nil {
			f = luck(o.Run)
		}
		if f == failed && o.Move != 0 {
			seen = cluster.SeenFailed
		}
		if seen != 0 && f != later {
			r.Observations = append(r.Observations, cluster.Observation{Run: o.Run, Move: o.Move, Seen: seen, Cap: o.CPU,
				Tier: o.Tier, Tiered: true, Image: cluster.MiB, Cause: "bad luck"})
		}
	}
	w.Do(r)
}

// sights maps each order to the monitor's sight after carrying it out.
var sights = map[cluster.Want]cluster.Sight{
	cluster.Stay: cluster.SeenRunning, cluster.Begin: cluster.SeenRunning, cluster.Restore: cluster.SeenRunning,
	cluster.Save: cluster.SeenSaved, cluster.Arrive: cluster.SeenArrived, cluster.Vanish: cluster.SeenAbsent,
}

// End lets a task's guest report success.
func (w *World) End(task cluster.TaskID) {
	w.t.Helper()
	t := &w.Job(task.Job).Tasks[task.Index]
	r := w.news(t.Node)
	r.Observations = []cluster.Observation{{Run: cluster.RunID{Job: task.Job, Index: task.Index, Number: t.Run},
		Seen: cluster.SeenExited, Exit: &cluster.Exit{}}}
	w.Do(r)
}
