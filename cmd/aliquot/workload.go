package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/workload/stream"
)

const workloadHelp = `Make, convert and look at streams of jobs for simulations. No manager is asked.

A stream is a CSV file with the header id,submit,tasks,cpu,mem,runtime: times in seconds,
cpu and mem as fractions of a node per task; further columns are estimate, user and
priority. Where these commands read a stream, a log in the Standard Workload Format will do
too: the rules say what its processors and memory mean. Both may be gzip; - is standard
input. Simulations (aliquot sim) take streams only: aliquot workload prepare makes them.`

func (a *app) workloadCommand() *cobra.Command {
	return group("workload", "Make, convert and look at streams of jobs", workloadHelp,
		a.workloadGenCommand(), a.workloadPrepareCommand(), a.workloadConvertCommand(),
		a.workloadSplitCommand(), a.workloadScaleCommand(), a.workloadStatCommand())
}

// logRules are the flags that say what the records of a log mean.
type logRules struct{ stream.Rules }

func (l *logRules) flags(f *pflag.FlagSet) {
	f.StringVar(&l.Name, "rules", "generic", "what a log's records mean: generic, or hpc2n as in the DFRS report")
	f.Int64Var(&l.Cores, "cores", 0, "generic: processors of a node (default: what the log says, or 1)")
	f.StringVar(&l.NodeMemory, "node-memory", "", "generic: memory of a node, like 2Gi (default: jobs take 10% of a node)")
}

// openText opens a stream or a log. The caller closes what it was read from.
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

// explain says on standard error what was repaired, skipped or ignored.
func (a *app) explain(s *stream.Stream) {
	for _, note := range s.Notes {
		fmt.Fprintf(a.err, "%s: %s\n", s.Path, note)
	}
}
