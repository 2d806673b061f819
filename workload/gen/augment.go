package gen

import (
	"slices"

	"aliquot/workload"
)

// Augment returns the jobs with the needs and memory that RR-7659, section 5.3.2, assumes for nodes
// with four cores. Memory is drawn per job, independent of everything else.
//
// "We assume that the task in a one-task job is sequential, but that all other tasks are
// multi-threaded. […] CPU needs of sequential tasks are 25% and those of other tasks are 100%." "55%
// of the jobs have tasks with a memory requirement of 10%. The remaining 45% of the jobs have tasks
// with memory requirements 10x%, where x is an integer value uniformly distributed over {2,…,10}."
func Augment(dice Dice, jobs []workload.Job) []workload.Job {
	r := dice.rand(forMemory)
	jobs = slices.Clone(jobs)
	for i := range jobs {
		j := &jobs[i]
		j.Need = workload.UnitCPU
		if j.Tasks == 1 {
			j.Need = workload.UnitCPU / 4
		}
		tenths := 1
		if r.Float64() >= 0.55 {
			tenths = 2 + r.IntN(9)
		}
		j.Memory = workload.RoundMemory(float64(tenths) / 10)
	}
	return jobs
}
