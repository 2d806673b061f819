package bound

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/workload"
)

// request is a job in the linear system. Times are in microseconds since the first release, rates in millicores. Both
// are whole numbers, so sums of rates are exact.
type request struct {
	id      int64
	release float64
	length  float64 // time that it must run at its full rate
	span    float64 // distance of the deadline from the release at a stretch of 1
	rate    float64 // sum of its tasks' needs
}

func (r request) work() float64 { return r.rate * r.length }

func (r request) deadline(stretch float64) float64 { return r.release + stretch*r.span }

// earliest returns the first submission, or zero without jobs.
func earliest(jobs []workload.Job) cluster.Time {
	if len(jobs) == 0 {
		return 0
	}
	return slices.MinFunc(jobs, workload.Job.Compare).Submit
}

// requests returns a stream's jobs by release, then id.
func requests(jobs []workload.Job) []request {
	first := earliest(jobs)
	out := make([]request, len(jobs))
	for i, j := range jobs {
		out[i] = request{
			id:      j.ID,
			release: float64(j.Submit - first),
			length:  float64(j.Runtime),
			span:    float64(max(j.Runtime, workload.ShortTime)),
			rate:    float64(j.Tasks) * float64(j.Need),
		}
	}
	slices.SortFunc(out, func(a, b request) int {
		return cmp.Or(cmp.Compare(a.release, b.release), cmp.Compare(a.id, b.id), cmp.Compare(a.length, b.length),
			cmp.Compare(a.rate, b.rate))
	})
	return out
}
