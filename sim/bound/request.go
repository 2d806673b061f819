package bound

import (
	"cmp"

	"slices"

	"aliquot/cluster"
	"aliquot/workload"
)

// threshold bounds stretches: shorter times count as this long.
const threshold = 10 * cluster.Second

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
			span:    float64(max(j.Runtime, threshold)),
			rate:    float64(j.Tasks) * float64(j.Need),
		}
	}
	slices.SortFunc(out, func(a, b request) int {
		return cmp.Or(cmp.Compare(a.release, b.release), cmp.Compare(a.id, b.id), cmp.Compare(a.length, b.length), cmp.Compare(a.rate, b.rate))
	})
	return out
}

// edge is a date at which a set of requests begins or ceases to be able to use CPU.
type edge struct{ at, rate float64 }

// edges are the dates of a set in order, at a given stretch.
func edges(set []request, stretch float64) []edge {
	out := make([]edge, 0, 2*len(set))
	for _, r := range set {
		out = append(out, edge{r.release, r.rate}, edge{r.deadline(stretch), -r.rate})
	}
	slices.SortFunc(out, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	return out
}

// noise is what rounding may add up to, relative to the amounts that are summed.
const noise = 1e-12

// starves says whether a set of requests must do more work than the nodes can give it
// between its releases and deadlines: Σ work > ∫ min(capacity, rates).
func starves(set []request, capacity, stretch float64) bool {
	var work, given, rate, last float64
	for _, r := range set {
		work += r.work()
	}
	for _, e := range edges(set, stretch) {
		given += min(capacity, rate) * (e.at - last)
		rate, last = rate+e.rate, e.at
	}
	return given < work*(1-noise)
}

// limit is the largest stretch, to the last digits, at which the set starves, given one at
// which it does. Longer windows never give less, so halving finds it.
func limit(set []request, capacity, starving float64) float64 {
	low, high := starving, 2*starving
	for starves(set, capacity, high) {
		low, high = high, 2*high
	}
	for {
		middle := (low + high) / 2
		if middle <= low || middle >= high || high-low < noise*low {
			return low
		}
		if starves(set, capacity, middle) {
			low = middle
		} else {
			high = middle
		}
	}
}
