package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/cluster"
	"aliquot/internal/wording"
	"aliquot/workload"
	"aliquot/workload/prepare"
	"aliquot/workload/swf"
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
type logRules struct {
	name       string
	cores      int64
	nodeMemory string
}

func (l *logRules) flags(f *pflag.FlagSet) {
	f.StringVar(&l.name, "rules", "generic", "what a log's records mean: generic, or hpc2n as in the DFRS report")
	f.Int64Var(&l.cores, "cores", 0, "generic: processors of a node (default: what the log says, or 1)")
	f.StringVar(&l.nodeMemory, "node-memory", "", "generic: memory of a node, like 2Gi (default: jobs take 10% of a node)")
}

// rules are those that the flags ask for, with a log's header where the flags are silent.
func (l *logRules) rules(h swf.Header) (prepare.Rules, error) {
	switch {
	case l.name == "hpc2n" && (l.cores != 0 || l.nodeMemory != ""):
		return prepare.Rules{}, usagef("the rules hpc2n know the node: --cores and --node-memory go with --rules generic")
	case l.name == "hpc2n":
		return prepare.HPC2N(), nil
	case l.name != "generic":
		return prepare.Rules{}, usagef("there are no rules %q: use generic or hpc2n", l.name)
	case l.cores < 0:
		return prepare.Rules{}, usagef("--cores must be at least 1")
	}
	var memory cluster.Bytes
	if l.nodeMemory != "" {
		var err error
		if memory, err = cluster.ParseBytes(l.nodeMemory); err != nil || memory < 1024 {
			return prepare.Rules{}, usagef("--node-memory: %q is not an amount of memory like 2Gi", l.nodeMemory)
		}
	}
	cores := l.cores
	if processors, nodes := h.Number("MaxProcs"), h.Number("MaxNodes"); cores == 0 && nodes > 0 {
		cores = processors / nodes
	}
	return prepare.Generic(prepare.Node{Processors: max(1, cores), Memory: memory}), nil
}

// source is the plain text of a stream or a log.
type source struct {
	*bufio.Reader
	io.Closer
	path  string
	isLog bool
}

// open opens a stream or a log; which of them it is, its first character tells.
func (a *app) open(ctx context.Context, path string) (*source, error) {
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, usage{fmt.Errorf("open the stream: %w", err)}
	}
	s := &source{path: path, Closer: in}
	plain, err := workload.Gunzip(in)
	if err != nil {
		in.Close()
		return nil, blame(path, err)
	}
	s.Reader = bufio.NewReaderSize(plain, 64<<10)
	start, _ := s.Peek(1 << 10) // a stream begins with a letter of its header
	first := bytes.TrimLeftFunc(start, unicode.IsSpace)
	s.isLog = len(first) > 0 && strings.ContainsRune(";-0123456789", rune(first[0]))
	return s, nil
}

// stream is a stream of jobs as it was read, with what was done to it.
type stream struct {
	path  string
	jobs  []workload.Job
	tally *prepare.Tally // of a log
	notes []string
}

// readStream reads a stream in the native format, or a log by the rules.
func (a *app) readStream(ctx context.Context, path string, l *logRules) (*stream, error) {
	text, err := a.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return text.jobs(l)
}

func (t *source) jobs(l *logRules) (*stream, error) {
	s := &stream{path: t.path}
	read := s.readNative
	if t.isLog {
		read = func(r io.Reader) error { return s.readLog(r, l) }
	}
	if err := read(t); err != nil {
		return nil, blame(t.path, err)
	}
	return s, nil
}

// blame says that the content of a file is wrong.
func blame(path string, err error) error { return usage{fmt.Errorf("%s: %w", path, err)} }

func (s *stream) readLog(text io.Reader, l *logRules) error {
	r, err := swf.NewReader(text)
	if err != nil {
		return err
	}
	rules, err := l.rules(r.Header)
	if err != nil {
		return err
	}
	jobs, tally, err := prepare.Jobs(r, rules)
	s.jobs, s.tally = jobs, &tally
	for _, n := range tally.Notes {
		s.notes = append(s.notes, fmt.Sprintf("%v (jobs %s)", n, wording.Few(n.First, n.Count)))
	}
	if r.Negative > 0 {
		s.notes = append(s.notes, fmt.Sprintf("repaired %d: a negative value; taken as unknown", r.Negative))
	}
	return err
}

func (s *stream) readNative(text io.Reader) error {
	r, err := workload.NewReader(text)
	if err != nil {
		return err
	}
	if len(r.Ignored) > 0 {
		s.notes = append(s.notes, "ignored: the columns "+strings.Join(r.Ignored, ", "))
	}
	s.jobs, err = r.All()
	return err
}

// explain says on standard error what was repaired, skipped or ignored.
func (a *app) explain(s *stream) {
	for _, note := range s.notes {
		fmt.Fprintf(a.err, "%s: %s\n", s.path, note)
	}
}

// stem is the name of a stream without folder and endings.
func stem(path string) string {
	name := filepath.Base(path)
	if path == "-" {
		name = "stream"
	}
	for _, ending := range []string{".gz", ".csv", ".swf", ".txt"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

func endsIn(path string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(strings.ToLower(path), e) })
}
