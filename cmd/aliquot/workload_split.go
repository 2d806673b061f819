package main

import (
	"context"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/workload"
	"aliquot/workload/stream"
)

const workloadSplitHelp = `Cut a stream into segments of one length by the time of submission, counted from the
stream's zero. Times restart with the segment; segments without jobs make no file. The
files are named after the length and numbered by segment, such as week000.csv.`

func (a *app) workloadSplitCommand() *cobra.Command {
	var rules logRules
	var every string
	var out outFlags
	c := &cobra.Command{
		Use: "split STREAM", Short: "Cut a stream into segments", Long: workloadSplitHelp, Args: takes("STREAM"),
		Example: "  aliquot workload split --every week --out weeks/ stream.csv.gz\n  aliquot workload split --every 36h --out parts/ --rules hpc2n HPC2N.swf.gz",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			ctx := c.Context()
			length, name, err := parseLength(every)
			if err != nil {
				return err
			}
			s, err := a.readStream(ctx, args[0], &rules)
			if err != nil {
				return err
			}
			a.explain(s)
			return a.split(ctx, s, length, name, out)
		}),
	}
	rules.flags(c.Flags())
	c.Flags().StringVar(&every, "every", "week", "length of a segment: hour, day, week or a duration like 36h")
	out.flags(c.Flags())
	return c
}

// parseLength parses the length of a segment and returns the prefix of its files.
func parseLength(text string) (cluster.Time, string, error) {
	length, name, err := stream.ParseLength(text)
	if err != nil {
		return 0, "", usage{err}
	}
	return length, name, nil
}

func (a *app) split(ctx context.Context, s *stream.Stream, length cluster.Time, name string, out outFlags) error {
	if out.Path == "" || !out.IsFolder() {
		return usagef("segments need a folder: give --out DIR")
	}
	segments := workload.Split(s.Jobs, length)
	if len(segments) == 0 {
		return usagef("%s has no jobs", s.Path)
	}
	sink, err := a.sink(out, stream.SegmentNames(name, segments))
	if err != nil {
		return err
	}
	shown := a.progress(0)
	defer shown.End()
	for i, g := range segments {
		shown.Percent("write segments", int64(i), int64(len(segments)))
		if err := sink.Write(ctx, g.Jobs); err != nil {
			return err
		}
	}
	return a.written(sink)
}
