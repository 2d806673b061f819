package reserve

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
func NewBook(s Scope, findings []Finding) Book {
	b := Book{s, study.NewBook(findings)}
	for e, r := range b.results {
		if r.Reservations == nil {
			delete(b.results, e)
		}
	}
	return b
}

// measure is a number of a result.
type measure struct {
	name string
	of   func(sweep.Result) float64
}

var (
	acceptance   = measure{"acceptance rate", func(r sweep.Result) float64 { return r.Reservations.Accepted }}
	slowdown     = measure{"average slowdown", func(r sweep.Result) float64 { return r.Reservations.AvgSlowdown }}
	acceptedWork = measure{"accepted work", func(r sweep.Result) float64 { return r.Reservations.AcceptedWork }}
	acceptedWide = measure{"accepted wide jobs", func(r sweep.Result) float64 { return r.Reservations.AcceptedWide }}
	utilization  = measure{"utilisation", func(r sweep.Result) float64 { return r.Utilization }}
)

// values returns a measure of a policy over all streams at a point, in order; nil unless all have been run.
func (b Book) values(at Point, policy string, m measure) (values []float64) {
	var streams []Experiment
	for number := range b.Scope.Streams() {
		streams = append(streams, Experiment{Stream: Stream{at, number, b.Scope.Jobs(), false}, Policy: policy})
	}
	return b.results.Values(streams, m.of)
}

// mean returns the mean of a measure over all streams at a point.
func (b Book) mean(at Point, policy string, m measure) reproduce.Mean {
	return reproduce.MeanOf(b.values(at, policy, m))
}

// cell is a policy at a point.
type cell struct {
	Point
	policy string
}

// gain returns the mean, over the streams, of the difference of a measure between two cells.
func (b Book) gain(to, from cell, m measure) reproduce.Mean {
	values, others := b.values(to.Point, to.policy, m), b.values(from.Point, from.policy, m)
	if values == nil || others == nil {
		return reproduce.Mean{}
	}
	for i := range values {
		values[i] -= others[i]
	}
	return reproduce.MeanOf(values)
}
