package main

import (
	"github.com/spf13/cobra"

	"aliquot/workload"
	"aliquot/workload/gen"
)

const workloadGenFeitelsonHelp = `Draw streams of jobs from a surrogate of the model of Feitelson (JSSPP 1996): small jobs
and powers of two, run times that vary more than exponential ones and grow with the size,
jobs that run several times, Poisson arrivals.

A surrogate: the published constants are not at hand. Ours keep the structure and are
solved for the moments that Liu et al. (2012) state for 320 nodes: 23.4 tasks and 2606.6 s
per job, and 16.5% with one task. Run times are at most 18 h. A task needs a whole node's
CPU and 10% of its memory.

` + aboutStreams

const workloadGenJannHelp = `Draw streams of jobs from a surrogate of the model of Jann et al. (JSSPP 1997) of the
Cornell Theory Center's SP2: classes of sizes between powers of two, long run times,
bursts of submissions.

A surrogate: the published constants are not at hand. Ours are solved for the moments that
Liu et al. (2012) state for 320 nodes: 10.5 tasks and 11267 s per job, and 40.8% with one
task. All classes share one distribution of run times and one of gaps; those of the model
are its own per class. Run times are at most 18 h. A task needs a whole node's CPU and 10%
of its memory.

` + aboutStreams

func (a *app) workloadGenFeitelsonCommand() *cobra.Command {
	return a.surrogateCommand(gen.Feitelson, "Draw streams like those of Feitelson's model", workloadGenFeitelsonHelp)
}

func (a *app) workloadGenJannCommand() *cobra.Command {
	return a.surrogateCommand(gen.Jann, "Draw streams like those of the model of Jann et al.", workloadGenJannHelp)
}

func (a *app) surrogateCommand(model gen.Surrogate, short, long string) *cobra.Command {
	var d drawFlags
	command := "  aliquot workload gen " + model.Name
	c := &cobra.Command{
		Use: model.Name, Short: short, Long: long, Args: takes(),
		Example: command + " --seed 1 > trace.csv\n" +
			command + " --seed 1 --jobs 20000 --load 0.4,0.6,0.8 --out traces/\n" +
			command + " --jobs 5000 --tiers | aliquot workload gen tsafrir - > tiers.csv",
		RunE: a.local(func(c *cobra.Command, _ []string) error {
			return a.drawStreams(c.Context(), model.Name, d, func(dice gen.Dice) []workload.Job {
				return model.Draw(dice, d.nodes, d.jobs)
			})
		}),
	}
	d.flags(c.Flags(), 320)
	return c
}
