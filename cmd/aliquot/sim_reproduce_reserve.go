package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/sim/experiments"
	"aliquot/sim/reproduce"
	"aliquot/sim/reproduce/reserve"
	"aliquot/sim/trials"
)

const simReproduceReserveHelp = `Reproduce Figures 2 to 7 of Li et al., "Resource Availability-Aware Advance Reservation
for Parallel Jobs with Deadlines", and judge every claim of its text about FF, PE_B, PE_W,
Du_B, Du_W, PEDu_B and PEDu_W. The figures' points are lost, so orders and shapes are
compared, not rates.

Without --full a sample runs in seconds: five streams of 1000 requests a point. With it,
20 streams of 10000 requests, as many as in the paper, which takes about a quarter of an
hour of one core. An interrupted reproduction continues where it was.

The parts work, wide and use show accepted work, accepted wide jobs and utilisation, which
the paper does not: acceptance by count rewards the refusal of large jobs.

The folder --out receives report.html, claims.csv, points.csv (every point with its
interval of confidence) and figures/*.svg, and results.jsonl, which keeps the completed
runs; aliquot sim compare reads it.`

func (a *app) simReproduceReserveCommand() *cobra.Command {
	var r reproduction
	c := &cobra.Command{
		Use: "reserve", Short: "Reproduce the paper on advance reservation", Long: simReproduceReserveHelp, Args: takes(),
		Example: "  aliquot sim reproduce reserve\n  aliquot sim reproduce reserve --only fig2,work --out first-look\n" +
			"  aliquot sim reproduce reserve --full --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if command.Flags().Changed("only") && len(r.only) == 0 {
				return usagef("--only names no part: leave it out for all of them")
			}
			return a.reproduceReserve(command.Context(), r)
		}),
	}
	r.flags(c, strings.Join(words(reserve.Parts()), ", "))
	return c
}

func (a *app) reproduceReserve(ctx context.Context, r reproduction) error {
	parts, err := reserve.ParseParts(r.only)
	if err != nil {
		return usage{fmt.Errorf("--only: %w", err)}
	}
	if err := r.check(); err != nil {
		return err
	}
	scope := reserve.Scope{Full: r.full, Parts: parts}
	wanted := scope.Experiments()
	entries, err := stop.Unless(ctx, func() ([]trials.Entry, error) { return experiments.ReserveEntries(wanted) })
	if err != nil {
		return err
	}
	pool := &trials.Pool{Timed: true}
	return a.experiment(ctx, r, entries, pool, func(results *trials.File, failures []string) ([]reproduce.Check, error) {
		book := reserve.NewBook(scope, experiments.ReserveFindings(results, wanted, entries))
		about := reproduce.About{Command: r.command("reserve"), Version: version, Failures: failures}
		return book.Checks(), experiments.WriteReserve(r.out, book, about)
	})
}
