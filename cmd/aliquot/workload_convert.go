package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/prepare"
	"aliquot/workload/stream"
)

const workloadConvertHelp = `Convert a stream of jobs: a log in the Standard Workload Format into a stream by --rules,
a stream into a log, or either into its own format again, such as from gzip to plain text.
A log counts whole processors of nodes with --cores, and memory if --node-memory is
given; parts of a stream that it cannot hold are listed. Read it again by the same rules.

The format of FROM follows from its content; that of TO from its name (.swf is a log) or from
--to. Without TO the result goes to standard output. A log that becomes a log keeps its
header and all its records. --round makes needs and memory multiples of a fraction of a
node, at least one of them: the DFRS report counted in whole percents, --round 0.01.`

const workloadConvertExample = `  aliquot workload convert --rules hpc2n HPC2N.swf.gz hpc2n.csv
  aliquot workload convert --rules generic --cores 4 --node-memory 8Gi log.swf.gz stream.csv.gz
  aliquot workload convert --round 0.01 stream.csv percents.csv
  aliquot workload convert --cores 4 --node-memory 8Gi stream.csv log.swf`

type convertFlags struct {
	rules logRules
	to    string
	round float64
	force bool
}

func (a *app) workloadConvertCommand() *cobra.Command {
	var f convertFlags
	c := &cobra.Command{
		Use: "convert FROM [TO]", Short: "Convert between streams and logs", Long: workloadConvertHelp,
		Example: workloadConvertExample,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return takes("FROM")(c, args)
			}
			return takes("FROM", "TO")(c, args)
		},
		RunE: a.local(func(c *cobra.Command, args []string) error {
			return a.convert(c.Context(), f, args[0], append(args, "")[1])
		}),
	}
	flags := c.Flags()
	f.rules.flags(flags)
	flags.StringVar(&f.to, "to", "", "format: stream or log (default: by the name of TO, else stream)")
	flags.Float64Var(&f.round, "round", 0, "make needs and memory multiples of this fraction of a node")
	flags.BoolVar(&f.force, "force", false, "replace an existing file")
	return c
}

func (a *app) convert(ctx context.Context, f convertFlags, from, to string) error {
	switch {
	case f.to == "" && stream.EndsIn(to, ".swf", ".swf.gz"):
		f.to = "log"
	case f.to == "":
		f.to = "stream"
	case f.to != "stream" && f.to != "log":
		return usagef("--to must be stream or log, not %q", f.to)
	}
	if f.round != 0 && !(f.round >= 0.00001 && f.round <= 1) {
		return usagef("--round must be from 0.00001 to 1")
	}
	if to != "" {
		if err := vacant(f.force, to); err != nil {
			return err
		}
	}
	text, in, err := a.openText(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	write, err := a.converted(f, text)
	if err != nil {
		return err
	}
	stoppably := func(w io.Writer) error { return write(stop.Writer{Context: ctx, To: w}) }
	if to == "" {
		return stoppably(a.out)
	}
	return file.Write(to, stoppably)
}

// converted returns the function that writes the converted stream or log.
func (a *app) converted(f convertFlags, text *stream.Text) (func(io.Writer) error, error) {
	if text.IsLog && f.to == "log" {
		if f.round != 0 {
			return nil, usagef("--round is for streams: a log that becomes a log is copied unchanged")
		}
		return func(w io.Writer) error { return copyText(w, text) }, nil
	}
	s, err := text.Stream(f.rules.Rules)
	if err != nil {
		return nil, usage{err}
	}
	a.explain(s)
	if f.round != 0 {
		s.Jobs = workload.Round(s.Jobs, f.round)
	}
	if f.to == "stream" {
		return func(w io.Writer) error { return workload.Write(w, s.Jobs) }, nil
	}
	rules, err := f.rules.For(nil)
	if err != nil {
		return nil, usage{err}
	}
	a.lament(s, rules)
	return func(w io.Writer) error { return s.WriteLog(w, "aliquot "+version, rules.Node) }, nil
}

// lament prints the parts of a stream that a log cannot hold, on standard error.
func (a *app) lament(s *stream.Stream, rules prepare.Rules) {
	losses := prepare.Losses(s.Jobs, rules)
	for _, n := range losses {
		fmt.Fprintf(a.err, "%s: lost of %s: %s (jobs %s)\n", s.Path, wording.Count(n.Count, "job"), n.What,
			wording.Few(n.First, n.Count))
	}
	if len(losses) > 0 {
		fmt.Fprintln(a.err,
			"A log counts processors and KB: --rules, --cores and --node-memory define a node's size and its tasks.")
	}
}

// copyText copies a log. An unreadable log is wrong usage.
func copyText(w io.Writer, text *stream.Text) error {
	err := text.CopyLog(w)
	if unreadable := (stream.Unreadable{}); errors.As(err, &unreadable) {
		return usage{err}
	}
	return err
}
