package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/sim/experiments"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
)

// named refuses --only without a part.
func (r reproduction) named(c *cobra.Command) error {
	if c.Flags().Changed("only") && len(r.only) == 0 {
		return usagef("--only names no part: leave it out for all of them")
	}
	return nil
}

// partsOf parses --only, and checks the other flags.
func partsOf[P any](r reproduction, parse func([]string) ([]P, error)) ([]P, error) {
	parts, err := parse(r.only)
	if err != nil {
		return nil, usage{fmt.Errorf("--only: %w", err)}
	}
	return parts, r.check()
}

// reproduceStudy runs the experiments of a paper and writes its report.
func reproduceStudy[E any](ctx context.Context, a *app, r reproduction, paper string, wanted []E,
	trialsOf func([]E) ([]trials.Entry, error), reportOf func([]study.Finding[E, sweep.Result]) study.Report) error {
	entries, err := stop.Unless(ctx, func() ([]trials.Entry, error) { return trialsOf(wanted) })
	if err != nil {
		return err
	}
	pool := &trials.Pool{Timed: true}
	return a.experiment(ctx, r, entries, pool, func(results *trials.File, failures []string) ([]reproduce.Check, error) {
		report := reportOf(experiments.StudyFindings(results, wanted, entries))
		about := reproduce.About{Command: r.command(paper), Version: version, Failures: failures}
		return report.Checks, experiments.WriteStudy(r.out, report, about)
	})
}
