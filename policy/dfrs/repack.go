package dfrs

import (
	"slices"

	"aliquot/cluster"
	"aliquot/packing"
	"aliquot/packing/assign"
	"aliquot/packing/stable"
)

const (
	horizon = cluster.Hour // longest time ahead for which a gain counts
	margin  = 2            // least ratio of a plan's gain to its cost
)

// tolerances are the fractions by which plans may fall short of the best yield. The larger the fraction, the fewer
// jobs move.
var tolerances = []float64{0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}

// repack maps running jobs anew if that gains more than it costs. It tries plans that fall short of the best least
// yield by growing tolerances and so move fewer and fewer jobs. It takes the plan with the greatest difference of
// gain and cost, and ignores plans whose gain is less than margin times the cost. Only the age of a job predicts its
// remaining run time: a gain in yield counts for as long as the job has run, but not beyond the horizon.
func (p *Policy) repack(b *board) {
	jobs, now := b.running()
	problem := b.problem(jobs)
	yields := packing.MaxMin(problem, now)
	b.weighed = p.holding(b, problem, jobs, yields)
	if len(jobs) == 0 || satisfied(problem, yields) {
		return
	}
	best := plan{}
	for _, r := range stable.Plans(p.still(b, problem, jobs), now, tolerances) {
		if q := b.weigh(jobs, problem, now, r.Mapping, yields); q.jobs > 0 && (best.jobs == 0 ||
			q.gain-q.cost > best.gain-best.cost) {
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

// satisfied reports whether no item can have more anywhere.
func satisfied(problem *packing.Problem, yields []float64) bool {
	for i, y := range yields {
		if !problem.Items[i].Satisfied(y) {
			return false
		}
	}
	return true
}

// holding returns a comparison without a plan. It says how many of the jobs below their need are held where they are.
func (p *Policy) holding(b *board, problem *packing.Problem, jobs []*job, yields []float64) *cluster.Weighed {
	w := &cluster.Weighed{Horizon: horizon, Margin: margin}
	for i, j := range jobs {
		switch rest := p.rest(b, j); {
		case problem.Items[i].Satisfied(yields[i]):
		case j.fixed, b.crowded(j), b.partly(j):
			w.Fixed++
		case rest > 0:
			if w.Resting++; w.Rest == 0 || rest < w.Rest {
				w.Rest = rest
			}
		}
	}
	return w
}

// running returns the mapped jobs and their mapping.
func (b *board) running() (jobs []*job, now packing.Mapping) {
	for _, j := range b.jobs {
		if j.mapped() {
			jobs, now = append(jobs, j), append(now, slices.Clone(j.nodes))
		}
	}
	return jobs, now
}

// still pins the jobs that must not move: those that MCB8 pins, and those that have not rested.
func (p *Policy) still(b *board, problem *packing.Problem, jobs []*job) *packing.Problem {
	for i, j := range jobs {
		if j.fixed || b.crowded(j) || !p.rested(b, j) {
			pin(&problem.Items[i], slices.Clone(j.nodes))
		}
	}
	b.tolerate(problem)
	return problem
}

// A plan is a mapping with its gain and cost.
type plan struct {
	mapping    packing.Mapping
	jobs       int          // number of jobs that move
	gain, cost cluster.Time // sums of the jobs' progress
}

// weigh returns the plan for another mapping, with its gain and cost.
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
