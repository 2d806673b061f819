package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/packing/assign"
	"aliquot/packing/stable"
)

const (
	horizon = cluster.Hour // how far ahead a gain counts at most
	margin  = 2            // how many times its cost a plan has to gain
)

// tolerances are the parts of the best yield that plans may fall short of it. The more, the fewer jobs move.
var tolerances = []float64{0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}

// repack maps running jobs anew if that gains more than it costs. Of plans that come more or less close to the best
// least yield, and move the less the less close, it takes that of which the gain most exceeds the cost; a gain of
// less than the margin times the cost is none. A job that has run so long counts what its yield gains for as long
// again, but not beyond the horizon: of how long it will run, nothing else is known.
func (p *Policy) repack(b *board) {
	jobs, now := b.running()
	problem := b.problem(jobs)
	yields := packing.MaxMin(problem, now)
	b.weighed = &cluster.Weighed{Horizon: horizon, Margin: margin}
	if len(jobs) == 0 || slices.Min(yields) >= 1 {
		return
	}
	best := plan{}
	for _, r := range stable.Plans(p.still(b, problem, jobs), now, tolerances) {
		if q := b.weigh(jobs, problem, now, r.Mapping, yields); q.jobs > 0 && (best.jobs == 0 || q.gain-q.cost > best.gain-best.cost) {
			best = q
		}
	}
	b.weighed.Jobs, b.weighed.Gain, b.weighed.Cost = best.jobs, best.gain, best.cost
	if b.weighed.Beneficial() {
		for i, j := range jobs {
			b.lift(j)
			b.occupy(j, best.mapping[i])
		}
	}
}

// running lists the mapped jobs, and where they are.
func (b *board) running() (jobs []*job, now packing.Mapping) {
	for _, j := range b.jobs {
		if j.mapped() {
			jobs, now = append(jobs, j), append(now, slices.Clone(j.nodes))
		}
	}
	return jobs, now
}

// still pins the jobs that are to be left alone: as for MCB8, and those that have not rested.
func (p *Policy) still(b *board, problem *packing.Problem, jobs []*job) *packing.Problem {
	for i, j := range jobs {
		if j.fixed || b.crowded(j) || !p.rested(b, j) {
			problem.Items[i].Allowed, problem.Items[i].Pinned = nil, slices.Clone(j.nodes)
		}
	}
	b.tolerate(problem)
	return problem
}

// A plan is a mapping and what it is worth.
type plan struct {
	mapping    packing.Mapping
	jobs       int          // that move
	gain, cost cluster.Time // in progress of all jobs
}

// weigh says what another mapping is worth.
func (b *board) weigh(jobs []*job, problem *packing.Problem, now, then packing.Mapping, yields []float64) plan {
	q := plan{mapping: then}
	for i, y := range packing.MaxMin(problem, then) {
		j := jobs[i]
		q.gain += cluster.Time((y - yields[i]) * float64(min(j.virtual, horizon)))
		if assign.Changes(now[i], then[i], b.tally) > 0 {
			q.jobs, q.cost = q.jobs+1, q.cost+b.cost(j, y)
		}
	}
	return q
}
