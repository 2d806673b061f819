package dfrs

import (
	"slices"

	"aliquot/cluster"
)

// These constants keep a weighing policy from moving jobs to and fro. docs/policies/stable.md tells what each is
// worth.
const (
	outranks = 4  // factor by which a waiting job's priority must exceed that of the jobs that make way for it at a tick
	rests    = 6  // cool-down after a start, resume or move, in multiples of the job's rescheduling time
	matures  = 20 // a job may be paused for another once it has run for this fraction (1/matures) of its resume time
)

// effort bounds the jobs and nodes examined for exchanges at one tick. A few hundred nodes never need that many; for
// ten thousand it is a third of a second's work.
const effort = 1 << 24

// exchange starts waiting jobs, by rank, in place of rested jobs of far lower priority or beyond their holders' shares.
// As with GreedyPM, those move if they fit elsewhere and pause otherwise. A waiting job that has run for no longer than
// its resume time need not wait until others have rested: it counts as newly submitted, and every minute adds to its
// stretch. When the effort is used up, the remaining jobs wait for the next tick.
func (p *Policy) exchange(b *board) {
	var failed []claim
	for _, j := range b.jobs {
		if b.steps > p.effort {
			return
		}
		if j.mapped() || j.marked || len(j.before) > 0 {
			continue
		}
		c := claim{j.request(), j.eligible, j.owner, j.virtual <= b.view.Cost(j.Job).ResumeTime}
		if slices.ContainsFunc(failed, c.asksNoLessThan) {
			continue
		}
		if b.admitOver(j, outranks, func(v *job) bool {
			return !b.young(v) && (p.rested(b, v) || c.urgent && len(v.before) > 0)
		}) {
			b.move()
		} else {
			failed = append(failed, c)
		}
	}
}

// A claim is a waiting job's demand for the place of others. An urgent claim ignores whether they have rested.
type claim struct {
	request
	eligible *nodeSet
	owner    *share
	urgent   bool
}

// asksNoLessThan reports whether c must fail because other, which was tried before, failed: each exchange leaves
// fewer jobs that can make way, and less room. It compares claims of one holder to the same nodes only, because other
// nodes may hold other jobs, and other jobs make way for another holder.
func (c claim) asksNoLessThan(other claim) bool {
	return other.eligible == c.eligible && other.owner == c.owner && other.within(&c.request) &&
		(other.urgent || !c.urgent)
}

// young reports whether the job has hardly run. Pausing it for another would cost a multiple of its progress.
func (b *board) young(j *job) bool { return matures*j.virtual < b.view.Cost(j.Job).ResumeTime }

// rested reports whether the job may be moved or paused without need: its cool-down is over.
func (p *Policy) rested(b *board, j *job) bool {
	return len(j.before) > 0 && !b.moved(j) && p.rest(b, j) <= 0
}

// rest returns the time until the end of the job's cool-down. That is a period after it was last started, resumed or
// moved, or several times the job's rescheduling time if that is longer.
func (p *Policy) rest(b *board, j *job) cluster.Time {
	cost := b.view.Cost(j.Job)
	return max(j.Started, cost.LastMoved) + max(p.period, rests*max(cost.ResumeTime, cost.MoveTime)) - b.view.At
}

// cost returns the progress that the job loses by a move if it then gets the given yield.
func (b *board) cost(j *job, yield float64) cluster.Time {
	return cluster.Time(yield * float64(b.view.Cost(j.Job).MoveTime))
}
