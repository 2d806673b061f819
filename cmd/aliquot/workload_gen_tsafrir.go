package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/wording"
	"aliquot/workload/gen"
	"aliquot/workload/stream"
)

const workloadGenTsafrirHelp = `Add users' estimates of run times to a stream, from the model of Tsafrir, Etsion and
Feitelson (JSSPP 2005) with its published constants. Estimates that the stream has are
replaced; all else stays. With --tiers, cpu, eff, loss and mem are drawn, too, as by
aliquot workload gen feitelson --tiers.

Users round: 20 popular estimates, such as 5 minutes, an hour or the maximum, cover 89% of
the jobs, and the maximum alone 22%. No estimate is shorter than the run time. Run times
above the maximum are cut to it, and standard error says how many. A stream whose jobs run
too long for the model is refused, and so is one with deadlines: a job reserves its
estimate, and a longer one may not fit before its deadline.

The same seed gives the same estimates. STREAM may be a log in the Standard Workload
Format, and - is standard input.`

const workloadGenTsafrirExample = `  aliquot workload gen tsafrir trace.csv > estimated.csv
  aliquot workload gen tsafrir --max 36h --seed 2 --out estimated.csv.gz trace.csv
  aliquot workload gen lublin --jobs 5000 | aliquot workload gen tsafrir --max 48h - > estimated.csv`

// longestMaximum limits the maximum of estimates.
const longestMaximum = 10_000 * time.Hour

func (a *app) workloadGenTsafrirCommand() *cobra.Command {
	var seed uint64
	var maximum time.Duration
	var tiers bool
	var rules logRules
	var out outFlags
	c := &cobra.Command{
		Use: "tsafrir STREAM", Short: "Add users' estimates of run times to a stream", Long: workloadGenTsafrirHelp,
		Example: workloadGenTsafrirExample, Args: takes("STREAM"),
		RunE: a.local(func(c *cobra.Command, args []string) error {
			least := time.Duration(gen.LeastMaximum) * time.Microsecond
			if maximum < least || maximum > longestMaximum || maximum%time.Second != 0 {
				return usagef("--max must be whole seconds from %v to %v", least, longestMaximum)
			}
			s, err := a.readStream(c.Context(), args[0], &rules)
			if err != nil {
				return err
			}
			a.explain(s)
			dice := gen.NewDice(seed, 0)
			if tiers {
				s.Jobs = gen.TwoTiers(dice, s.Jobs)
			}
			return a.estimate(c.Context(), s, dice, maximum, out)
		}),
	}
	f := c.Flags()
	f.Uint64Var(&seed, "seed", 1, "seed of the draws")
	f.DurationVar(&maximum, "max", 18*time.Hour, "greatest estimate")
	tiersFlag(f, &tiers)
	rules.flags(f)
	out.flags(f)
	return c
}

// estimate draws the estimates of the stream and writes it.
func (a *app) estimate(
	ctx context.Context, s *stream.Stream, dice gen.Dice, maximum time.Duration, out outFlags,
) error {
	sink, err := a.sink(out, []string{stream.Stem(s.Path)})
	if err != nil {
		return err
	}
	jobs, cut, err := gen.Estimates(dice, s.Jobs, cluster.Time(maximum.Microseconds()))
	if err != nil {
		return usage{fmt.Errorf("%s: %w", s.Path, err)}
	}
	if cut > 0 {
		fmt.Fprintf(a.err, "%s: %s ran longer than %v: cut\n", s.Path, wording.Count(cut, "job"), maximum)
	}
	if err := sink.Write(ctx, jobs); err != nil {
		return err
	}
	return a.written(sink)
}
