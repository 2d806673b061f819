package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/sim/experiments"
	"aliquot/sim/reproduce/reserve"
	"aliquot/sim/reproduce/study"
)

const simReproduceReserveHelp = `Reproduce Figures 2 to 7 of Li et al., "Resource Availability-Aware Advance Reservation
for Parallel Jobs with Deadlines", and judge every claim of its text about FF, PE_B, PE_W,
Du_B, Du_W, PEDu_B and PEDu_W. The figures' points are lost, so orders and shapes are
compared, not rates.

Without --full a sample runs in a minute or two: five streams of 1000 requests a point.
With it, 20 streams of 10000 requests, as many as in the paper, which takes about half an
hour of one core. --jobs makes the streams shorter or longer. An interrupted
reproduction continues where it was.

The parts work, wide and use show accepted work, accepted wide jobs and utilisation, which
the paper does not: acceptance by count rewards the refusal of large jobs. The part ours
compares FF and PE_W with reserve/shares, a policy of ours, on five streams: also where a
move or resumption costs 60 s, and where jobs end early. It judges the policy's goals.

The folder --out receives report.html, claims.csv, points.csv (every point with its
interval of confidence) and figures/*.svg, and results.jsonl, which keeps the completed
runs; aliquot sim compare reads it.`

func (a *app) simReproduceReserveCommand() *cobra.Command {
	var r reproduction
	c := &cobra.Command{
		Use: "reserve", Short: "Reproduce the paper on advance reservation", Long: simReproduceReserveHelp, Args: takes(),
		Example: "  aliquot sim reproduce reserve\n  aliquot sim reproduce reserve --only fig2,work --out first-look\n" +
			"  aliquot sim reproduce reserve --full --only ours --jobs 2000 --out ours\n" +
			"  aliquot sim reproduce reserve --full --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if err := r.named(command); err != nil {
				return err
			}
			if command.Flags().Changed("jobs") && (r.jobs < 100 || r.jobs > 1_000_000) {
				return usagef("--jobs must be from 100 to 1000000")
			}
			return a.reproduceReserve(command.Context(), r)
		}),
	}
	r.flags(c, strings.Join(words(reserve.Parts()), ", "))
	c.Flags().IntVar(&r.jobs, "jobs", 0, "requests of each stream (default 10000 with --full, else 1000)")
	return c
}

func (a *app) reproduceReserve(ctx context.Context, r reproduction) error {
	parts, err := partsOf(r, reserve.ParseParts)
	if err != nil {
		return err
	}
	scope := reserve.Scope{Full: r.full, Parts: parts, Count: r.jobs}
	return reproduceStudy(ctx, a, r, "reserve", scope.Experiments(), experiments.ReserveEntries,
		func(f []reserve.Finding) study.Report { return reserve.NewBook(scope, f).Report() })
}
