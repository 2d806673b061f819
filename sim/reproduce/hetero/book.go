package hetero

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

// measure is a number of a result.
type measure func(Result) float64

// The measures.
func total(r Result) float64   { return r.Sum }
func mean(r Result) float64    { return r.Mean }
func share(r Result) float64   { return r.Parallel }
func seconds(r Result) float64 { return r.Seconds }

// levelMean, levelSum and levelShare return measures of the jobs of one level, by its letter.
func levelMean(level string) measure {
	return func(r Result) float64 { return r.Levels[level].Mean }
}

func levelSum(level string) measure {
	return func(r Result) float64 { return r.Levels[level].Mean * float64(r.Levels[level].Jobs) }
}

func levelShare(level string) measure {
	return func(r Result) float64 { return r.Levels[level].Parallel }
}

// of returns a measure of one experiment. An experiment that was not run makes the judgment missing.
func (j *judgment) of(e Experiment, m measure) float64 {
	r, run := j.results[e]
	if !run {
		j.missing = true
	}
	return m(r)
}

// over returns a mean of a measure over the streams at a rate.
func (j *judgment) over(policy string, mix Mix, rate int, m measure) float64 {
	sum := 0.
	for stream := range j.Scope.Streams() {
		sum += j.of(arriving(j.site, policy, mix, rate, stream), m)
	}
	return sum / float64(j.Scope.Streams())
}

// judgment is a claim under examination on one site.
type judgment struct {
	Book
	site    int
	missing bool // an experiment was not run
	words   string
	holds   bool
}

// say sets the outcome.
func (j *judgment) say(holds bool, format string, args ...any) {
	j.holds, j.words = holds, fmt.Sprintf(format, args...)
}

// everywhere judges a claim on all sites. It holds if it does on each. The words are those of the campus.
func (b Book) everywhere(what string, judge func(*judgment)) reproduce.Check {
	c := reproduce.Check{What: what}
	held := 0
	for number := range b.Scope.Sites() {
		j := judgment{Book: b, site: number}
		if judge(&j); j.missing {
			return reproduce.Check{What: what}
		}
		if number == 0 {
			c.Measured = j.words
		}
		if j.holds {
			held++
		}
	}
	c.Measured += fmt.Sprintf("; on %d of %d sites", held, b.Scope.Sites())
	c.Holds = held == b.Scope.Sites()
	return c
}

// once judges a claim that does not depend on the site.
func (b Book) once(what string, judge func(*judgment)) reproduce.Check {
	j := judgment{Book: b}
	if judge(&j); j.missing {
		return reproduce.Check{What: what}
	}
	return reproduce.Check{What: what, Measured: j.words, Holds: j.holds}
}
