package gen

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"aliquot/cluster"
	"aliquot/workload"
)

// LeastMaximum is the smallest maximum of estimates: below it there are fewer than 20 round ones.
const LeastMaximum = 100 * minute

// Estimates returns the jobs with user estimates of their run times from the model of Tsafrir, Etsion and Feitelson,
// "Modeling User Runtime Estimates" (JSSPP 2005), and the number of jobs whose run time was cut to the maximum. No
// estimate is below the run time or above the maximum, a whole number of seconds.
//
// Few estimates are popular, and the maximum is the most popular one. A job draws one of the remaining estimates that
// its run time permits, the longest job first. Estimates refuses jobs for whose run times the model has too few long
// estimates, and streams with deadlines.
func Estimates(dice Dice, jobs []workload.Job, maximum cluster.Time) (estimated []workload.Job, cut int, err error) {
	if maximum < LeastMaximum {
		return nil, 0, fmt.Errorf("the greatest estimate must be at least %g s, not %g s", LeastMaximum.Seconds(),
			maximum.Seconds())
	}
	if i := slices.IndexFunc(jobs, func(j workload.Job) bool { return j.Deadline != 0 }); i >= 0 {
		return nil, 0, fmt.Errorf("job %d has a deadline, which a longer estimate may not reach: leave out deadlines",
			jobs[i].ID)
	}
	r := dice.rand(forEstimates)
	all := estimates(r, len(jobs), maximum)
	estimated = slices.Clone(jobs)
	longest := make([]*workload.Job, len(jobs))
	for i := range estimated {
		j := &estimated[i]
		longest[i] = j
		if j.Runtime > maximum {
			j.Runtime = maximum
			cut++
		}
	}
	slices.SortStableFunc(longest, func(a, b *workload.Job) int { return cmp.Compare(b.Runtime, a.Runtime) })
	return estimated, cut, assign(r, longest, all)
}

// assign gives each job one of the estimates that its run time permits. Both are sorted, the longest first.
func assign(r *rand.Rand, jobs []*workload.Job, estimates []cluster.Time) error {
	for i, j := range jobs {
		if j.Runtime > estimates[i] {
			return fmt.Errorf("%d jobs run for %g s or longer, but the model drew only %d such estimates: "+
				"take a greater maximum or another seed", i+1, j.Runtime.Seconds(), i)
		}
	}
	permitted := 0 // estimates[:permitted] are long enough for the job
	for i, j := range jobs {
		for permitted < len(estimates) && estimates[permitted] >= j.Runtime {
			permitted++
		}
		// The estimate that is swapped away stays among those permitted: it is longer than any later run time.
		k := i + r.IntN(permitted-i)
		j.Estimate = estimates[k]
		estimates[i], estimates[k] = estimates[k], estimates[i]
	}
	return nil
}

// estimates returns the estimates of a number of jobs, the longest first. Each estimate goes to its share of them; the
// numbers are rounded so that their sum is right.
func estimates(r *rand.Rand, jobs int, maximum cluster.Time) []cluster.Time {
	all := make([]cluster.Time, 0, jobs)
	share := 0.
	for _, e := range popularities(r, jobs, maximum) {
		for share += e.share; len(all) < int(share*float64(jobs)+0.5); {
			all = append(all, e.estimate)
		}
	}
	for len(all) < jobs { // the sum of the shares is 1 but for rounding
		all = append(all, maximum)
	}
	slices.SortFunc(all, func(a, b cluster.Time) int { return cmp.Compare(b, a) })
	return all
}
