package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/sim/experiments"
	"aliquot/sim/reproduce/hetero"
	"aliquot/sim/reproduce/study"
)

const simReproduceHeteroHelp = `Reproduce the four case studies of Collins and George, "Parallel and Sequential Job
Scheduling in Heterogeneous Clusters" (2001), and judge the claims of its text about OLB,
SJS and PJS: the overhead of decisions, jobs that come all at once, without and with
priorities, and arrivals with preemption. The paper's run times and its figures' points are
lost, so orders and ratios are compared, on a synthetic campus of 142 machines and on sites
that differ from it at random. A claim holds if it holds on every site. The part ours compares
PJS with priced, a policy of ours, and judges its goals.

Without --full a sample runs: three sites, two streams of arrivals at each rate, which takes
about half a minute of one core. With it, 13 sites and five streams take about five minutes.
Finished experiments are not kept: an interrupted reproduction begins anew.

The folder --out receives report.html, claims.csv, points.csv and figures/*.svg.`

func (a *app) simReproduceHeteroCommand() *cobra.Command {
	var r reproduction
	c := &cobra.Command{
		Use: "hetero", Short: "Reproduce the paper on unlike machines (OLB, SJS, PJS)", Long: simReproduceHeteroHelp,
		Args: takes(),
		Example: "  aliquot sim reproduce hetero\n  aliquot sim reproduce hetero --only fig5 --out first-look\n" +
			"  aliquot sim reproduce hetero --full --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if err := r.named(command); err != nil {
				return err
			}
			return a.reproduceHetero(command.Context(), r)
		}),
	}
	r.flags(c, strings.Join(words(hetero.Parts()), ", "))
	return c
}

func (a *app) reproduceHetero(ctx context.Context, r reproduction) error {
	parts, err := partsOf(r, hetero.ParseParts)
	if err != nil {
		return err
	}
	scope := hetero.Scope{Full: r.full, Parts: parts}
	wanted := scope.Experiments()
	return a.reproduceAnew(ctx, r, anew{"hetero", len(wanted), func(tell func(int)) (study.Report, error) {
		found, err := experiments.RunHetero(ctx, wanted, r.workers, tell)
		if err != nil {
			return study.Report{}, err
		}
		return hetero.NewBook(scope, found).Report(), nil
	}})
}
