package main

import (
	"github.com/spf13/cobra"

	"aliquot/workload/stream"
)

const workloadPrepareHelp = `Make streams from a log in the Standard Workload Format, such as those of the Parallel
Workloads Archive. The rules define the meaning of its processors and memory on the nodes of a
simulation:

  hpc2n    section 5.3.1 of the DFRS report, for the log of that name: nodes of two cores
           and 2 GB. Memory per processor is the larger of requested and used, at least
           10%; an even number of processors below 50% each becomes half as many tasks
           that need both cores, any other number a task per processor.
  generic  a task per processor, which needs its part of a node of --cores; memory as
           above, of --node-memory.

Records that never became work are skipped and others repaired; both are counted.`

func (a *app) workloadPrepareCommand() *cobra.Command {
	var rules logRules
	var every string
	var out outFlags
	c := &cobra.Command{
		Use: "prepare LOG", Short: "Make streams from a log of a real machine", Long: workloadPrepareHelp, Args: takes("LOG"),
		Example: "  aliquot workload prepare --rules hpc2n --split week --out weeks/ HPC2N.swf.gz\n  aliquot workload prepare --cores 8 --node-memory 16Gi --out stream.csv log.swf.gz",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			s, err := a.readStream(ctx, args[0], &rules)
			if err != nil {
				return err
			}
			if s.Tally == nil {
				return usagef("%s is a stream already, not a log", args[0])
			}
			a.explain(s)
			if every != "" {
				length, name, err := parseLength(every)
				if err != nil {
					return err
				}
				return a.split(ctx, s, length, name, out)
			}
			sink, err := a.sink(out, []string{stream.Stem(args[0])})
			if err != nil {
				return err
			}
			if err := sink.Write(ctx, s.Jobs); err != nil {
				return err
			}
			return a.written(sink)
		}),
	}
	rules.flags(c.Flags())
	c.Flags().StringVar(&every, "split", "", "cut into segments: hour, day, week or a duration like 36h")
	out.flags(c.Flags())
	return c
}
