package main

import (
	"context"
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
that will take is said first. An interrupted reproduction goes on where it was.

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
	if len(experiments) == 0 {
		return usagef("what --only names needs the HPC2N log: give it with --trace")
	}
	jobs, err := shelf.trials(experiments)
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
	about := reproduce.About{Command: r.command(), Version: version}
	if err := writeReport(r.out, book, about); err != nil {
		return err
	}
	checks := book.Checks()
	return a.show(checks, func(w io.Writer) { checked(w, checks, filepath.Join(r.out, "report.html")) })
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

// calibration is how many trials are run before it is said how long the rest will take.
const calibration = 24

// foretellAndRun runs what is missing. Is that much, some trials from all over the list are run first, to say how
// long the rest will take; their results count.
func (c *crew) foretellAndRun(ctx context.Context, all []job, out io.Writer) error {
	if missing := c.missing(all); len(missing) > 4*calibration {
		var some []job
		for i := range calibration {
			if j := missing[i*len(missing)/calibration]; !strings.HasSuffix(j.Trace, "log") {
				some = append(some, j)
			}
		}
		if err := c.run(ctx, some); err != nil {
			return err
		}
		pace := c.tally.pace
		rest := c.missing(all)
		for _, j := range rest {
			pace.Expect(j.Policy, j.count)
		}
		fmt.Fprintf(out, "%d experiments to run: about %s on %d workers\n", len(rest), wording.Span(pace.Left()/float64(c.workers)), c.workers)
	}
	return c.run(ctx, all)
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
