package policy

import (
	"cmp"
	"math"

	"aliquot/cluster"
)

// Priority is flow time / (virtual time)², in 1/s; a job that made no progress yet has an
// infinite one (RR-7659, section 4.1).
func Priority(j *cluster.Job, now cluster.Time) float64 {
	return PriorityAfter(j.FlowTime(now), j.VirtualTime(now))
}

// PriorityAfter is the Priority of a job with that flow time and virtual time.
func PriorityAfter(flow, virtual cluster.Time) float64 {
	vt := virtual.Seconds()
	if vt == 0 {
		return math.Inf(1)
	}
	return flow.Seconds() / (vt * vt)
}

// ByPriority orders jobs from the highest to the lowest priority, ties by submission.
func ByPriority(a, b *cluster.Job, now cluster.Time) int {
	return cmp.Or(-cmp.Compare(Priority(a, now), Priority(b, now)), cmp.Compare(a.ID, b.ID))
}
