package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"aliquot/workload"
	"aliquot/workload/gen"
)

const workloadGenLublinHelp = `Draw streams of jobs from the model of Lublin and Feitelson (JPDC 63(11), 2003) with its
published parameters: a daily cycle of arrivals, two-stage uniform sizes with many powers
of two, hyper-gamma run times. Needs and memory are those of the DFRS report: a job of one
task needs 25% of a node's CPU, tasks of others 100%; memory is 10% for 55% of the jobs,
and 20%, 30%, …, 100% for the rest.

Batch and interactive jobs come side by side unless --kinds says otherwise; "all" are the
parameters fitted to all jobs as one.

` + aboutStreams

const workloadGenLublinExample = `  aliquot workload gen lublin --seed 1 > trace.csv
  aliquot workload gen lublin --seed 1 --jobs 5000 --nodes 64 --load 0.7 --out trace.csv.gz
  aliquot workload gen lublin --seed 1 --count 100 --out traces/
  aliquot workload gen lublin --seed 1 --count 100 --load 0.1,0.5,0.9 --out traces/`

func (a *app) workloadGenLublinCommand() *cobra.Command {
	var d drawFlags
	var list string
	c := &cobra.Command{
		Use: "lublin", Short: "Draw streams from the model of Lublin and Feitelson", Long: workloadGenLublinHelp,
		Example: workloadGenLublinExample, Args: takes(),
		RunE: a.local(func(c *cobra.Command, _ []string) error {
			kinds, err := gen.ParseKinds(list)
			if err != nil {
				return usage{fmt.Errorf("--kinds: %w", err)}
			}
			return a.drawStreams(c.Context(), "lublin", d, func(dice gen.Dice) []workload.Job {
				return gen.Augment(dice, gen.Lublin(dice, d.nodes, d.jobs, kinds...))
			})
		}),
	}
	d.flags(c.Flags(), 128)
	c.Flags().StringVar(&list, "kinds", "batch,interactive", "kinds of jobs: batch, interactive, all")
	return c
}
