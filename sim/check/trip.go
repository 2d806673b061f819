package check

import (
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// vm is one task of a job where moves take time: idle, saved, or in a VM on a node.
type vm struct {
	runs, saved bool
	killed      bool // the policy gave its work up; it runs, or moves, until it is stopped
	node        cluster.NodeID
	cap         cluster.CPU
	tier        cluster.Tier
	move        *cluster.Move // under way; nil: none
	due         cluster.Time  // when that is complete
}

// trip follows the tasks of one job from its submission to its end. It knows when moves begin, and finds out by itself
// where the tasks are at any time.
type trip struct {
	*checker
	sim.Outcome
	stopped bool // its work was not done
	tasks   []vm
	now     cluster.Time
	next    int            // of the events, has not happened yet
	given   []cluster.Time // when the policy gives its work up, from now on
	gone    bool
	spans   []sim.Span
	kills   []cluster.Time
}

// follow returns the trip of a job by its moves.
func (c *checker) follow(o sim.Outcome, stopped bool, moves []cluster.Move) *trip {
	t := &trip{checker: c, Outcome: o, stopped: stopped, tasks: make([]vm, o.Tasks), now: o.Since(),
		given: c.given[o.ID]}
	t.begin()
	for _, m := range moves {
		t.until(m.Started)
		if t.gone || m.Started < t.now || !stopped && m.Started >= o.Ended {
			c.fail("job %d: a %v starts at %v, before an earlier move or after the job's end", o.ID, m.Kind, m.Started)
			break
		}
		t.pass(m.Started)
		t.start(m)
	}
	last := o.Ended
	if !stopped {
		last-- // it ends before anything else happens at that time
	}
	t.until(last)
	if !t.gone {
		t.pass(o.Ended)
		t.leave()
	}
	return t
}

// begin puts the tasks of a job that was there before where they were. They are numbered in the order of their nodes.
func (t *trip) begin() {
	s, before := t.initials[t.ID]
	nodes := slices.Sorted(slices.Values(s.Nodes))
	for i := range t.tasks {
		switch v := &t.tasks[i]; {
		case !before:
		case s.Share == 0:
			v.saved = true
		default:
			*v = vm{runs: true, node: nodes[i], cap: s.Share, tier: t.setup.Initials[t.ID].Placement.Tier}
			t.claim(v.node, t.Memory)
		}
	}
}

// until lets everything happen that happens up to that time: moves that complete, then events, then decisions.
func (t *trip) until(at cluster.Time) {
	for !t.gone {
		i, e := t.soonest(), t.upcoming()
		arrives, happens, gives := later, later, later
		if i >= 0 {
			arrives = t.tasks[i].due
		}
		if e != nil {
			happens = e.At
		}
		if len(t.given) > 0 {
			gives = t.given[0]
		}
		first := min(arrives, happens, gives)
		if first > at {
			return
		}
		switch t.pass(first); first {
		case arrives:
			t.complete(&t.tasks[i])
		case happens:
			t.next++
			t.happen(*e)
		default:
			t.given = t.given[1:]
			t.giveUp()
		}
	}
}

// later is after everything that happens.
const later cluster.Time = math.MaxInt64

// giveUp gives up the work of all tasks. Those that run, or move, are yet to be stopped.
func (t *trip) giveUp() {
	t.mayGiveUp(len(t.checker.given[t.ID]) - len(t.given) - 1)
	t.kills = append(t.kills, t.now)
	for i := range t.tasks {
		v := &t.tasks[i]
		v.killed = v.runs || v.move != nil
		v.saved = v.saved && v.killed
	}
}

// mayGiveUp verifies that the policy may give up the job's work, as it did so many times before. Only KEASY does so,
// once, and in the background. After an event that took the job's place it may do so again, wherever tasks still are.
func (t *trip) mayGiveUp(times int) {
	since := t.Since() - 1
	if times > 0 {
		since = t.checker.given[t.ID][times-1]
	}
	if t.disturbs(t.ID, since, t.now) {
		return
	}
	if times > 0 {
		t.fail("job %d is to start anew at %v, but not for the first time", t.ID, t.now)
	}
	if i := slices.IndexFunc(t.tasks, func(v vm) bool { return v.runs && v.tier == cluster.Foreground }); i >= 0 {
		t.fail("job %d is to start anew at %v, but task %d is in the foreground", t.ID, t.now, i)
	}
}

// soonest returns the task whose move is complete next, or -1.
func (t *trip) soonest() int {
	found := -1
	for i, v := range t.tasks {
		if v.move != nil && (found < 0 || v.due < t.tasks[found].due) {
			found = i
		}
	}
	return found
}

// upcoming returns the next event, or nil. Those before the submission do not matter.
func (t *trip) upcoming() *event {
	for t.next < len(t.events) && t.events[t.next].At < t.Since() {
		t.next++
	}
	if t.next == len(t.events) {
		return nil
	}
	return &t.events[t.next]
}

// start begins a move, and completes it if it takes no time.
func (t *trip) start(m cluster.Move) {
	if m.Task.Index < 0 || m.Task.Index >= len(t.tasks) {
		t.fail("job %d: a %v at %v is of task %d, which does not exist", t.ID, m.Kind, t.now, m.Task.Index)
		return
	}
	v := &t.tasks[m.Task.Index]
	if why := t.objection(v, m); why != "" {
		t.fail("job %d: at %v a %v of task %d from node %d to node %d starts, but %s", t.ID, t.now, m.Kind, m.Task.Index,
			m.From, m.To, why)
	}
	if v.move != nil {
		t.abandon(v)
	}
	v.move, v.due = &m, t.now+t.takes(m.Kind)
	if m.Kind.Fills() {
		t.claim(m.To, t.Memory)
	}
	if v.due == t.now {
		t.complete(v)
	}
}

// objection returns why the move may not start, or "".
func (t *trip) objection(v *vm, m cluster.Move) string {
	place := map[cluster.MoveKind]bool{cluster.Start: !v.runs && !v.saved, cluster.Resume: v.saved}
	fits, fills := place[m.Kind]
	switch {
	case v.move != nil:
		return "its " + v.move.Kind.String() + " is still under way"
	case fills && !fits || !fills && (!v.runs || v.node != m.From):
		return "the task is not there"
	case !m.Kind.Fills():
		return ""
	case !t.opens(m.To, t.now):
		return "that node takes no others"
	case t.isHeld(t.ID, t.now):
		return "the job is held"
	}
	return ""
}

// takes returns how long a move takes: as long as it takes to write, read or copy the memory of the task.
func (t *trip) takes(kind cluster.MoveKind) cluster.Time {
	switch kind {
	case cluster.Pause, cluster.Resume, cluster.Migrate:
		gigabytes := float64(t.Memory) / float64(workload.UnitMemory) * nodeGigabytes
		return max(1, cluster.Time(gigabytes/t.bandwidth*float64(cluster.Second)))
	}
	return 0
}

// complete puts the task where its move leads.
func (t *trip) complete(v *vm) {
	m := v.move
	v.move = nil
	if m.Kind.Frees() {
		t.claim(m.From, -t.Memory)
	}
	switch m.Kind {
	case cluster.Pause:
		*v = vm{saved: !v.killed}
	case cluster.Stop:
		*v = vm{}
	case cluster.Resize:
		v.cap, v.tier = m.CPU, m.Tier
	default:
		*v = vm{runs: true, killed: v.killed, node: m.To, cap: m.CPU, tier: m.Tier}
	}
}

// happen lets an event happen to the tasks.
func (t *trip) happen(e event) {
	switch {
	case e.of(t.ID) && e.Kind == workload.JobCancels:
		t.leave()
	case e.Kind == workload.NodeFails:
		t.lose(e.node)
	}
}

// lose takes the tasks on a failed node away, and ends the moves to it.
func (t *trip) lose(node cluster.NodeID) {
	lost := false
	for i := range t.tasks {
		v := &t.tasks[i]
		there := v.runs && v.node == node
		if v.move != nil && (there || v.move.To == node) {
			t.abandon(v)
		}
		if there {
			t.claim(node, -t.Memory)
			*v, lost = vm{}, true
		}
	}
	if !lost {
		return
	}
	t.kills = append(t.kills, t.now)
	if t.FailOnLoss || t.stopped && t.now == t.Ended && len(t.kills) == t.Kills {
		t.leave()
	}
}

// abandon ends a move: the task is where it was before.
func (t *trip) abandon(v *vm) {
	if v.move.Kind.Fills() {
		t.claim(v.move.To, -t.Memory)
	}
	if v.move = nil; v.killed && !v.runs {
		*v = vm{}
	}
}

// leave ends the job.
func (t *trip) leave() {
	for i := range t.tasks {
		v := &t.tasks[i]
		if v.move != nil {
			t.abandon(v)
		}
		if v.runs {
			t.claim(v.node, -t.Memory)
		}
	}
	t.tasks, t.gone = nil, true
}

// pass lets time go on to a moment before which nothing happens.
func (t *trip) pass(to cluster.Time) {
	if to <= t.now {
		return
	}
	if s, all := t.holds(to); all {
		t.spans = join(t.spans, s)
	}
	for i, v := range t.tasks {
		if v.runs && v.move == nil && t.isHeld(t.ID, t.now) {
			t.fail("job %d: from %v to %v task %d runs and is not paused, but the job is held", t.ID, t.now, to, i)
		}
	}
	t.now = to
}

// holds returns what the job holds from now on, if all of its tasks run. It stands still while a task is paused, or to
// be stopped.
func (t *trip) holds(to cluster.Time) (s sim.Span, all bool) {
	s = sim.Span{Job: t.ID, From: t.now, To: to, Share: t.Need}
	for _, v := range t.tasks {
		if !v.runs {
			return s, false
		}
		s.Nodes, s.Share = append(s.Nodes, v.node), min(s.Share, v.cap)
		s.Paying = s.Paying || v.killed || v.move != nil && v.move.Kind == cluster.Pause
		s.Grant.Tier = max(s.Grant.Tier, v.tier)
	}
	return s, len(t.tasks) > 0
}

// join adds a span, to the last one if that goes on in the same way.
func join(spans []sim.Span, s sim.Span) []sim.Span {
	if n := len(spans) - 1; n >= 0 && spans[n].To == s.From && alike(spans[n], s) {
		spans[n].To = s.To
		return spans
	}
	return append(spans, s)
}

// alike reports whether the job holds the same in both spans.
func alike(a, b sim.Span) bool {
	return slices.Equal(a.Nodes, b.Nodes) && a.Share == b.Share && a.Paying == b.Paying && a.Grant.Tier == b.Grant.Tier
}
