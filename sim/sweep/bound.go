package sweep

import (
	"slices"

	"aliquot/sim/bound"
	"aliquot/workload"
)

// Without returns the jobs except those with these ids.
func Without(jobs []workload.Job, ids []int64) []workload.Job {
	out := map[int64]bool{}
	for _, id := range ids {
		out[id] = true
	}
	return slices.DeleteFunc(slices.Clone(jobs), func(j workload.Job) bool { return out[j.ID] })
}

// Bound returns the lower bound on the stretch of every schedule of the jobs on a number of equal nodes.
func Bound(nodes int, jobs []workload.Job) (Bottleneck, error) {
	b, err := bound.MaxStretch(nodes, jobs)
	if err != nil {
		return Bottleneck{}, err
	}
	c := b.Critical
	return Bottleneck{b.Stretch, len(c.Jobs), c.From.Seconds(), c.To.Seconds(), c.Busy.Seconds()}, nil
}
