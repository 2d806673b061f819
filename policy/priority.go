package policy

import "cmp"

// ByPriority orders jobs from the highest priority (p, q) to the lowest, ties by number (m, n), that is, by
// submission.
func ByPriority[N cmp.Ordered](p float64, m N, q float64, n N) int {
	switch {
	case p > q:
		return -1
	case p < q:
		return 1
	}
	return cmp.Compare(m, n)
}
