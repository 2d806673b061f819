package provisioning

import (
	"fmt"

	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
)

// Finding is an experiment with its result.
type Finding = study.Finding[Experiment, Result]

// Book holds the findings of a scope.
type Book struct {
	Scope   Scope
	results study.Book[Experiment, Result]
}

// NewBook returns a book of the findings.
func NewBook(s Scope, findings []Finding) Book { return Book{s, study.NewBook(findings)} }

// values returns a number of all runs of a setting.
func (b Book) values(e Experiment, name string) []float64 {
	return b.results.Values(b.Scope.numbers(e), func(r Result) float64 { return r.Numbers[name] })
}

// judgment is a claim under examination.
type judgment struct {
	Book
	missing bool // an experiment was not run
	words   string
	holds   bool
}

// of returns the mean of a number over all runs of a setting.
func (j *judgment) of(e Experiment, name string) float64 { return mean(j.all(e, name)) }

// all returns a number of all runs of a setting. One that was not run makes the judgment missing.
func (j *judgment) all(e Experiment, name string) []float64 {
	values := j.values(e, name)
	if values == nil {
		j.missing = true
	}
	return values
}

// say sets the outcome.
func (j *judgment) say(holds bool, format string, args ...any) {
	j.holds, j.words = holds, fmt.Sprintf(format, args...)
}

// claim judges a claim.
func (b Book) claim(what string, judge func(*judgment)) reproduce.Check {
	j := judgment{Book: b}
	if judge(&j); j.missing {
		return reproduce.Check{What: what}
	}
	return reproduce.Check{What: what, Measured: j.words, Holds: j.holds}
}
