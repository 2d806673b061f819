package gen

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"aliquot/cluster"
	"aliquot/workload"
)

// Surrogate is a model with the structure of a published one. Its constants are ours, because the published ones are
// not at hand: they are solved so that the moments on a machine of 320 nodes are those that Liu et al. (2012) state for
// streams of the published model.
type Surrogate struct {
	Name string

	sizes    func(nodes int) []float64      // weights of sizes, by number of tasks
	short    func(tasks, nodes int) float64 // probability of a short run
	runtimes [2]float64                     // mean of a short and of a long run before the cut, in seconds
	gap      func(*rand.Rand) float64       // time to the next submission, in seconds
	repeats  float64                        // order of the harmonic distribution of runs of a job; 0: each runs once
}

const (
	// longestSurrogateRun cuts run times: longer ones are drawn again.
	longestSurrogateRun = 18 * 3600 // seconds
	// mostRuns cuts the number of runs of a job. Without it the variance would be infinite.
	mostRuns = 100
)

// Draw draws a stream of jobs for a machine with the given number of nodes: one task per node, with all of its CPU and
// a tenth of its memory.
func (s Surrogate) Draw(dice Dice, nodes, count int) []workload.Job {
	r := dice.rand(forShape)
	size, runs := distuv.NewCategorical(s.sizes(nodes), r), distuv.NewCategorical(harmonic(s.repeats), r)
	jobs := make([]workload.Job, 0, count)
	for at := 0.; len(jobs) < count; {
		tasks := int(size.Rand())
		runtime := s.runtime(r, tasks, nodes)
		for range min(int(runs.Rand()), count-len(jobs)) {
			at += s.gap(r)
			jobs = append(jobs, workload.Job{
				ID: int64(len(jobs) + 1), Submit: cluster.Time(at) * cluster.Second, Tasks: tasks, Runtime: runtime,
				Need: workload.UnitCPU, Memory: workload.UnitMemory / 10,
			})
		}
	}
	return jobs
}

// runtime draws a run time from two exponential distributions, in whole seconds.
func (s Surrogate) runtime(r *rand.Rand, tasks, nodes int) cluster.Time {
	mean := s.runtimes[1]
	if r.Float64() < s.short(tasks, nodes) {
		mean = s.runtimes[0]
	}
	seconds := within(0, longestSurrogateRun, func() float64 { return mean * r.ExpFloat64() })
	return cluster.Time(max(1, math.Ceil(seconds))) * cluster.Second
}

// harmonic returns the weights of the numbers from 0 to mostRuns: none for 0, and n^-order for others. With the order 0
// only 1 has a weight.
func harmonic(order float64) []float64 {
	if order == 0 {
		return []float64{0, 1}
	}
	weights := make([]float64, mostRuns+1)
	for n := 1; n < len(weights); n++ {
		weights[n] = math.Pow(float64(n), -order)
	}
	return weights
}

// mixture adds weights to those of the sizes from low on, so that their sum is part.
func mixture(sizes []float64, part float64, weights map[int]float64) {
	sum := 0.
	for n := range sizes { // in order: the sum must not depend on the order of a map
		sum += weights[n]
	}
	for n := range sizes {
		if weights[n] > 0 {
			sizes[n] += part * weights[n] / sum
		}
	}
}
