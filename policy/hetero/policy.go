package hetero

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Algorithm is one of the paper's three, or ours.
type Algorithm string

// The algorithms by their published names.
const (
	OLB Algorithm = "OLB" // the next job goes to the next idle machine
	SJS Algorithm = "SJS" // of min-min and min-max, the schedule with the smaller sum of times
	PJS Algorithm = "PJS" // SJS, with jobs in parallel on clusters where that pays
)

// Priced is ours: PJS that goes on after a candidate that did not pay, plans anew what has not begun, suspends low jobs
// instead of giving up their work, and lets parallel plans pay for machines by the load.
const Priced Algorithm = "priced"

var algorithms = []Algorithm{OLB, SJS, PJS, Priced}

// Policy is an algorithm with its rules for priorities.
type Policy struct {
	Algorithm Algorithm
	Priority  bool  // high, medium and low jobs have queues of their own
	Preempt   bool  // high jobs also take machines from low ones
	Literal   bool  // PJS counts profits by run times, not by ends
	Further   bool  // PJS tries further candidates after one that did not pay
	Replan    bool  // runs that have not begun are planned anew with each decision
	Price     int64 // thousandths of job time that a parallel plan must gain for each tick of a machine
}

// Periodic reports whether the policy decides at multiples of the period only, not when something happens.
func (p Policy) Periodic() bool { return p.Algorithm != OLB }

// IsParallel reports whether the policy runs jobs on clusters.
func (p Policy) IsParallel() bool { return p.Algorithm == PJS || p.Algorithm == Priced }

// Suspends reports whether jobs that lose their machines keep what has been done of them.
func (p Policy) Suspends() bool { return p.Algorithm == Priced }

// replans reports whether runs that have not begun are planned anew.
func (p Policy) replans() bool { return p.Replan || p.Algorithm == Priced }

const (
	priorityWord = "priority"
	preemptWord  = "preempt"
	literalWord  = "profit=execution"
	furtherWord  = "continue"
	replanWord   = "replan"
	priceWord    = "price="
)

// Parse returns the policy with that name: an algorithm, then its rules, each after a slash, in any case.
func Parse(name string) (Policy, error) {
	words := strings.Split(name, "/")
	at := slices.IndexFunc(algorithms, func(a Algorithm) bool {
		return strings.EqualFold(string(a), strings.TrimSpace(words[0]))
	})
	if at < 0 {
		return Policy{}, fmt.Errorf("no policy for a site is called %q: there are OLB, SJS, PJS and priced", words[0])
	}
	p := Policy{Algorithm: algorithms[at]}
	for _, word := range words[1:] {
		if err := p.take(strings.ToLower(strings.TrimSpace(word))); err != nil {
			return Policy{}, fmt.Errorf("policy %q: %w", name, err)
		}
	}
	return p, nil
}

// take adds a rule.
func (p *Policy) take(word string) error {
	price, priced := strings.CutPrefix(word, priceWord)
	switch {
	case word == priorityWord:
		p.Priority = true
	case word == preemptWord && p.Algorithm != OLB:
		p.Priority, p.Preempt = true, true
	case word == replanWord && slices.Contains(p.Algorithm.rules(), replanWord):
		p.Replan = true
	case word == literalWord && p.Algorithm == PJS:
		p.Literal = true
	case word == furtherWord && p.Algorithm == PJS:
		p.Further = true
	case priced && p.Algorithm == PJS:
		f, err := strconv.ParseFloat(price, 64)
		p.Price = int64(f*1000 + .5)
		if err != nil || !(f >= 0 && f <= 100) {
			return fmt.Errorf("price is %q, must be a number from 0 to 100", price)
		}
	default:
		return fmt.Errorf("%s has no rule %q: it has %s", p.Algorithm, word, strings.Join(p.Algorithm.rules(), ", "))
	}
	return nil
}

// rules lists the rules that an algorithm may have.
func (a Algorithm) rules() []string {
	switch a {
	case SJS:
		return []string{priorityWord, preemptWord, replanWord}
	case PJS:
		return []string{priorityWord, preemptWord, replanWord, literalWord, furtherWord, priceWord + "NUMBER"}
	case Priced:
		return []string{priorityWord, preemptWord}
	}
	return []string{priorityWord}
}

// String returns the canonical name.
func (p Policy) String() string {
	name := string(p.Algorithm)
	switch {
	case p.Preempt:
		name += "/" + preemptWord
	case p.Priority:
		name += "/" + priorityWord
	}
	if p.Replan {
		name += "/" + replanWord
	}
	if p.Literal {
		name += "/" + literalWord
	}
	if p.Further {
		name += "/" + furtherWord
	}
	if p.Price > 0 {
		name += "/" + priceWord + strconv.FormatFloat(float64(p.Price)/1000, 'g', -1, 64)
	}
	return name
}
