package dfrs

import (
	"iter"

	"aliquot/cluster"
	"aliquot/policy"
)

// Decide maps the jobs as the algorithm's row of Table 1 prescribes for the pending events, and divides the CPU anew
// even if the row says "none".
func (p *Policy) Decide(v *cluster.View) policy.Decision {
	if o := v.Pending(); !o.Empty() && p.concern(o).Empty() {
		return policy.Decision{Target: v.TargetAll(), Alarms: p.alarms(v.At), By: p.title}
	}
	b := p.decide(v)
	defer b.release()
	return policy.Decision{Target: b.target(), Alarms: p.alarms(v.At), Why: p.why(v), By: p.title, Weighed: b.weighed,
		Fallback: b.fallback}
}

// concern returns the occasion without the alarms of other families.
func (p *Policy) concern(o cluster.Occasion) cluster.Occasion {
	return o.For(cluster.AlarmTick, cluster.AlarmRetry)
}

// why yields the reasons by deciding again: the board of the decision is already reused.
func (p *Policy) why(v *cluster.View) iter.Seq[cluster.Reason] {
	return policy.News(v, func(tell func(cluster.Reason) bool) {
		b := p.decideIncrement(v, true)
		if b == nil {
			b = p.decideAll(v)
		}
		defer b.release()
		b.reasons(p.wake(v.At), tell)
	})
}

// decide returns a board with the new mapping and shares, of everything that changes.
func (p *Policy) decide(v *cluster.View) *board {
	if b := p.decideIncrement(v, false); b != nil {
		return b
	}
	return p.decideAll(v)
}

// decideAll returns the board of all nodes and jobs.
func (p *Policy) decideAll(v *cluster.View) *board {
	b := newBoard(v)
	o := &b.pending
	tick := p.due(v, b.pending)
	anew := tick && p.tick != weighed
	b.relieve()
	displaced, submitted := b.displaced(), b.submitted()
	for _, j := range displaced {
		if !anew {
			p.submit(b, j)
		}
	}
	if o.Ended || o.NodesChanged || o.Rings(cluster.AlarmTick) && !anew {
		p.settle(b)
	}
	for _, j := range submitted {
		j.arriving = false
		if anew { // it waits for the tick, and afterwards as other jobs do
			b.untried = true
			continue
		}
		p.submit(b, j)
		p.settle(b)
	}
	arrivals := len(displaced)+len(submitted) > 0
	if anew || p.submission == mcb8 && arrivals || p.completion == mcb8 && !o.Empty() {
		p.pack(b)
		p.settle(b)
	}
	if tick && !anew {
		p.exchange(b)
		p.repack(b)
		p.settle(b)
	}
	if b.overfull() {
		b.relieveAgain()
	}
	p.allot(b)
	return b
}

// submit handles a job that asks to be mapped.
func (p *Policy) submit(b *board, j *job) {
	switch p.submission {
	case greedy:
		b.greedy(j)
	case greedyP, greedyPM:
		b.admitOver(j, 1, func(v *job) bool { return p.tick != weighed || !b.young(v) })
	}
}

// settle ends every event: it moves victims, then starts waiting jobs.
func (p *Policy) settle(b *board) {
	if p.submission == greedyPM && len(b.victims) > 0 {
		b.move()
	}
	if p.completion == greedy {
		b.restart()
	}
}

// due reports whether the view is at a tick of the policy. The first tick is due by the grid alone: no alarm was set
// for it.
func (p *Policy) due(v *cluster.View, pending cluster.Occasion) bool {
	return p.tick != none && (pending.Rings(cluster.AlarmTick) || v.NextTick() == 0 && v.At%p.period == 0)
}

// alarms returns the next tick.
func (p *Policy) alarms(now cluster.Time) []cluster.Alarm {
	if p.tick == none {
		return nil
	}
	return []cluster.Alarm{{At: p.wake(now), Kind: cluster.AlarmTick}}
}

// wake returns the next tick on the grid. Other decisions do not shift the grid.
func (p *Policy) wake(now cluster.Time) cluster.Time {
	if p.tick == none {
		return 0
	}
	return (now/p.period + 1) * p.period
}

// displaced returns, by priority, the jobs that cannot keep the nodes they hold.
func (b *board) displaced() (jobs []*job) {
	for _, j := range b.jobs {
		if j.held != nil && !j.mapped() {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// submitted returns, by id, the jobs whose submission is pending.
func (b *board) submitted() (jobs []*job) {
	for _, id := range b.pending.Submitted {
		if j := b.job(id); j != nil && j.held == nil {
			j.arriving = true
			jobs = append(jobs, j)
		}
	}
	return jobs
}
