package dfrs

import (
	"slices"

	"aliquot/cluster"
)

// What keeps a policy that weighs from moving jobs to and fro. docs/policies/stable.md tells what each is worth.
const (
	outranks = 4  // how many times the priority of those that make way for it at a tick a waiting job must have
	rests    = 6  // how many times as long as rescheduling it takes a job is left alone after it started, resumed or moved
	matures  = 20 // the part of the time that it takes to resume it, for which a job must have run to be worth pausing
)

// effort is how many jobs and nodes are looked at for exchanges at a tick at most: what a few hundred nodes never need, and
// a third of a second's work for ten thousand.
const effort = 1 << 24

// exchange starts waiting jobs, by priority, in the place of some of far lower priority that have rested. As with
// GreedyPM these move if they fit elsewhere, and pause only if they do not. A job that has run for no longer than it takes to
// resume it does not wait for others to rest: it is asking as if it were submitted, and every minute adds to its stretch.
// Whom the effort does not suffice for waits for the next tick.
func (p *Policy) exchange(b *board) {
	var vain []claim
	for _, j := range b.jobs {
		if b.steps > p.effort {
			return
		}
		if j.mapped() || j.marked || len(j.before) > 0 {
			continue
		}
		c := claim{j.request(), j.eligible, j.virtual <= b.view.Cost(j.Job).ResumeTime}
		if slices.ContainsFunc(vain, c.asksNoLessThan) {
			continue
		}
		if b.admitOver(j, outranks, func(v *job) bool { return !b.young(v) && (p.rested(b, v) || c.urgent && len(v.before) > 0) }) {
			b.move()
		} else {
			vain = append(vain, c)
		}
	}
}

// A claim is that of a waiting job to the place of others. If it is urgent they need not have rested.
type claim struct {
	request
	eligible *nodeSet
	urgent   bool
}

// asksNoLessThan reports whether another claim that was in vain makes this one, which comes later, vain too: each exchange
// leaves fewer to take a place from, and less room. Among other nodes there may be others to take it from.
func (c claim) asksNoLessThan(other claim) bool {
	return other.eligible == c.eligible && other.within(c.request) && (other.urgent || !c.urgent)
}

// young tells whether the job has hardly run. Pausing it for another would cost it many times what it has had.
func (b *board) young(j *job) bool { return matures*j.virtual < b.view.Cost(j.Job).ResumeTime }

// rested tells whether the job may be moved or paused without an occasion that forces it: after a cool-down of a
// period, or of several times what rescheduling it takes if that is more.
func (p *Policy) rested(b *board, j *job) bool {
	if len(j.before) == 0 || b.moved(j) {
		return false
	}
	cost := b.view.Cost(j.Job)
	return b.view.At-max(j.Started, cost.LastMoved) >= max(p.period, rests*max(cost.ResumeTime, cost.MoveTime))
}

// cost is what moving the job costs of its progress, if it then gets a yield.
func (b *board) cost(j *job, yield float64) cluster.Time {
	return cluster.Time(yield * float64(b.view.Cost(j.Job).MoveTime))
}
