package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/workload"
	"aliquot/workload/gen"
	"aliquot/workload/stream"
)

func (a *app) workloadGenCommand() *cobra.Command {
	return group("gen", "Draw streams of jobs from a published model",
		"Draw streams of jobs from a published model.", a.workloadGenLublinCommand())
}

const workloadGenLublinHelp = `Draw streams of jobs from the model of Lublin and Feitelson (JPDC 63(11), 2003) with its
published parameters: a daily cycle of arrivals, two-stage uniform sizes with many powers
of two, hyper-gamma run times. Needs and memory are those of the DFRS report: a job of one
task needs 25% of a node's CPU, tasks of others 100%; memory is 10% for 55% of the jobs,
and 20%, 30%, …, 100% for the rest.

The same seed gives the same streams. Batch and interactive jobs come side by side unless
--kinds says otherwise; "all" are the parameters fitted to all jobs as one. --load
multiplies inter-arrival times, and nothing else, to reach the offered load;
several loads make several streams of the same jobs.

One stream goes to standard output unless --out names a file, or a folder for several.`

const workloadGenLublinExample = `  aliquot workload gen lublin --seed 1 > trace.csv
  aliquot workload gen lublin --seed 1 --jobs 5000 --nodes 64 --load 0.7 --out trace.csv.gz
  aliquot workload gen lublin --seed 1 --count 100 --out traces/
  aliquot workload gen lublin --seed 1 --count 100 --load 0.1,0.5,0.9 --out traces/`

type lublinFlags struct {
	seed        uint64
	jobs, nodes int
	count       int
	loads       []float64
	kinds       string
	out         outFlags
}

func (a *app) workloadGenLublinCommand() *cobra.Command {
	var l lublinFlags
	c := &cobra.Command{
		Use: "lublin", Short: "Draw streams from the model of Lublin and Feitelson", Long: workloadGenLublinHelp,
		Example: workloadGenLublinExample, Args: takes(),
		RunE: a.local(func(c *cobra.Command, _ []string) error { return a.lublin(c.Context(), l) }),
	}
	f := c.Flags()
	f.Uint64Var(&l.seed, "seed", 1, "seed of the draws")
	f.IntVar(&l.jobs, "jobs", 1000, "number of jobs of a stream")
	f.IntVar(&l.nodes, "nodes", 128, "number of nodes of the machine")
	f.IntVar(&l.count, "count", 1, "number of streams")
	f.Float64SliceVar(&l.loads, "load", nil, "offered `loads` to scale to, like 0.7 or 0.1,0.5 (default: as drawn)")
	f.Lookup("load").DefValue = "" // not []
	f.StringVar(&l.kinds, "kinds", "batch,interactive", "kinds of jobs: batch, interactive, all")
	l.out.flags(f)
	return c
}

func (a *app) lublin(ctx context.Context, l lublinFlags) error {
	if l.jobs < 1 || l.jobs > 10_000_000 || l.nodes < 1 || l.nodes > 10_000 || l.count < 1 || l.count > 1_000_000 {
		return usagef("--jobs must be from 1 to 10000000, --nodes from 1 to 10000, --count from 1 to 1000000")
	}
	if err := checkLoads(l.loads); err != nil {
		return err
	}
	kinds, err := gen.ParseKinds(l.kinds)
	if err != nil {
		return usage{fmt.Errorf("--kinds: %w", err)}
	}
	var names []string
	for n := range l.count {
		names = append(names, stream.LoadNames(stream.Numbered(fmt.Sprintf("lublin-s%d-", l.seed), n, l.count), l.loads)...)
	}
	sink, err := a.sink(l.out, names)
	if err != nil {
		return err
	}
	shown := a.progress(0)
	defer shown.End()
	for n := range l.count {
		shown.Percent("draw streams", int64(n), int64(l.count))
		jobs, err := stop.Unless(ctx, func() ([]workload.Job, error) {
			dice := gen.NewDice(l.seed, n)
			return gen.Augment(dice, gen.Lublin(dice, l.nodes, l.jobs, kinds...)), nil
		})
		if err != nil {
			return sink.Stopped(err)
		}
		if err := scaled(ctx, sink, jobs, l.nodes, l.loads); err != nil {
			return err
		}
	}
	return a.written(sink)
}

func checkLoads(loads []float64) error {
	for i, load := range loads {
		if !(load > 0 && load <= 100) {
			return usagef("--load must be above 0 and at most 100, not %g", load)
		}
		if slices.Contains(loads[:i], load) {
			return usagef("--load %g is given twice", load)
		}
	}
	return nil
}
