package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"aliquot/policy/catalog"
	"aliquot/policy/hetero"
	"aliquot/sim"
)

// simTerms are the flags shared by all simulations.
type simTerms struct {
	nodes   int
	unlike  []sim.Node // as a file describes them; nil: that number of unit nodes
	penalty time.Duration
	sim.Terms
}

func (t *simTerms) flags(f *pflag.FlagSet) {
	f.IntVar(&t.nodes, "nodes", 128, "number of nodes")
	t.others(f)
}

// others are the flags other than --nodes.
func (t *simTerms) others(f *pflag.FlagSet) {
	f.DurationVar(&t.penalty, "penalty", 5*time.Minute, "time that a rescheduled job stands still at constant cost")
	f.StringVar(&t.Cost, "cost", "constant", "cost of rescheduling: constant, memory[=GB/s] (by the memory moved), "+
		"live[=PAUSE] (live moves), moves[=GB/s] (moves take time)")
	f.StringVar(&t.Estimates, "estimates", "perfect",
		"run times known to policies: perfect, or trace (the users' estimates)")
	f.StringVar(&t.Uses, "uses", "job",
		"CPU that tasks use in two tiers: job (that of the stream), or process (each of several has one of its own)")
	f.StringVar(&t.Impossible, "impossible", "refuse", "jobs that can never run: refuse the stream, or skip them")
}

// list returns the nodes.
func (t simTerms) list() []sim.Node {
	if t.unlike != nil {
		return t.unlike
	}
	return sim.Units(t.nodes)
}

// check checks the flags and the given periods.
func (t simTerms) check(periods ...time.Duration) error {
	if t.nodes < 1 || t.nodes > 100_000 {
		return usagef("--nodes must be from 1 to 100000")
	}
	if t.penalty < 0 {
		return usagef("--penalty must not be negative")
	}
	for _, p := range periods {
		if p < time.Second {
			return usagef("--period must be at least 1s")
		}
	}
	if _, err := t.Setup(micro(t.penalty)); err != nil {
		return usage{err}
	}
	return nil
}

// advised adds advice to the refusal of a stream with jobs that can never run.
func advised(err error) error {
	if refused := (sim.Refused{}); errors.As(err, &refused) {
		return fmt.Errorf("%w: skip them (--impossible skip), or take more or larger nodes", err)
	}
	return err
}

// setup returns the simulation of a policy by its published name. The flags must have been checked.
func (t simTerms) setup(policy string, period time.Duration) (sim.Setup, error) {
	p, err := catalog.Parse(policy, micro(period))
	if err != nil {
		if _, other := hetero.Parse(policy); other == nil {
			return sim.Setup{}, usagef("%s schedules the machines of a site: see --site of aliquot sim run", policy)
		}
		return sim.Setup{}, usage{err}
	}
	s, err := t.Setup(micro(t.penalty))
	s.Nodes, s.Policy = t.list(), p
	return s, err
}
