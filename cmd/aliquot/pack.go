package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/packing/study/bound"
	"aliquot/packing/study/document"
	"aliquot/packing/study/portfolio"
	"aliquot/packing/study/solution"
)

const packHelp = `Map tasks to nodes so that the worst-off task gets the largest possible part of its CPU
need (its yield), and bound the distance from the best answer.

FILE is CSV or JSON; - is standard input. CSV has the header id,count,cpu,mem and one line
per group of identical tasks: their number, and the CPU need and memory of each
as fractions of a unit node; --nodes is the number of nodes. JSON is for everything
else: different nodes and more dimensions; docs/formats/packing.md describes it.

Nothing is dropped: if the method cannot place all tasks, however little CPU they get, the answer is
feasible: false with a yield of 0 and exit code 3. Only items of a JSON file that name priorities
are dropped, the lowest first.

At a time limit or the first Ctrl-C the best answer so far is printed, marked as cut
short. If that happens while reading, or before any task is placed, it is unknown whether all
tasks fit, and the exit code is 4. The second Ctrl-C kills the program.

Methods: mcb8, the scheduler's; portfolio, many published heuristics and local search,
slower and better; or one of them, like FF/max, BF/sum, PP1/lex, CP2/max: first fit, best fit,
permutation pack and choose pack with a window, by order of tasks (max, sum, ratio, difference, lex,
rigid-lex) and, optionally, of nodes (/smallest, /largest).

yield is the worst-off task's in the mapping, bound its limit for any mapping, gap the largest
possible shortfall as a part of the bound, and seconds the time of packing without reading.`

const packExample = `  aliquot pack --nodes 128 tasks.csv
  aliquot pack --method mcb8 --json cluster.json
  aliquot pack --nodes 10000 --time-limit 5s --mapping - < tasks.csv`

// packFlags are the flags of pack.
type packFlags struct {
	nodes    int
	method   string
	accuracy float64
	limit    time.Duration
	mapping  bool
	picture  string
}

func (a *app) packCommand() *cobra.Command {
	f := packFlags{}
	c := &cobra.Command{
		Use: "pack FILE", Short: "Map tasks to nodes and bound the best yield", Long: packHelp, Example: packExample,
		Args: takes("FILE"),
		RunE: a.local(func(c *cobra.Command, args []string) error {
			started := time.Now()
			return a.pack(c.Context(), f, c.Flags().Changed("nodes"), args[0], started)
		}),
	}
	flags := c.Flags()
	flags.IntVar(&f.nodes, "nodes", 128, "number of unit nodes; not with a file that lists nodes")
	flags.StringVar(&f.method, "method", "portfolio", "mcb8, portfolio, or the name of one heuristic")
	flags.Float64Var(&f.accuracy, "accuracy", 0,
		"width to which the yield is searched (default 0.01 for mcb8, 0.001 for others)")
	flags.DurationVar(&f.limit, "time-limit", 0,
		"stop with the best answer after this time, reading included, like 500ms or 10s; 0: none")
	flags.BoolVar(&f.mapping, "mapping", false, "print the nodes of the tasks")
	flags.StringVar(&f.picture, "picture", "", "draw the nodes and their tasks, as an SVG file")
	flags.Bool("json", false, "the same as -o json")
	return c
}

func (f *packFlags) check() error {
	switch {
	case f.nodes < 1 || f.nodes > document.MostNodes:
		return usagef("--nodes must be from 1 to %d", document.MostNodes)
	case f.accuracy != 0 && !(f.accuracy >= 1e-6 && f.accuracy <= 0.5):
		return usagef("--accuracy must be from 0.000001 to 0.5")
	case f.limit < 0:
		return usagef("--time-limit must not be negative")
	}
	if strings.EqualFold(f.method, "mcb8") || strings.EqualFold(f.method, "portfolio") {
		return nil
	}
	if _, err := portfolio.Parse(f.method); err != nil {
		return usage{fmt.Errorf("%w; or mcb8, or portfolio", err)}
	}
	return nil
}

// width returns the accuracy, given or default.
func (f *packFlags) width() float64 {
	switch {
	case f.accuracy > 0:
		return f.accuracy
	case strings.EqualFold(f.method, "mcb8"):
		return 0.01
	}
	return 0.001
}

func (a *app) pack(ctx context.Context, f packFlags, nodes bool, path string, started time.Time) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := a.drawable(f.picture, path); err != nil {
		return usage{err}
	}
	limit := packLimit{}
	if f.limit > 0 {
		limit.until = started.Add(f.limit)
	}
	in, err := a.instance(ctx, path, f, &limit)
	switch {
	case errors.Is(err, document.ErrSpent):
		return a.spent(ctx, f)
	case err != nil:
		return err
	case in.Listed && nodes:
		return usagef("--nodes is for files without nodes, and %s lists %d", path, len(in.Problem.Nodes))
	case !in.Listed:
		in.AddUnits(f.nodes)
	}
	if err := in.Problem.Validate(); err != nil {
		return usage{fmt.Errorf("%s: %w", path, err)}
	}
	found := f.options(limit.stop(ctx)).Solve(in)
	answer := newPacked(in, f, found)
	if err := a.show(answer, answer.text); err != nil {
		return err
	}
	if f.picture != "" && answer.Feasible != nil {
		if err := file.Write(f.picture, text(found.Picture(in))); err != nil {
			return err
		}
	}
	switch {
	case answer.Feasible == nil:
		return exitCode{exitLate, errors.New("there was no time to find out whether the tasks fit")}
	case !*answer.Feasible:
		return exitCode{exitInfeasible, errors.New("the tasks do not fit")}
	}
	return nil
}

// options returns the search options of the flags.
func (f *packFlags) options(stop func() bool) solution.Options {
	begun := time.Now()
	clock := func() time.Duration { return time.Since(begun) }
	return solution.Options{Method: f.method, Accuracy: f.width(), Stop: stop, Clock: clock}
}

// drawable checks before the search that the picture, if any, would not replace the input.
func (a *app) drawable(picture, input string) error {
	switch {
	case picture == "":
		return nil
	case a.reads(input, picture):
		return fmt.Errorf("the picture would replace %s, which is the input: name another file", picture)
	}
	return file.Writable(picture)
}

// reads reports whether an input, where - is standard input, is the given file.
func (a *app) reads(input, path string) bool {
	file, err := os.Stat(path)
	if err != nil || !file.Mode().IsRegular() {
		return false
	}
	from, err := os.Stat(input)
	if in, ok := a.in.(*os.File); ok && input == "-" {
		from, err = in.Stat()
	}
	return err == nil && os.SameFile(from, file)
}

// instance reads a file within the limit, and lowers the limit by the time reserved for the answer.
func (a *app) instance(ctx context.Context, path string, f packFlags, limit *packLimit) (*document.Instance, error) {
	text, err := a.readBy(ctx, path, *limit)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	in, err := document.Read(path, text, limit.stop(ctx))
	if err != nil && !errors.Is(err, document.ErrSpent) {
		return nil, usage{err}
	}
	limit.reserve(time.Since(begun), f)
	return in, err
}

// spent prints an unknown answer after time ran out, or the user interrupted, while reading.
func (a *app) spent(ctx context.Context, f packFlags) error {
	p := packed{Bound: 1, Gap: 1, LP: 1, Argument: string(bound.Full), Method: f.method, Accuracy: f.width(), Cut: true,
		Dropped: []string{}}
	if err := a.show(p, p.text); err != nil {
		return err
	}
	why := document.ErrSpent
	if ctx.Err() != nil {
		why = stop.Err
	}
	fmt.Fprintf(a.err, "aliquot: %v\n", why)
	return exitCode{exitLate, why}
}

// readBy reads a file, unless the limit or the user ends it.
func (a *app) readBy(ctx context.Context, path string, limit packLimit) ([]byte, error) {
	if !limit.until.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, limit.until)
		defer cancel()
	}
	text, err := stop.Unless(ctx, func() ([]byte, error) { return a.readAll(path) })
	if errors.Is(err, stop.Err) {
		return nil, document.ErrSpent
	}
	return text, err
}

// readAll reads a file; - is standard input.
func (a *app) readAll(path string) ([]byte, error) {
	if path == "-" {
		text, err := io.ReadAll(a.in)
		if err != nil {
			return nil, fmt.Errorf("read standard input: %w", err)
		}
		return text, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usage{err}
	}
	return text, nil
}
