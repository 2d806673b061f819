package policy

import "cmp"

// ByPriority orders jobs from the highest to the lowest priority, p and q, ties by number, m and n: as submitted.
func ByPriority[N cmp.Ordered](p float64, m N, q float64, n N) int {
	switch {
	case p > q:
		return -1
	case p < q:
		return 1
	}
	return cmp.Compare(m, n)
}
