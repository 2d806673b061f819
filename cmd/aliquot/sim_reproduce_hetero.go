package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/sim/experiments"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/hetero"
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
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return usage{fmt.Errorf("make the folder of the report: %w", err)}
	}
	scope := hetero.Scope{Full: r.full, Parts: parts}
	wanted := scope.Experiments()
	watch := a.progress(30 * time.Second)
	found, err := experiments.RunHetero(ctx, wanted, r.workers, func(done int) {
		watch.Show(func() string { return fmt.Sprintf("%d of %d experiments", done, len(wanted)) })
	})
	watch.End()
	if errors.Is(err, context.Canceled) {
		return stop.Err
	}
	if err != nil {
		return err
	}
	report := hetero.NewBook(scope, found).Report()
	about := reproduce.About{Command: r.command("hetero"), Version: version}
	if err := experiments.WriteStudy(r.out, report, about); err != nil {
		return err
	}
	return a.show(report.Checks, func(w io.Writer) {
		checked(w, report.Checks, filepath.Join(r.out, "report.html"))
	})
}
