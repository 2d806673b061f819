package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/workload/stream"
)

const workloadHelp = `Make, convert and summarise streams of jobs for simulations. No manager is needed.

A stream is a CSV file with the header id,submit,tasks,cpu,mem,runtime: times in seconds,
cpu and mem as fractions of a node per task; further columns are estimate, user,
priority, on_loss, class, bgrate, eff and loss. Where these commands read a stream, a log in
the Standard Workload Format is accepted, too: the rules define its processors and memory.
Both may be gzip; - is standard input. Simulations (aliquot sim) accept only streams;
aliquot workload prepare makes them.`

func (a *app) workloadCommand() *cobra.Command {
	return group("workload", "Make, convert and summarise streams of jobs", workloadHelp,
		a.workloadGenCommand(), a.workloadPrepareCommand(), a.workloadConvertCommand(),
		a.workloadSplitCommand(), a.workloadScaleCommand(), a.workloadStatCommand())
}

// logRules are the flags with the meaning of a log's records.
type logRules struct{ stream.Rules }

func (l *logRules) flags(f *pflag.FlagSet) {
	f.StringVar(&l.Name, "rules", "generic", "meaning of a log's records: generic, or hpc2n as in the DFRS report")
	f.Int64Var(&l.Cores, "cores", 0, "generic: processors of a node (default: the log's own value, or 1)")
	f.StringVar(&l.NodeMemory, "node-memory", "", "generic: memory of a node, like 2Gi (default: jobs take 10% of a node)")
}

// openText opens a stream or a log. The caller closes its source.
func (a *app) openText(ctx context.Context, path string) (*stream.Text, io.Closer, error) {
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, nil, usage{fmt.Errorf("open the stream: %w", err)}
	}
	text, err := stream.Open(path, in)
	if err != nil {
		in.Close()
		return nil, nil, usage{err}
	}
	return text, in, nil
}

// readStream reads a stream in the native format, or a log by the rules.
func (a *app) readStream(ctx context.Context, path string, l *logRules) (*stream.Stream, error) {
	text, in, err := a.openText(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, err := text.Stream(l.Rules)
	if err != nil {
		return nil, usage{err}
	}
	return s, nil
}

// explain prints repairs, skips and ignored parts on standard error.
func (a *app) explain(s *stream.Stream) {
	for _, note := range s.Notes {
		fmt.Fprintf(a.err, "%s: %s\n", s.Path, note)
	}
}
