package reproduce

import (
	"slices"

	"aliquot/sim/sweep"
)

// Finding is an experiment with its result.
type Finding struct {
	Experiment
	Result sweep.Result
}

// Book holds all findings of a scope. They are looked up by the questions of the report.
type Book struct {
	Scope    Scope
	findings map[question][]Finding // in the order of their traces
}

type question struct {
	algorithm string
	period    float64
}

// NewBook returns the findings in order. Findings outside the scope do no harm.
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

// results returns the results of an algorithm on a set of traces.
func (b Book) results(set Set, algorithm string, period float64) (results []sweep.Result) {
	for _, f := range b.findings[question{algorithm, period}] {
		if f.In(set) {
			results = append(results, f.Result)
		}
	}
	return results
}

// over returns the distribution of a measure.
func (b Book) over(set Set, algorithm string, period float64, m sweep.Measure) sweep.Distribution {
	return sweep.Distribute(b.results(set, algorithm, period), m)
}

// seconds returns the sum of the simulations' run times on one core.
func (b Book) seconds() (sum float64) {
	for _, fs := range b.findings {
		for _, f := range fs {
			sum += f.Result.Seconds
		}
	}
	return sum
}

// count returns the number of experiments that have been run.
func (b Book) count() (n int) {
	for _, fs := range b.findings {
		n += len(fs)
	}
	return n
}

// bandwidth is the bandwidth of preemptions and migrations together.
var bandwidth = sweep.Measure{Name: "gb_per_second", Title: "bandwidth of preemptions and migrations, GB/s",
	About: sweep.Rescheduling, Of: func(r sweep.Result) (float64, bool) {
		return r.PreemptionGBPerSecond + r.MigrationGBPerSecond, true
	}}

// measured maps the report's words for measures to our names.
var measured = map[string]string{
	"degradation": "degradation", "underutilization": "normalized_underutilization",
	"preemption bandwidth": "preemption_gb_per_second", "migration bandwidth": "migration_gb_per_second",
	"preemptions per hour": "preemptions_per_hour", "migrations per hour": "migrations_per_hour",
	"preemptions per job": "preemptions_per_job", "migrations per job": "migrations_per_job",
}

// measure returns the measure for the report's words.
func measure(words string) sweep.Measure { return *sweep.Named(measured[words]) }
