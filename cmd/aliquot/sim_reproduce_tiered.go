package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/sim/experiments"
	"aliquot/sim/reproduce/study"
	"aliquot/sim/reproduce/tiered"
)

const simReproduceTieredHelp = `Reproduce Figures 6 to 14 of Liu et al., "Scheduling Parallel Jobs Using Migration and
Consolidation in the Cloud" (2012), on nodes with a foreground and a background, and
judge the paper's claims about KEASY, REASY and MEASY. The figures' numbers are lost, so
claims are compared, not seconds.

Without --full a sample runs in a minute or two: three streams of 2000 jobs of each
workload at three loads. With it, five streams of 20000 jobs at six loads, which takes
about an hour of one core; the expected time is printed first. --jobs makes the streams
shorter or longer. An interrupted reproduction continues where it was.

Streams come from surrogates of the paper's models (aliquot workload gen feitelson --help).
The part readings compares readings of what the paper leaves open: REASY's extra
processors by formula or prose, and the use of CPU per job or per process. The part ours
compares MEASY with attained, a policy of ours that needs no estimates, where a resumption
costs 20 s and where it costs 300 s, and judges its goals.

The folder --out receives report.html, claims.csv, points.csv (every point with its
interval of confidence) and figures/*.svg, and results.jsonl, which keeps the completed
runs; aliquot sim compare reads it.`

func (a *app) simReproduceTieredCommand() *cobra.Command {
	var r reproduction
	c := &cobra.Command{
		Use: "tiered", Short: "Reproduce the paper on two tiers (KEASY, REASY, MEASY)", Long: simReproduceTieredHelp,
		Args: takes(),
		Example: "  aliquot sim reproduce tiered\n  aliquot sim reproduce tiered --only fig6,fig7 --out first-look\n" +
			"  aliquot sim reproduce tiered --full --only ours --jobs 5000\n" +
			"  aliquot sim reproduce tiered --full --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if err := r.named(command); err != nil {
				return err
			}
			if command.Flags().Changed("jobs") && (r.jobs < 100 || r.jobs > 1_000_000) {
				return usagef("--jobs must be from 100 to 1000000")
			}
			return a.reproduceTiered(command.Context(), r)
		}),
	}
	r.flags(c, strings.Join(words(tiered.Parts()), ", "))
	c.Flags().IntVar(&r.jobs, "jobs", 0, "jobs of each stream (default 20000 with --full, else 2000)")
	return c
}

func words[T ~string](parts []T) (names []string) {
	for _, p := range parts {
		names = append(names, string(p))
	}
	return names
}

func (a *app) reproduceTiered(ctx context.Context, r reproduction) error {
	parts, err := partsOf(r, tiered.ParseParts)
	if err != nil {
		return err
	}
	scope := tiered.Scope{Full: r.full, Parts: parts, Count: r.jobs}
	return reproduceStudy(ctx, a, r, "tiered", scope.Experiments(), experiments.TieredEntries,
		func(f []tiered.Finding) study.Report { return tiered.NewBook(scope, f).Report() })
}
