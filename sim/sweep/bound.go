package sweep

import (
	"aliquot/sim/bound"
	"aliquot/workload"
)

// Bound computes what no schedule of the jobs on so many equal nodes can beat.
func Bound(nodes int, jobs []workload.Job) (Bottleneck, error) {
	b, err := bound.MaxStretch(nodes, jobs)
	if err != nil {
		return Bottleneck{}, err
	}
	c := b.Critical
	return Bottleneck{b.Stretch, len(c.Jobs), c.From.Seconds(), c.To.Seconds(), c.Busy.Seconds()}, nil
}
