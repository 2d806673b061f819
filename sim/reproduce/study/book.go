package study

// Finding is an experiment with its result.
type Finding[E, R any] struct {
	Experiment E
	Result     R
}

// Book holds the results of experiments.
type Book[E comparable, R any] map[E]R

// NewBook returns a book of the findings.
func NewBook[E comparable, R any](findings []Finding[E, R]) Book[E, R] {
	b := Book[E, R]{}
	for _, f := range findings {
		b[f.Experiment] = f.Result
	}
	return b
}

// Values returns a number of the results of some experiments, in their order; nil unless all of them have been run.
func (b Book[E, R]) Values(experiments []E, of func(R) float64) (values []float64) {
	for _, e := range experiments {
		r, run := b[e]
		if !run {
			return nil
		}
		values = append(values, of(r))
	}
	return values
}

// Sum returns the sum of a number over all results, as of their run times.
func (b Book[E, R]) Sum(of func(R) float64) (sum float64) {
	for _, r := range b {
		sum += of(r)
	}
	return sum
}
