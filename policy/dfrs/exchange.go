package dfrs

import "aliquot/cluster"

// What keeps a policy that weighs from moving jobs to and fro. docs/policies/stable.md tells what each is worth.
const (
	outranks = 4  // how many times the priority of those that make way for it at a tick a waiting job must have
	rests    = 6  // how many times as long as rescheduling it takes a job is left alone after it started, resumed or moved
	matures  = 20 // the part of the time that it takes to resume it, for which a job must have run to be worth pausing
)

// exchange starts waiting jobs, by priority, in the place of some of far lower priority that have rested. As with
// GreedyPM these move if they fit elsewhere, and pause only if they do not. A job that has run for less than it takes to
// resume it does not wait for others to rest: it is asking as if it were submitted, and every minute adds to its stretch.
func (p *Policy) exchange(b *board) {
	for _, j := range b.jobs {
		if j.mapped() || len(j.before) > 0 || b.isVictim(j) {
			continue
		}
		urgent := j.virtual < b.view.Cost(j.Job).ResumeTime
		if b.admitOver(j, func(v *job) bool {
			return outranks*v.priority <= j.priority && (p.rested(b, v) || urgent && len(v.before) > 0)
		}) {
			b.move()
		}
	}
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
