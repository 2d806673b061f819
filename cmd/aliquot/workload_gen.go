package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/internal/stop"
	"aliquot/workload"
	"aliquot/workload/gen"
	"aliquot/workload/stream"
)

func (a *app) workloadGenCommand() *cobra.Command {
	return group("gen", "Draw streams of jobs, or their estimates, from models",
		"Draw streams of jobs, or the users' estimates of their run times, from published models.",
		a.workloadGenLublinCommand(), a.workloadGenFeitelsonCommand(), a.workloadGenJannCommand(),
		a.workloadGenReserveCommand(), a.workloadGenTsafrirCommand())
}

const aboutStreams = `The same seed gives the same streams. --load multiplies inter-arrival times, and nothing
else, to reach the offered load; several loads make several streams of the same jobs.
--tiers draws how each job fares on nodes with a foreground and a background, after Liu
et al. (2012): the CPU that its tasks use, the part of idle CPU that helps it in the
background, and its loss to background neighbours.

One stream goes to standard output unless --out names a file, or a folder for several.`

// drawFlags are the flags of the models of streams.
type drawFlags struct {
	seed        uint64
	jobs, nodes int
	count       int
	loads       []float64
	tiers       bool
	out         outFlags
}

func (d *drawFlags) flags(f *pflag.FlagSet, nodes int) {
	f.Uint64Var(&d.seed, "seed", 1, "seed of the draws")
	f.IntVar(&d.jobs, "jobs", 1000, "number of jobs of a stream")
	f.IntVar(&d.nodes, "nodes", nodes, "number of nodes of the machine")
	f.IntVar(&d.count, "count", 1, "number of streams")
	f.Float64SliceVar(&d.loads, "load", nil, "offered `loads` to scale to, like 0.7 or 0.1,0.5 (default: as drawn)")
	f.Lookup("load").DefValue = "" // not []
	tiersFlag(f, &d.tiers)
	d.out.flags(f)
}

func tiersFlag(f *pflag.FlagSet, tiers *bool) {
	f.BoolVar(tiers, "tiers", false, "draw cpu, eff and loss of processes on nodes with two tiers; mem is 0.1")
}

func (d *drawFlags) check() error {
	if d.jobs < 1 || d.jobs > 10_000_000 || d.nodes < 1 || d.nodes > 10_000 || d.count < 1 || d.count > 1_000_000 {
		return usagef("--jobs must be from 1 to 10000000, --nodes from 1 to 10000, --count from 1 to 1000000")
	}
	return checkLoads(d.loads)
}

// drawStreams draws streams from a model of that name and writes them.
func (a *app) drawStreams(ctx context.Context, model string, d drawFlags, one func(gen.Dice) []workload.Job) error {
	if err := d.check(); err != nil {
		return err
	}
	var names []string
	for n := range d.count {
		name := stream.Numbered(fmt.Sprintf("%s-s%d-", model, d.seed), n, d.count)
		names = append(names, stream.LoadNames(name, d.loads)...)
	}
	sink, err := a.sink(d.out, names)
	if err != nil {
		return err
	}
	shown := a.progress(0)
	defer shown.End()
	for n := range d.count {
		shown.Percent("draw streams", int64(n), int64(d.count))
		jobs, err := stop.Unless(ctx, func() ([]workload.Job, error) {
			dice := gen.NewDice(d.seed, n)
			jobs := one(dice)
			if d.tiers {
				jobs = gen.TwoTiers(dice, jobs)
			}
			return jobs, nil
		})
		if err != nil {
			return sink.Stopped(err)
		}
		if err := scaled(ctx, sink, jobs, d.nodes, d.loads); err != nil {
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
