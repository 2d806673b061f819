package gen

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"aliquot/cluster"
	"aliquot/workload"
)

// TwoTiers returns the jobs as processes on nodes with a foreground and a background, one process a node, as in Liu et
// al. (2012), sections 2.1 and 3.1. Draws are per job, independent of everything else. Memory is a tenth of a node, so
// that it never decides: the paper has none.
//
// A job of one task uses the whole CPU of its node, a task of another one 40% to 100%. In the foreground it loses 0.5%
// to 4% to background neighbours. Of the idle CPU above it, 80% to 92% help a job of one task in the background. For
// another one the paper gives a normal distribution from 19.8% to 76.6% whose parameters are lost: the mean here is in
// the middle, and the range is two deviations to either side.
func TwoTiers(dice Dice, jobs []workload.Job) []workload.Job {
	r := dice.rand(forTiers)
	normal := distuv.Normal{Mu: 0.482, Sigma: 0.142, Src: r}
	jobs = slices.Clone(jobs)
	for i := range jobs {
		j := &jobs[i]
		j.Memory, j.Rate = workload.UnitMemory/10, 0
		j.Loss = parts(uniform(r, 0.005, 0.04))
		if j.Tasks == 1 {
			j.Need, j.Efficiency = workload.UnitCPU, parts(uniform(r, 0.80, 0.92))
			continue
		}
		j.Need = workload.RoundCPU(uniform(r, 0.40, 1))
		j.Efficiency = parts(within(0.198, 0.766, normal.Rand))
	}
	return jobs
}

func parts(fraction float64) cluster.Parts {
	return cluster.Parts(math.Round(fraction * float64(cluster.Whole)))
}
