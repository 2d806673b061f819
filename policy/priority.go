package policy

// ByPriority orders jobs from the highest priority (p, q) to the lowest, ties by number (m, n), that is, by
// submission.
func ByPriority(p float64, m int, q float64, n int) int {
	switch {
	case p > q:
		return -1
	case p < q:
		return 1
	}
	return m - n
}
