package sim

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// settle compares each touched job with its placement at the end of the last instant. It charges the penalty if the job
// was rescheduled, and foresees its end.
func (m *simulation) settle() {
	if m.Tell != nil || m.Record != nil {
		slices.SortFunc(m.touched, func(a, b *run) int { return cmp.Compare(a.job.ID, b.job.ID) })
	}
	for _, r := range m.touched {
		r.touched = false
		switch {
		case m.runs[r.job.ID-1] == nil: // it was refused, or has ended
		case m.moves != nil:
			m.charge(r, m.actual(r))
		default:
			m.charge(r, m.view.Target(r.job.ID))
		}
	}
	m.touched = m.touched[:0]
}

// charge settles one job, whose placement is p now. Where moves take time, the job may stand still while it is being
// paused.
func (m *simulation) charge(r *run, p *cluster.Placement) {
	before, stops := r.held, m.moves != nil && p != nil && r.going != (r.job.Clock.Share > 0)
	if p == before && !stops {
		if p == nil && r.Since() == m.now {
			m.tell(r.job.ID, Event{Kind: Waits, Why: r.job.Why})
		}
		return
	}
	m.close(r)
	m.enter(r, before, -1)
	m.enter(r, p, 1)
	r.held = p
	m.tier(r, before)
	switch {
	case p == nil:
		r.paid = never
		if !r.anew { // otherwise it has stopped, and starts anew as soon as there is room
			m.tell(r.job.ID, Event{Kind: Pauses, Why: r.job.Why})
		}
	case r.anew && p != before:
		if !r.dies() {
			m.restart(r)
		}
	case before == nil:
		m.begin(r)
	default:
		m.change(r, before)
	}
	m.goes(r, p != nil && r.paid == never && r.job.Clock.Share > 0)
	m.foresee(r)
}

// tier notes the tier of a run, whose placement was another one before.
func (m *simulation) tier(r *run, before *cluster.Placement) {
	if r.held == nil {
		return
	}
	if r.Tier = r.held.Tier; r.Tier == cluster.Foreground && (before == nil || before.Tier != cluster.Foreground) {
		r.Foreground = m.now
	}
}

// giveUp gives up a run's work by the policy's decision. Its job begins anew once it has its new placement.
func (m *simulation) giveUp(r *run) {
	r.Kills++
	r.anew, r.base = true, 0
	if m.Kill != nil {
		m.Kill(Kill{r.ID, m.now})
	}
}

// dies reports whether a task is yet to be stopped, because its work was given up.
func (r *run) dies() bool {
	return slices.ContainsFunc(r.job.Tasks, func(t cluster.Task) bool { return t.Killed })
}

// restart starts a run whose work the policy has given up. It pays nothing.
func (m *simulation) restart(r *run) {
	r.anew, r.paid = false, never
	m.model.Stall(r.job.ID, false)
	if !r.begun {
		m.start(r)
		return
	}
	m.tellHeld(r, Event{Kind: Restarts})
}

// start starts a run.
func (m *simulation) start(r *run) {
	r.begun, r.Started = true, min(r.Started, m.now)
	m.tellHeld(r, Event{Kind: Starts})
}

// begin starts or resumes a run.
func (m *simulation) begin(r *run) {
	if !r.begun {
		m.start(r)
		return
	}
	r.Preemptions++
	m.result.resumed += gigabytes(&r.Job, r.Tasks)
	m.penalise(r, m.Cost.Resume(&r.Job))
	m.tellHeld(r, Event{Kind: Resumes})
}

// change handles a new placement of a run that continues without a gap.
func (m *simulation) change(r *run, before *cluster.Placement) {
	moved := m.moved(before.Nodes, r.held.Nodes)
	if moved > 0 {
		r.Migrations++
		r.Moved += moved
		m.result.moved += gigabytes(&r.Job, moved)
		m.penalise(r, m.Cost.Move(&r.Job, moved))
		m.tellHeld(r, Event{Kind: Moves, Left: before.Nodes, Why: r.job.Why})
		return
	}
	if r.paid != never { // even if it was paused and resumed within this instant
		m.model.Stall(r.job.ID, true)
	}
	if r.held.Tier != before.Tier {
		r.Swaps++
		m.tellHeld(r, Event{Kind: Swaps})
	} else if r.held.Cap != before.Cap {
		m.tell(r.job.ID, Event{Kind: Gets, Share: r.held.Cap})
	}
}

// moved returns the number of tasks that left their nodes.
func (m *simulation) moved(before, after []cluster.NodeID) (tasks int) {
	if &before[0] == &after[0] {
		return 0
	}
	for _, n := range before {
		m.count[n]++
	}
	for _, n := range after {
		m.count[n]--
	}
	for _, list := range [][]cluster.NodeID{before, after} {
		for _, n := range list {
			tasks += max(0, m.count[n])
			m.count[n] = 0
		}
	}
	return tasks
}

// penalise sets the penalty of a run. It replaces the rest of an earlier penalty.
func (m *simulation) penalise(r *run, penalty cluster.Time) {
	r.paid, r.moved = never, m.now
	if m.moves != nil {
		return // the moves themselves took time
	}
	m.model.Stall(r.job.ID, penalty > 0)
	if penalty > 0 {
		r.paid = m.now + penalty
	}
}

// foresee computes when a run will end if nothing changes.
func (m *simulation) foresee(r *run) {
	r.finish = end(r.job.Clock, r.Need, r.base+r.Runtime)
	m.queue.update(r)
}

// end returns when the clock's virtual time reaches the run time if nothing changes: the first microsecond in which it
// does, or never.
func end(c cluster.Clock, need cluster.CPU, runtime cluster.Time) cluster.Time {
	if c.Virtual >= runtime {
		return never
	}
	if at, ever := c.Reaches(runtime, need); ever {
		return at
	}
	return never
}
