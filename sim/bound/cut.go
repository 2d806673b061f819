package bound

import (
	"cmp"
	"slices"
)

// cut is a set of requests and the largest stretch at which it starves.
type cut struct {
	set     []request
	stretch float64
}

// edge is a date at which a set of requests can use more CPU (rate > 0) or less (rate < 0).
type edge struct{ at, rate float64 }

// edges returns the dates of a set in order, at a given stretch.
func edges(set []request, stretch float64) []edge {
	out := make([]edge, 0, 2*len(set))
	for _, r := range set {
		out = append(out, edge{r.release, r.rate}, edge{r.deadline(stretch), -r.rate})
	}
	slices.SortFunc(out, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	return out
}

// noise bounds the sum of rounding errors, relative to the amounts that are summed.
const noise = 1e-12

// starves reports whether a set of requests has more work than the nodes can do between its releases and deadlines: Σ
// work > ∫ min(capacity, rates).
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

// limit returns the largest stretch, to the last digits, at which the set starves, given one at which it does. Longer
// windows never give less time, so bisection finds it.
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
