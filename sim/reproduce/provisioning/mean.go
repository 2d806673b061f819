package provisioning

import "math"

// mean returns the mean of some numbers; 0 of none.
func mean(all []float64) float64 {
	sum := 0.
	for _, x := range all {
		sum += x
	}
	return sum / max(1, float64(len(all)))
}

// correlation returns Pearson's coefficient of two rows of numbers.
func correlation(a, b []float64) float64 {
	both, one, two := 0., 0., 0.
	for i := range a {
		x, y := a[i]-mean(a), b[i]-mean(b)
		both, one, two = both+x*y, one+x*x, two+y*y
	}
	return both / math.Sqrt(max(1e-9, one*two))
}
