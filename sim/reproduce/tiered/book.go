package tiered

import (
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
)

// Finding is an experiment with its result.
type Finding = study.Finding[Experiment, sweep.Result]

// Book holds the findings of a scope.
type Book struct {
	Scope   Scope
	results study.Book[Experiment, sweep.Result]
}

// NewBook returns a book of the findings.
func NewBook(s Scope, findings []Finding) Book { return Book{s, study.NewBook(findings)} }

// The measures of the paper.
var (
	response   = *sweep.Named("avg_turnaround_seconds")
	slowdown   = *sweep.Named("avg_bounded_stretch")
	migrations = *sweep.Named("migrations_per_job")
)

// Measures of the comparison with a policy of ours.
var (
	greatest = *sweep.Named("max_bounded_stretch")
	moves    = sweep.Measure{Name: "moves_per_job", Title: "resumptions and migrations per job",
		Of: func(r sweep.Result) (float64, bool) { return r.PreemptionsPerJob + r.MigrationsPerJob, true }}
)

// place is a workload at a load.
type place struct {
	workload Workload
	tenth    int
	fullUse  bool
}

// values returns a measure of a variant over all streams at a place, in order; nil unless all have been run.
func (b Book) values(at place, v Variant, m sweep.Measure) (values []float64) {
	var streams []Experiment
	for number := range b.Scope.Streams() {
		streams = append(streams, Experiment{Stream{at.workload, number, b.Scope.Jobs(), at.tenth, at.fullUse}, v})
	}
	return b.results.Values(streams, func(r sweep.Result) float64 {
		value, _ := m.Of(r)
		return value
	})
}

// mean returns the mean of a measure over all streams at a place.
func (b Book) mean(at place, v Variant, m sweep.Measure) reproduce.Mean {
	return reproduce.MeanOf(b.values(at, v, m))
}

// ratio returns the mean over the streams of one variant's value over another's on the same stream.
func (b Book) ratio(at place, v, over Variant, m sweep.Measure) reproduce.Mean {
	values, others := b.values(at, v, m), b.values(at, over, m)
	if values == nil || others == nil {
		return reproduce.Mean{}
	}
	for i := range values {
		values[i] /= others[i]
	}
	return reproduce.MeanOf(values)
}

// places returns a workload at all loads.
func (b Book) places(w Workload, fullUse bool) (places []place) {
	for _, tenth := range b.Scope.Tenths() {
		places = append(places, place{w, tenth, fullUse})
	}
	return places
}
