package world

import (
	"slices"
	"testing"

	"github.com/rs/zerolog"
)

// tries is how often a smaller plan is run before it counts as harmless: the order of goroutines may matter.
const tries = 2

// shrink returns the outcome of the smallest plan that still fails, and the plan. It drops one fault after the other,
// then jobs.
func shrink(t *testing.T, seed uint64, p plan, failed outcome) (plan, outcome) {
	for i := len(p.faults) - 1; i >= 0; i-- {
		smaller := p
		smaller.faults = slices.Delete(slices.Clone(p.faults), i, i+1)
		if o, fails := again(t, seed, smaller); fails {
			p, failed = smaller, o
		}
	}
	for p.jobs > 0 {
		smaller := p
		smaller.jobs = p.jobs * 2 / 3
		o, fails := again(t, seed, smaller)
		if !fails {
			break
		}
		p, failed = smaller, o
	}
	return p, failed
}

// again runs a plan and reports whether it fails.
func again(t *testing.T, seed uint64, p plan) (o outcome, fails bool) {
	for range tries {
		if o = run(t, seed, zerolog.Nop(), &p); len(o.broken) > 0 {
			return o, true
		}
	}
	return o, false
}
