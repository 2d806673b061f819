package main

import (
	"github.com/spf13/cobra"

	"aliquot/workload"
	"aliquot/workload/gen"
)

const workloadGenReserveHelp = `Draw streams of jobs that reserve nodes in advance, with the parameters of Li et al.,
"Resource Availability-Aware Advance Reservation for Parallel Jobs with Deadlines".

Sizes are powers of two from 32 tasks, or the whole machine; --umed is the bend of their
distribution, in log2 of tasks: more than 2^umed tasks are rare. Run times are 1, 5, 15, 30, 60 or 180
minutes. --arrival divides the submissions. A job is ready up to --ahead run times after its
submission, and has up to --slack run times between ready time and deadline beside its own.

Arrivals and run times come from the model of Lublin and Feitelson fitted to all jobs,
because the paper's text lacks its constants. A task needs a whole node's CPU and 10% of its
memory.

` + aboutStreams

func (a *app) workloadGenReserveCommand() *cobra.Command {
	var d drawFlags
	p := gen.UsualReserve
	c := &cobra.Command{
		Use: "reserve", Short: "Draw streams of advance reservations", Long: workloadGenReserveHelp, Args: takes(),
		Example: "  aliquot workload gen reserve --seed 1 > reservations.csv\n" +
			"  aliquot workload gen reserve --jobs 10000 --umed 9 --arrival 1.5 --ahead 5 --slack 5 --out r.csv.gz\n" +
			"  aliquot workload gen reserve | aliquot sim run --nodes 1024 --policy reserve/PE_W -",
		RunE: a.local(func(c *cobra.Command, _ []string) error {
			switch {
			case !(p.UMed >= 5 && p.UMed <= 14):
				return usagef("--umed must be from 5 to 14")
			case !(p.Arrival >= 0.001 && p.Arrival <= 1000):
				return usagef("--arrival must be from 0.001 to 1000")
			case !(p.Ahead >= 0 && p.Ahead <= 1000 && p.Deadline >= 0 && p.Deadline <= 1000):
				return usagef("--ahead and --slack must be from 0 to 1000")
			}
			return a.drawStreams(c.Context(), "reserve", d, func(dice gen.Dice) []workload.Job {
				return p.Draw(dice, d.nodes, d.jobs)
			})
		}),
	}
	d.flags(c.Flags(), 1024)
	c.Flags().Float64Var(&p.UMed, "umed", p.UMed, "bend of the distribution of sizes, in log2 of tasks (UMed)")
	c.Flags().Float64Var(&p.Arrival, "arrival", p.Arrival, "arrival factor")
	c.Flags().Float64Var(&p.Ahead, "ahead", p.Ahead, "artime factor, in run times")
	c.Flags().Float64Var(&p.Deadline, "slack", p.Deadline, "deadline factor, in run times")
	return c
}
