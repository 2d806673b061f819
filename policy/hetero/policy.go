package hetero

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Algorithm is one of the paper's three.
type Algorithm string

// The algorithms by their published names.
const (
	OLB Algorithm = "OLB" // the next job goes to the next idle machine
	SJS Algorithm = "SJS" // of min-min and min-max, the schedule with the smaller sum of times
	PJS Algorithm = "PJS" // SJS, with jobs in parallel on clusters where that pays
)

// Policy is an algorithm with its rules for priorities.
type Policy struct {
	Algorithm Algorithm
	Priority  bool  // high, medium and low jobs have queues of their own
	Preempt   bool  // high jobs also take machines from low ones
	Further   bool  // PJS tries further candidates after one that did not pay
	Replan    bool  // runs that have not begun are planned anew with each decision
	Price     int64 // thousandths of job time that a parallel plan must gain for each tick of a machine
}

// Periodic reports whether the policy decides at multiples of the period only, not when something happens.
func (p Policy) Periodic() bool { return p.Algorithm != OLB }

// IsParallel reports whether the policy runs jobs on clusters.
func (p Policy) IsParallel() bool { return p.Algorithm == PJS }

const (
	priorityWord = "priority"
	preemptWord  = "preempt"
	furtherWord  = "continue"
	replanWord   = "replan"
	priceWord    = "price="
)

// Parse returns the policy with that name: an algorithm, then its rules, each after a slash, in any case.
func Parse(name string) (Policy, error) {
	words := strings.Split(name, "/")
	p := Policy{Algorithm: Algorithm(strings.ToUpper(strings.TrimSpace(words[0])))}
	if !slices.Contains([]Algorithm{OLB, SJS, PJS}, p.Algorithm) {
		return Policy{}, fmt.Errorf("no policy for a site is called %q: there are OLB, SJS and PJS", words[0])
	}
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
	case word == replanWord && p.Algorithm != OLB:
		p.Replan = true
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
		return []string{priorityWord, preemptWord, replanWord, furtherWord, priceWord + "NUMBER"}
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
	if p.Further {
		name += "/" + furtherWord
	}
	if p.Price > 0 {
		name += "/" + priceWord + strconv.FormatFloat(float64(p.Price)/1000, 'g', -1, 64)
	}
	return name
}
