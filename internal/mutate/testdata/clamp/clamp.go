// Package clamp is mutated by the tests of package mutate.
package clamp

// Clamp returns n, but at most 9 and no less than 0.
func Clamp(n int) int {
	if n > 9 {
		n = 9
	}
	for n < 0 {
		n++
	}
	return n
}

// Unused is reached by no test.
func Unused() bool { return true }
