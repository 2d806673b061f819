package dfrs

import (
	"aliquot/cluster"
	"aliquot/packing"
)

// stretch turns a problem into one of MCB8-stretch (section 4.7): a level is the inverse of the stretch that a job is
// estimated to have at the next tick. A job with yield y for the time T until then comes to (virtual time + y·T) /
// (flow time + T). stretch returns the weight of each job's yield in the average of these levels.
func (b *board) stretch(problem *packing.Problem, jobs []*job, until cluster.Time) []float64 {
	t := until.Seconds()
	weights := make([]float64, len(jobs))
	for i, j := range jobs {
		ft, vt := j.FlowTime(b.view.At).Seconds(), j.VirtualTime(b.view.At).Seconds()
		problem.Items[i].Line = packing.Line{Slope: (ft + t) / t, Base: -vt / t}
		weights[i] = t / (ft + t)
	}
	return weights
}

// idle makes a job that would reach the level without any progress demand 1% of a node while it is mapped, or its
// need if that is less. Its share is then raised from its least like any other.
func (b *board) idle(problem *packing.Problem) {
	percent := b.percent()
	for i := range problem.Items {
		problem.Items[i].Line.Idle = percent
	}
}

// percent returns 1% of the CPU of the mean node.
func (b *board) percent() float64 {
	sum := 0.0
	for n := range b.nodes {
		sum += float64(b.nodes[n].offer.CPU)
	}
	return sum / float64(max(1, len(b.nodes))) / 100
}
