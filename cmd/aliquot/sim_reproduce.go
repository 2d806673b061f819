package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/sim"
	"aliquot/sim/experiments"
	"aliquot/sim/reproduce"
	"aliquot/sim/trials"
	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/prepare"
	"aliquot/workload/stream"
)

const simReproduceHelp = `Reproduce the tables and figures of the DFRS report (INRIA RR-7659) and show its
numbers beside ours: Tables 2 to 5, Figures 1, 3 and 4, the times of section 6.2, and
Appendix B.

Without --full a fixed sample runs in minutes: every thirteenth week of the log, every
fifth synthetic trace, every twentieth of them at nine levels of load. With it everything
runs, all weeks and the unsplit log, 100 synthetic traces and 900 scaled ones; the expected
time is printed first, except for the few runs of the unsplit log. An interrupted
reproduction continues where it was. A failed experiment stops no other and counts as
not run.

The real-world part needs the HPC2N log of the Parallel Workloads Archive, --trace
HPC2N-2002-2.2-cln.swf.gz (https://www.cs.huji.ac.il/labs/parallel/workload/). Without it
only the synthetic parts run.

The folder --out receives report.html, cells.csv (every number), worst.csv (the worst
traces, explained), points.csv and figures/*.svg, and results.jsonl, which keeps the
completed runs; aliquot sim compare reads it.`

// reproduction is the user's request.
type reproduction struct {
	full       bool
	only       []string
	trace, out string
	workers    int
	jobs       int // of each stream; 0: as usual
}

func (a *app) simReproduceCommand() *cobra.Command {
	var r reproduction
	dfrs := &cobra.Command{
		Use: "dfrs", Short: "Reproduce the DFRS report (INRIA RR-7659)", Long: simReproduceHelp, Args: takes(),
		Example: "  aliquot sim reproduce dfrs --trace HPC2N-2002-2.2-cln.swf.gz\n  aliquot sim reproduce dfrs --only table2,fig3 --out first-look\n" +
			"  aliquot sim reproduce dfrs --full --trace HPC2N-2002-2.2-cln.swf.gz --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if err := r.named(command); err != nil {
				return err
			}
			return a.reproduce(command.Context(), r)
		}),
	}
	r.flags(dfrs, "table2, table3, table4, table5, fig1, fig3, fig4, times, appendixb")
	dfrs.Flags().StringVar(&r.trace, "trace", "", "the HPC2N log, in the Standard Workload Format")
	return group("reproduce", "Reproduce published results", "Reproduce published results and compare them with ours.",
		dfrs, a.simReproduceHeteroCommand(), a.simReproduceProvisioningCommand(), a.simReproduceReserveCommand(),
		a.simReproduceTieredCommand())
}

func (r *reproduction) flags(c *cobra.Command, parts string) {
	f := c.Flags()
	f.BoolVar(&r.full, "full", false, "run everything, not only a sample")
	f.StringSliceVar(&r.only, "only", nil, "parts, separated by commas: "+parts)
	f.StringVar(&r.out, "out", "reproduction", "folder for the report and the completed runs")
	workersFlag(c, &r.workers)
}

func (r *reproduction) check() error {
	if r.workers < 1 || r.workers > 1024 {
		return usagef("--workers must be from 1 to 1024")
	}
	return nil
}

func (a *app) reproduce(ctx context.Context, r reproduction) error {
	parts, err := reproduce.ParseParts(r.only)
	if err != nil {
		return usage{fmt.Errorf("--only: %w", err)}
	}
	if err := r.check(); err != nil {
		return err
	}
	log := reproduce.HPC2N{}
	if r.trace != "" {
		if log, err = a.readLog(ctx, r.trace); err != nil {
			return err
		}
	}
	scope := reproduce.Scope{Full: r.full, Weeks: log.Numbers(), Parts: parts}
	wanted := scope.Experiments()
	switch {
	case len(wanted) == 0 && r.trace == "":
		return usagef("the parts of --only need the HPC2N log: give it with --trace")
	case len(wanted) == 0:
		return usagef("the sample of the log begins with its seventh week, but %s has jobs in %s only: give --full", r.trace,
			wording.Count(len(log.Weeks), "week"))
	}
	jobs, err := stop.Unless(ctx, func() ([]trials.Entry, error) { return experiments.Entries(log, wanted) })
	if err != nil {
		return err
	}
	pool := &trials.Pool{Bound: true, Timed: true}
	return a.experiment(ctx, r, jobs, pool, func(results *trials.File, failures []string) ([]reproduce.Check, error) {
		book := reproduce.NewBook(scope, experiments.Findings(results, wanted, jobs))
		about := reproduce.About{Command: r.command("dfrs"), Version: version, LogJobs: len(log.Whole), Failures: failures}
		return book.Checks(), experiments.WriteReport(r.out, book, about)
	})
}

// experiment runs trials in a pool and keeps their results in the folder of the report. Then write writes the report,
// and its checks are shown.
func (a *app) experiment(ctx context.Context, r reproduction, entries []trials.Entry, pool *trials.Pool,
	write func(*trials.File, []string) ([]reproduce.Check, error)) error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return usage{fmt.Errorf("make the folder of the report: %w", err)}
	}
	results, err := openResults(filepath.Join(r.out, "results.jsonl"))
	if err != nil {
		return err
	}
	defer results.Close()
	defer a.pileUp(trials.MostJobs(entries))()
	pool.Results, pool.Workers, pool.Display = results, r.workers, a.progress(30*time.Second)
	if err := pool.RunForetold(ctx, entries, a.err); err != nil {
		return interrupted(err, results.Path())
	}
	if err := results.Tidy(); err != nil {
		return err
	}
	checks, err := write(results, pool.Reasons(leftOut))
	if err != nil {
		return err
	}
	err = a.show(checks, func(w io.Writer) { checked(w, checks, filepath.Join(r.out, "report.html")) })
	return errors.Join(err, pool.Failures(leftOut))
}

// leftOut adds advice to the refusal of a trace with jobs that can never run; none is skipped here.
func leftOut(err error) error {
	if refused := (sim.Refused{}); errors.As(err, &refused) {
		return fmt.Errorf("%w: the report's jobs all fit its cluster, so leave these out of the log", err)
	}
	return err
}

// command returns the command for the same report of a paper, without the paths of its files.
func (r reproduction) command(paper string) string {
	words := []string{"aliquot sim reproduce " + paper}
	if r.full {
		words = append(words, "--full")
	}
	if len(r.only) > 0 {
		words = append(words, "--only", strings.Join(r.only, ","))
	}
	if r.jobs > 0 {
		words = append(words, "--jobs", fmt.Sprint(r.jobs))
	}
	if r.trace != "" {
		words = append(words, "--trace", filepath.Base(r.trace))
	}
	return strings.Join(words, " ")
}

// checked prints the checks of a reproduction.
func checked(w io.Writer, checks []reproduce.Check, path string) {
	rows := [][]string{{"WHAT MUST HOLD", "MEASURED", ""}}
	for _, c := range checks {
		rows = append(rows, []string{c.What, dash(c.Measured), c.Verdict()})
	}
	table(w, rows)
	fmt.Fprintf(w, "\nThe report is %s.\n", path)
}

// readLog prepares the HPC2N log by the report's rules and prints repairs and skips.
func (a *app) readLog(ctx context.Context, path string) (reproduce.HPC2N, error) {
	log, err := a.readStream(ctx, path, &logRules{stream.Rules{Name: "hpc2n"}})
	if err != nil {
		return reproduce.HPC2N{}, err
	}
	a.explain(log)
	if log.Tally == nil || len(log.Jobs) == 0 {
		return reproduce.HPC2N{}, usagef("%s is not a log in the Standard Workload Format with jobs that ran", path)
	}
	if n := len(log.Jobs); n != reproduce.LogJobs {
		fmt.Fprintf(a.err, "%s has %s that ran, but the HPC2N log, version 2.2-cln, has %d: the report used another log\n",
			path, wording.Count(n, "job"), reproduce.LogJobs)
	}
	return reproduce.HPC2N{Whole: log.Jobs, Weeks: workload.Split(log.Jobs, prepare.Week)}, nil
}
