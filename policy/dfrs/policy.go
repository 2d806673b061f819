package dfrs

import (
	"aliquot/cluster"
	"aliquot/policy"
)

// Decide maps the jobs as the algorithm's row of Table 1 says for what is pending, and
// divides the CPU anew, also where the row says "none".
func (p *Policy) Decide(v *cluster.View) policy.Decision {
	b, o := newBoard(v), v.Pending()
	tick := p.tick != none && p.due(v)
	b.relieve()
	displaced, submitted := b.displaced(), b.submitted(o)
	for _, j := range displaced {
		if !tick {
			p.submit(b, j)
		}
	}
	if o.Ended || o.NodesChanged || o.Due {
		p.settle(b)
	}
	for _, j := range submitted {
		j.arriving = false
		if !tick { // a submission that coincides with a tick waits for it
			p.submit(b, j)
			p.settle(b)
		}
	}
	arrivals := len(displaced)+len(submitted) > 0
	if tick || p.submission == mcb8 && arrivals || p.completion == mcb8 && !o.Empty() {
		b.pack(p.holds(v))
		p.settle(b)
	}
	return p.decision(b)
}

// decision divides the CPU of the board's mapping and says what comes of it.
func (p *Policy) decision(b *board) policy.Decision {
	shares, wake := b.allot(), p.wake(b.view.At)
	return policy.Decision{Target: b.target(shares), Wake: wake, Why: b.reasons(shares, wake)}
}

// submit deals with a job that asks to be mapped.
func (p *Policy) submit(b *board, j *job) {
	switch p.submission {
	case greedy:
		b.greedy(j)
	case greedyP, greedyPM:
		b.admit(j)
	}
}

// settle is what follows every event: victims are moved, then waiting jobs are started.
func (p *Policy) settle(b *board) {
	if p.submission == greedyPM {
		b.move()
	}
	if p.completion == greedy {
		b.restart()
	}
}

// holds tells which running jobs MCB8 must leave on their nodes, or pause.
func (p *Policy) holds(v *cluster.View) func(*job) bool {
	return func(j *job) bool {
		return j.VirtualTime(v.At) < p.minvt || j.FlowTime(v.At) < p.minft
	}
}

// due tells whether the view is at a tick. The first is known by the grid alone: nobody has asked for it.
func (p *Policy) due(v *cluster.View) bool {
	return v.Pending().Due || v.Occasion.Next == 0 && v.At%p.period == 0
}

// wake is the next tick on the grid, so that other decisions do not move it.
func (p *Policy) wake(now cluster.Time) cluster.Time {
	if p.tick == none {
		return 0
	}
	return (now/p.period + 1) * p.period
}

// displaced lists by priority the jobs that cannot keep the nodes they hold.
func (b *board) displaced() (jobs []*job) {
	for _, j := range b.jobs {
		if j.nodes == nil && b.view.Target(j.ID) != nil {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// submitted lists by id the jobs whose submission is pending.
func (b *board) submitted(o cluster.Occasion) (jobs []*job) {
	for _, id := range o.Submitted {
		if j := b.byID[id]; j != nil && b.view.Target(id) == nil {
			j.arriving = true
			jobs = append(jobs, j)
		}
	}
	return jobs
}
