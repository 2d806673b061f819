package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/workload"
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
			length, name, err := segmentLength(every)
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

// segmentLength reads the length of a segment and names its files.
func segmentLength(text string) (cluster.Time, string, error) {
	switch text {
	case "hour":
		return cluster.Hour, text, nil
	case "day":
		return 24 * cluster.Hour, text, nil
	case "week":
		return 7 * 24 * cluster.Hour, text, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second {
		return 0, "", usagef("%q is no length of a segment: use hour, day, week or a duration like 36h, at least 1s", text)
	}
	return cluster.Time(d.Microseconds()), "part", nil
}

func (a *app) split(ctx context.Context, s *stream, length cluster.Time, name string, out outFlags) error {
	if out.path == "" || !out.isFolder() {
		return usagef("segments need a folder: say --out DIR")
	}
	segments := workload.Split(s.jobs, length)
	if len(segments) == 0 {
		return usagef("%s has no jobs", s.path)
	}
	width := digits(segments[len(segments)-1].Number + 1)
	var names []string
	for _, g := range segments {
		names = append(names, fmt.Sprintf("%s%0*d", name, width, g.Number))
	}
	sink, err := a.sink(out, names)
	if err != nil {
		return err
	}
	shown := a.progress(0)
	defer shown.end()
	for i, g := range segments {
		shown.percent("write segments", int64(i), int64(len(segments)))
		if err := sink.stream(ctx, g.Jobs); err != nil {
			return err
		}
	}
	return sink.sum()
}
