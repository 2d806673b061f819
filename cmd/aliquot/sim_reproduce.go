package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/internal/wording"
	"aliquot/sim"
	"aliquot/sim/reproduce"
	"aliquot/sim/sweep"
)

const simReproduceHelp = `Reproduce the tables and figures of the DFRS report (INRIA RR-7659) and show its
numbers beside ours: Tables 2 to 5, Figures 1, 3 and 4, the times of section 6.2, and
Appendix B.

Without --full a fixed sample runs in minutes: every thirteenth week of the log, every
fifth synthetic trace, every twentieth of them at nine levels of load. With it everything
runs, all weeks and the unsplit log, 100 synthetic traces and 900 scaled ones; how long
that will take is said first, but for the few runs of the unsplit log. An interrupted
reproduction goes on where it was. An experiment that fails stops no other and counts as
not run.

The real-world part needs the HPC2N log of the Parallel Workloads Archive, --trace
HPC2N-2002-2.2-cln.swf.gz (https://www.cs.huji.ac.il/labs/parallel/workload/). Without it
only the synthetic parts run.

Written to the folder --out: report.html, cells.csv (every number), worst.csv (the worst
traces, explained), points.csv and figures/*.svg, and results.jsonl, which keeps what has
been run; aliquot sim compare reads it.`

// reproduction is what the user asked to be reproduced.
type reproduction struct {
	full       bool
	only       []string
	trace, out string
	workers    int
}

func (a *app) simReproduceCommand() *cobra.Command {
	var r reproduction
	dfrs := &cobra.Command{
		Use: "dfrs", Short: "Reproduce the DFRS report (INRIA RR-7659)", Long: simReproduceHelp, Args: takes(),
		Example: "  aliquot sim reproduce dfrs --trace HPC2N-2002-2.2-cln.swf.gz\n  aliquot sim reproduce dfrs --only table2,fig3 --out first-look\n" +
			"  aliquot sim reproduce dfrs --full --trace HPC2N-2002-2.2-cln.swf.gz --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if command.Flags().Changed("only") && len(r.only) == 0 {
				return usagef("--only names no part: leave it out for all of them")
			}
			return a.reproduce(command.Context(), r)
		}),
	}
	flags := dfrs.Flags()
	flags.BoolVar(&r.full, "full", false, "run everything, not only a sample")
	flags.StringSliceVar(&r.only, "only", nil, "parts, separated by commas: table2, table3, table4, table5, fig1, fig3, fig4, times, appendixb")
	flags.StringVar(&r.trace, "trace", "", "the HPC2N log, in the Standard Workload Format")
	flags.StringVar(&r.out, "out", "reproduction", "folder for the report and what has been run")
	workersFlag(dfrs, &r.workers)
	return group("reproduce", "Reproduce published results", "Reproduce published results and set them beside ours.", dfrs)
}

func (a *app) reproduce(ctx context.Context, r reproduction) error {
	parts, err := reproduce.ParseParts(r.only)
	switch {
	case err != nil:
		return usage{fmt.Errorf("--only: %w", err)}
	case r.workers < 1 || r.workers > 1024:
		return usagef("--workers must be from 1 to 1024")
	}
	shelf := shelf{}
	if r.trace != "" {
		if err := shelf.read(ctx, a, r.trace); err != nil {
			return err
		}
	}
	scope := reproduce.Scope{Full: r.full, Weeks: shelf.numbers(), Parts: parts}
	experiments := scope.Experiments()
	switch {
	case len(experiments) == 0 && r.trace == "":
		return usagef("what --only names needs the HPC2N log: give it with --trace")
	case len(experiments) == 0:
		return usagef("the sample of the log begins with its seventh week, but %s has jobs in %s only: give --full", r.trace, wording.Count(len(shelf.weeks), "week"))
	}
	jobs, err := unlessStopped(ctx, func() ([]job, error) { return shelf.trials(experiments) })
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return usage{fmt.Errorf("make the folder of the report: %w", err)}
	}
	results, err := openResults(filepath.Join(r.out, "results.jsonl"))
	if err != nil {
		return err
	}
	defer results.close()
	defer a.pileUp(most(jobs))()
	c := &crew{results: results, workers: r.workers, bound: true, timed: true, tally: tally{progress: a.progress(30 * time.Second), workers: r.workers}}
	if err := c.foretellAndRun(ctx, jobs, a.err); err != nil {
		return interrupted(err, results.path)
	}
	if err := results.tidy(); err != nil {
		return err
	}
	book := reproduce.NewBook(scope, findings(results, experiments, jobs))
	about := reproduce.About{Command: r.command(), Version: version, LogJobs: len(shelf.whole), Failures: c.reasons(leftOut)}
	if err := writeReport(r.out, book, about); err != nil {
		return err
	}
	checks := book.Checks()
	err = a.show(checks, func(w io.Writer) { checked(w, checks, filepath.Join(r.out, "report.html")) })
	return errors.Join(err, c.failed(leftOut))
}

// leftOut says of a trace that was refused for jobs that can never run what to do about it here, where none is skipped.
func leftOut(err error) error {
	if refused := (sim.Refused{}); errors.As(err, &refused) {
		return fmt.Errorf("%w: the report's jobs all fit its cluster, so leave these out of the log", err)
	}
	return err
}

// command is how the report is made again; where its files lie is nobody else's business.
func (r reproduction) command() string {
	words := []string{"aliquot sim reproduce dfrs"}
	if r.full {
		words = append(words, "--full")
	}
	if len(r.only) > 0 {
		words = append(words, "--only", strings.Join(r.only, ","))
	}
	if r.trace != "" {
		words = append(words, "--trace", filepath.Base(r.trace))
	}
	return strings.Join(words, " ")
}

// foretold is how many missing experiments make it worth to say beforehand how long they will take.
const foretold = 100

// foretellAndRun runs what is missing. Is that much, a typical trial of each kind of which none was kept is run first, to
// say how long the rest will take; its result counts.
func (c *crew) foretellAndRun(ctx context.Context, all []job, out io.Writer) error {
	c.remember(all)
	missing := c.missing(all)
	if first := c.typical(missing); len(missing) >= foretold && 4*len(first) <= len(missing) {
		if len(first) > 0 {
			fmt.Fprintf(out, "%d of %d experiments first, one of each kind, to foretell how long the others take\n", len(first), len(missing))
		}
		if err := c.run(ctx, first); err != nil {
			return err
		}
		rest := c.missing(all)
		c.tally.begin(len(all), rest)
		fmt.Fprintf(out, "%d experiments to run on %s: %s\n", len(rest), wording.Count(c.workers, "worker"), c.tally.left())
	}
	return c.run(ctx, all)
}

// remember learns from kept results how long trials take.
func (c *crew) remember(all []job) {
	for _, j := range all {
		if r, ok := c.results.Get(j.Trial); ok && r.Seconds > 0 && j.kind != unsplit {
			c.tally.pace.Learn(j.Trial, j.kind, j.count, r.Seconds)
		}
	}
}

// typical picks one trial, with about as many jobs as most, of each policy, period and kind of trace that has not run yet.
func (c *crew) typical(missing []job) (picked []job) {
	type class struct {
		policy string
		period float64
		kind   string
	}
	alike := map[class][]job{}
	var classes []class
	for _, j := range missing {
		if j.kind == unsplit || c.tally.pace.Knows(j.Trial, j.kind) {
			continue
		}
		x := class{j.Policy, j.Period, j.kind}
		if alike[x] == nil {
			classes = append(classes, x)
		}
		alike[x] = append(alike[x], j)
	}
	for _, x := range classes {
		jobs := alike[x]
		slices.SortStableFunc(jobs, func(a, b job) int { return cmp.Compare(a.count, b.count) })
		picked = append(picked, jobs[len(jobs)/2])
	}
	return picked
}

// findings pairs experiments with their results.
func findings(results *resultFile, experiments []reproduce.Experiment, jobs []job) (found []reproduce.Finding) {
	for i, e := range experiments {
		if r, ok := results.Get(jobs[i].Trial); ok {
			found = append(found, reproduce.Finding{Experiment: e, Result: r})
		}
	}
	return found
}

func writeReport(folder string, book reproduce.Book, about reproduce.About) error {
	for name, write := range map[string]func(io.Writer) error{
		"report.html": func(w io.Writer) error { return book.WriteHTML(w, about) },
		"cells.csv":   book.WriteCells, "worst.csv": book.WriteWorst, "points.csv": book.WritePoints,
	} {
		if err := writeFile(filepath.Join(folder, name), write); err != nil {
			return err
		}
	}
	for name, svg := range book.Figures() {
		if err := writeFile(filepath.Join(folder, "figures", name+".svg"), text(svg)); err != nil {
			return err
		}
	}
	return nil
}

// checked is what the terminal shows of a reproduction.
func checked(w io.Writer, checks []reproduce.Check, path string) {
	rows := [][]string{{"WHAT MUST HOLD", "MEASURED", ""}}
	for _, c := range checks {
		rows = append(rows, []string{c.What, dash(c.Measured), c.Verdict()})
	}
	table(w, rows)
	fmt.Fprintf(w, "\nThe report is %s.\n", path)
}

// penaltyOfPaper is the report's rescheduling penalty.
const penaltyOfPaper = 300 * cluster.Second

// trials are the experiments as trials, in the same order.
func (s *shelf) trials(experiments []reproduce.Experiment) ([]job, error) {
	all := make([]job, len(experiments))
	var from *traceSource
	for i, e := range experiments {
		if from == nil || from.name != e.Name() {
			from = s.source(e.Trace)
		}
		digest, err := from.identify()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", from.name, err)
		}
		t, err := sweep.New(from.name, digest, e.Nodes(), e.Algorithm, cluster.Time(e.Period)*cluster.Second, penaltyOfPaper, sim.Terms{})
		if err != nil {
			return nil, err
		}
		all[i] = job{Trial: t, traceSource: from}
	}
	return all, nil
}

// numbers are the weeks in which jobs came.
func (s *shelf) numbers() (numbers []int) {
	for _, w := range s.weeks {
		numbers = append(numbers, w.Number)
	}
	return slices.Clip(numbers)
}
