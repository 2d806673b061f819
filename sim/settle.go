package sim

import (
	"cmp"
	"slices"

	"aliquot/cluster"
)

// settle compares each job that something happened to with how the last instant left it,
// makes it pay if it was rescheduled, and foresees its end.
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

// charge is settle for one job, which holds p now. Where moves take time, it may stand still as it is being paused.
func (m *simulation) charge(r *run, p *cluster.Placement) {
	before, stops := r.held, m.moves != nil && p != nil && r.going != (r.job.Clock.Share > 0)
	if p == before && !stops {
		if p == nil && r.Submit == m.now {
			m.tell(r.job.ID, Event{Kind: Waits, Why: r.job.Why})
		}
		return
	}
	m.close(r)
	r.held = p
	if p != nil {
		r.Tier = p.Tier
	}
	switch {
	case p == nil:
		r.paid = never
		m.tell(r.job.ID, Event{Kind: Pauses, Why: r.job.Why})
	case before == nil:
		m.begin(r)
	default:
		m.change(r, before)
	}
	m.goes(r, p != nil && r.paid == never && r.job.Clock.Share > 0)
	m.foresee(r)
}

// begin starts or resumes a run.
func (m *simulation) begin(r *run) {
	if !r.begun {
		r.begun, r.Started = true, min(r.Started, m.now)
		m.tellHeld(r, Event{Kind: Starts})
		return
	}
	r.Preemptions++
	m.result.resumed += gigabytes(&r.Job, r.Tasks)
	m.penalise(r, m.Cost.Resume(&r.Job))
	m.tellHeld(r, Event{Kind: Resumes})
}

// change is what another placement means for a run that goes on without a gap.
func (m *simulation) change(r *run, before *cluster.Placement) {
	moved := m.moved(before.Nodes, r.held.Nodes)
	if moved > 0 {
		r.Migrations++
		r.Moved += moved
		m.result.moved += gigabytes(&r.Job, moved)
		m.penalise(r, m.Cost.Move(&r.Job, moved))
		m.tellHeld(r, Event{Kind: Moves, Left: before.Nodes})
		return
	}
	if r.paid != never { // also if it was paused and resumed in this instant
		m.model.Stall(r.job.ID, true)
	}
	if r.held.CPU != before.CPU {
		m.tell(r.job.ID, Event{Kind: Gets, Share: r.held.CPU})
	}
}

// moved counts the tasks that have left their nodes.
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

// penalise sets, and does not add, what a run has to pay.
func (m *simulation) penalise(r *run, penalty cluster.Time) {
	r.paid, r.moved = never, m.now
	if m.moves != nil {
		return // the moves themselves took their time
	}
	m.model.Stall(r.job.ID, penalty > 0)
	if penalty > 0 {
		r.paid = m.now + penalty
	}
}

// foresee finds out when a run will end as things are.
func (m *simulation) foresee(r *run) {
	r.finish = end(r.job.Clock, r.Need, r.base+r.Runtime)
	m.queue.update(r)
}

// end is when the clock's virtual time reaches the runtime, as things are: the first
// microsecond at which it does, or never.
func end(c cluster.Clock, need cluster.CPU, runtime cluster.Time) cluster.Time {
	if c.Virtual >= runtime {
		return never
	}
	if at, ever := c.Reaches(runtime, need); ever {
		return at
	}
	return never
}
