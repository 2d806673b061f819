package reproduce

import (
	"slices"

	"aliquot/sim/sweep"
)

// Finding is an experiment with what it came to.
type Finding struct {
	Experiment
	Result sweep.Result
}

// Book is all findings of a scope, looked up by what the report asks for.
type Book struct {
	Scope    Scope
	findings map[question][]Finding // in the order of their traces
}

type question struct {
	algorithm string
	period    float64
}

// NewBook puts findings in order; those of experiments outside the scope do no harm.
func NewBook(s Scope, findings []Finding) Book {
	b := Book{s, map[question][]Finding{}}
	findings = slices.Clone(findings)
	slices.SortFunc(findings, func(a, b Finding) int { return a.Experiment.Compare(b.Experiment) })
	for _, f := range findings {
		q := question{f.Algorithm, f.Period}
		b.findings[q] = append(b.findings[q], f)
	}
	return b
}

// results are those of an algorithm on a set of traces.
func (b Book) results(set Set, algorithm string, period float64) (results []sweep.Result) {
	for _, f := range b.findings[question{algorithm, period}] {
		if f.In(set) {
			results = append(results, f.Result)
		}
	}
	return results
}

// over sums a measure up.
func (b Book) over(set Set, algorithm string, period float64, m sweep.Measure) sweep.Distribution {
	return sweep.Distribute(b.results(set, algorithm, period), m)
}

// seconds is how long all simulations took together, on one core.
func (b Book) seconds() (sum float64) {
	for _, fs := range b.findings {
		for _, f := range fs {
			sum += f.Result.Seconds
		}
	}
	return sum
}

// count is how many experiments have been run.
func (b Book) count() (n int) {
	for _, fs := range b.findings {
		n += len(fs)
	}
	return n
}

// bandwidth is that of preemptions and migrations together.
var bandwidth = sweep.Measure{Name: "gb_per_second", Title: "bandwidth of preemptions and migrations, GB/s", About: sweep.Rescheduling, Of: func(r sweep.Result) (float64, bool) {
	return r.PreemptionGBPerSecond + r.MigrationGBPerSecond, true
}}

// measured are the report's measures by its words.
var measured = map[string]string{
	"degradation": "degradation", "underutilization": "normalized_underutilization",
	"preemption bandwidth": "preemption_gb_per_second", "migration bandwidth": "migration_gb_per_second",
	"preemptions per hour": "preemptions_per_hour", "migrations per hour": "migrations_per_hour",
	"preemptions per job": "preemptions_per_job", "migrations per job": "migrations_per_job",
}

// measure is the one that the report calls so.
func measure(words string) sweep.Measure { return *sweep.Named(measured[words]) }
