package hetero

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"aliquot/policy/hetero"
	"aliquot/sim/site"
)

// quantum is the paper's time between decisions.
const quantum hetero.Ticks = 10_000

// Result is the result of an experiment. Of case 1 there are only the seconds of a decision.
type Result struct {
	site.Summary
	Seconds float64 // of work on one core
}

// Run runs an experiment. The clock measures its time.
func Run(e Experiment, clock func() time.Duration) (Result, error) {
	if e.Policy == bound {
		begin := clock()
		sum, err := lowerBound(Campus(e.Site), e.draw())
		return Result{site.Summary{Sum: sum}, (clock() - begin).Seconds()}, err
	}
	p, err := hetero.Parse(e.Policy)
	if err != nil {
		return Result{}, err
	}
	if e.Machines > 0 {
		return Result{Seconds: decide(p, e, clock)}, nil
	}
	where, begin := Campus(e.Site), clock()
	fates, err := site.Run(site.Setup{Site: where, Policy: p, Period: quantum}, e.draw())
	if err != nil {
		return Result{}, fmt.Errorf("%+v: %w", e, err)
	}
	if err := where.Check(fates); err != nil {
		return Result{}, fmt.Errorf("%+v: %w", e, err)
	}
	return Result{site.Summarize(fates), (clock() - begin).Seconds()}, nil
}

// decide returns the shortest time of three equal decisions, in seconds.
func decide(p hetero.Policy, e Experiment, clock func() time.Duration) float64 {
	table := overhead(e)
	var queue []hetero.Work
	for i := range e.Jobs {
		queue = append(queue, hetero.Work{Job: i, Type: i})
	}
	best := math.Inf(1)
	for range 3 {
		begin := clock()
		p.Decide(table, 0, nil, queue)
		best = min(best, (clock() - begin).Seconds())
	}
	return best
}

// draw draws the jobs of an experiment. Of those that come at once, the classes are an equal mix: in turn where they
// have no levels, shuffled otherwise. The levels are an exact mix. Arrivals come at the beginnings of quanta, with
// classes and levels at random.
func (e Experiment) draw() (jobs []site.Job) {
	dice := rand.New(rand.NewPCG(2001, uint64(1000*e.Rate+e.Stream)))
	if e.Rate == 0 {
		for i := range e.Jobs {
			jobs = append(jobs, site.Job{ID: fmt.Sprint(i + 1), Type: i % len(kinds), Level: e.Mix.level(i * 100 / e.Jobs)})
		}
		if e.Mix.Name != "" {
			dice.Shuffle(e.Jobs, func(i, k int) { jobs[i].Type, jobs[k].Type = jobs[k].Type, jobs[i].Type })
		}
		return jobs
	}
	for at := hetero.Ticks(0); len(jobs) < e.Jobs; at += quantum {
		for range min(poisson(dice, float64(e.Rate)), e.Jobs-len(jobs)) {
			kind, percent := dice.IntN(len(kinds)), dice.IntN(100)
			jobs = append(jobs, site.Job{ID: fmt.Sprint(len(jobs) + 1), Submit: at, Type: kind, Level: e.Mix.level(percent)})
		}
	}
	return jobs
}

// level returns the level at a percentage of the mix. Without priorities all jobs are medium.
func (m Mix) level(percent int) hetero.Level {
	switch {
	case m.High == 0:
		return hetero.Medium
	case percent < m.High:
		return hetero.High
	case percent < m.High+m.Medium:
		return hetero.Medium
	}
	return hetero.Low
}

// poisson draws a number with that mean, by Knuth's product of uniform numbers.
func poisson(dice *rand.Rand, mean float64) (n int) {
	for p := dice.Float64(); p > math.Exp(-mean); p *= dice.Float64() {
		n++
	}
	return n
}
