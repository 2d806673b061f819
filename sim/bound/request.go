package bound

import (
	"cmp"
	"slices"

	"aliquot/cluster"
	"aliquot/workload"
)

// request is a job as the linear system sees it. Times are microseconds since the first
// release, rates millicores; both are whole numbers, so that sums of rates are exact.
type request struct {
	id      int64
	release float64
	length  float64 // of time that it must run at its full rate
	span    float64 // by which a stretch of 1 puts the deadline behind the release
	rate    float64 // need of all its tasks
}

func (r request) work() float64 { return r.rate * r.length }

func (r request) deadline(stretch float64) float64 { return r.release + stretch*r.span }

// earliest is the first submission; zero if there is none.
func earliest(jobs []workload.Job) cluster.Time {
	if len(jobs) == 0 {
		return 0
	}
	return slices.MinFunc(jobs, workload.Job.Compare).Submit
}

// requests are a stream's jobs by release, then id.
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
		return cmp.Or(cmp.Compare(a.release, b.release), cmp.Compare(a.id, b.id), cmp.Compare(a.length, b.length), cmp.Compare(a.rate, b.rate))
	})
	return out
}
