package main

import (
	"github.com/spf13/cobra"

	"aliquot/workload/stream"
)

const workloadScaleHelp = `Scale a stream to an offered load by multiplying its inter-arrival times, and nothing
else. The load is the sum over the jobs of tasks times run time, over the nodes times the
time from the first to the last submission. Several loads make several files.`

func (a *app) workloadScaleCommand() *cobra.Command {
	var rules logRules
	var loads []float64
	var nodes int
	var out outFlags
	c := &cobra.Command{
		Use: "scale STREAM", Short: "Scale a stream to an offered load", Long: workloadScaleHelp, Args: takes("STREAM"),
		Example: "  aliquot workload scale --load 0.7 --nodes 128 trace.csv > busy.csv\n  aliquot workload scale --load 0.1,0.5,0.9 --nodes 128 --out scaled/ trace.csv",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			if len(loads) == 0 || nodes < 1 {
				return usagef("--load is missing, or --nodes is not at least 1")
			}
			if err := checkLoads(loads); err != nil {
				return err
			}
			s, err := a.readStream(ctx, args[0], &rules)
			if err != nil {
				return err
			}
			a.explain(s)
			sink, err := a.sink(out, stream.LoadNames(stream.Stem(args[0]), loads))
			if err != nil {
				return err
			}
			if err := scaled(ctx, sink, s.Jobs, nodes, loads); err != nil {
				return err
			}
			return a.written(sink)
		}),
	}
	rules.flags(c.Flags())
	c.Flags().Float64SliceVar(&loads, "load", nil, "offered `loads` to scale to, like 0.7 or 0.1,0.5")
	c.Flags().Lookup("load").DefValue = "" // not []
	c.Flags().IntVar(&nodes, "nodes", 128, "nodes that the load is for")
	out.flags(c.Flags())
	return c
}
