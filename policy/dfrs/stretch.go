package dfrs

import (
	"aliquot/cluster"
	"aliquot/packing"
)

// stretch makes a problem one of MCB8-stretch (section 4.7): its level is the inverse of the
// stretch that the jobs are estimated to have at the next tick. A job that gets yield y until
// then, for a time T, comes to (virtual time + y·T) / (flow time + T). Also one that would come
// to the level without any progress takes 1% of a node, or its need if that is less. It
// returns how much a job's yield counts in the average of these levels.
func (b *board) stretch(problem *packing.Problem, jobs []*job, until cluster.Time) []float64 {
	percent, t := b.percent(), until.Seconds()
	weights := make([]float64, len(jobs))
	for i, j := range jobs {
		it := &problem.Items[i]
		ft, vt := j.FlowTime(b.view.At).Seconds(), j.VirtualTime(b.view.At).Seconds()
		it.Line = packing.Line{Slope: (ft + t) / t, Base: -vt / t}
		it.MinCPU = max(it.MinCPU, percent)
		weights[i] = t / (ft + t)
	}
	return weights
}

// percent is 1% of the CPU of the mean node.
func (b *board) percent() float64 {
	sum := 0.0
	for n := range b.nodes {
		sum += float64(b.nodes[n].offer.CPU)
	}
	return sum / float64(max(1, len(b.nodes))) / 100
}
