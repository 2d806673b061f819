package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/sim/sweep"
	"aliquot/sim/trials"
	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/stream"
)

const simSweepHelp = `Simulate every trace under every policy, on all cores, and keep the results.

Each result is written at once as a line of JSON to the file that --out names. A sweep
that was interrupted continues where it was when the same command is given again; results
in the file are not computed again, even if traces, policies or periods are added. At the
end the file is sorted. Compare the results with aliquot sim compare. A failed trial
stops no other; failures and their reasons are printed at the end.

TRACE is a file as for aliquot sim run. Each result includes the bound that no
schedule of the trace can beat, unless --no-bound is given.

--events names a file as for aliquot sim run. Its events happen in every trial, so an event
of a job needs a job of that id in every trace. Results with and without events are kept
beside each other.`

// sweepFlags are the flags of a sweep.
type sweepFlags struct {
	simTerms
	workers           int
	policies          []string
	periods           []time.Duration
	out, csv          string
	events            string // file; "": nothing happens
	verify, force     bool
	noBound, noTiming bool
}

func (a *app) simSweepCommand() *cobra.Command {
	var w sweepFlags
	c := &cobra.Command{
		Use: "sweep TRACE...", Short: "Simulate traces under policies, on all cores", Long: simSweepHelp,
		Args: takes("TRACE..."),
		Example: "  aliquot sim sweep --policy FCFS --policy 'GreedyPM */per/opt=min/minvt=600' --out results.jsonl weeks/*.csv\n" +
			"  aliquot sim sweep --period 600s --period 3600s --csv results.csv trace.csv",
		RunE: a.local(func(command *cobra.Command, args []string) error {
			return a.sweep(command.Context(), w, args)
		}),
	}
	flags := c.Flags()
	w.simTerms.flags(flags)
	flags.StringArrayVar(&w.policies, "policy", []string{"GreedyPM */per/opt=min/minvt=600"},
		"published name of a policy; may be repeated")
	flags.DurationSliceVar(&w.periods, "period", []time.Duration{10 * time.Minute},
		"time between periodic decisions; may be repeated")
	flags.StringVar(&w.out, "out", "sweep.jsonl", "file that keeps the results, as JSON lines")
	flags.StringVar(&w.events, "events", "", "a CSV file of events of nodes and jobs, for every trial")
	flags.StringVar(&w.csv, "csv", "", "write the results to this CSV file too")
	flags.BoolVar(&w.force, "force", false, "replace the file of --csv if it exists")
	flags.BoolVar(&w.verify, "check", false, "verify the schedules independently")
	flags.BoolVar(&w.noBound, "no-bound", false, "omit the bound on the maximum stretch")
	flags.BoolVar(&w.noTiming, "no-timing", false, "omit measured times, so that equal sweeps give equal bytes")
	workersFlag(c, &w.workers)
	return c
}

// workersFlag adds the number of parallel trials.
func workersFlag(c *cobra.Command, workers *int) {
	c.Flags().IntVar(workers, "workers", runtime.GOMAXPROCS(0), "how many trials run at the same time")
}

func (w sweepFlags) check() error {
	if w.workers < 1 || w.workers > 1024 {
		return usagef("--workers must be from 1 to 1024")
	}
	if w.csv != "" && filepath.Clean(w.csv) == filepath.Clean(w.out) {
		return usagef("--csv and --out must name different files")
	}
	if err := vacant(w.force, w.csv); err != nil {
		return err
	}
	return w.simTerms.check(w.periods...)
}

// sweep runs the missing trials and prints the results.
func (a *app) sweep(ctx context.Context, w sweepFlags, paths []string) error {
	if err := w.check(); err != nil {
		return err
	}
	events, err := a.readEvents(ctx, w.events)
	if err != nil {
		return err
	}
	jobs, err := w.plan(ctx, a, paths, events)
	if err != nil {
		return err
	}
	results, err := openResults(w.out)
	if err != nil {
		return err
	}
	defer results.Close()
	defer a.pileUp(trials.MostJobs(jobs))()
	pool := &trials.Pool{
		Results: results, Workers: w.workers, Bound: !w.noBound, Timed: !w.noTiming, Verify: w.verify,
		Display: a.progress(30 * time.Second), Events: events,
	}
	if err := pool.Run(ctx, jobs); err != nil {
		return interrupted(err, results.Path())
	}
	if err := results.Tidy(); err != nil {
		return err
	}
	swept := results.Of(jobs)
	if w.csv != "" {
		if err := file.Write(w.csv, func(out io.Writer) error { return sweep.WriteCSV(out, swept) }); err != nil {
			return err
		}
	}
	err = a.show(swept, func(w io.Writer) {
		comparison(swept).text(w)
		skipped(w, swept)
	})
	return errors.Join(err, pool.Failures(advised))
}

// interrupted adds to the error of an interruption that nothing is lost.
func interrupted(err error, path string) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: finished results are in %s; the same command continues from there", stop.Err, path)
	}
	return err
}

// plan lists the trials, each once, trace by trace. Every trace is read once here, for its digest, and again for its
// trials. Only standard input, which can be read once, is kept in memory.
func (w sweepFlags) plan(ctx context.Context, a *app, paths []string, events []workload.Event) (all []trials.Entry,
	err error) {
	listed := map[string]bool{}
	for i, name := range traceNames(paths) {
		s := &trials.Source{Name: name, Load: func() ([]workload.Job, error) {
			jobs, err := a.readTrace(ctx, paths[i])
			if err == nil {
				err = w.suits(paths[i], events, jobs)
			}
			return jobs, err
		}}
		if paths[i] == "-" {
			s.Load = sync.OnceValues(s.Load)
		}
		digest, err := s.Identify()
		if err != nil {
			return nil, err
		}
		for _, policy := range w.policies {
			for _, period := range w.periods {
				t, err := sweep.New(name, digest, w.nodes, policy, micro(period), micro(w.penalty), w.Terms)
				if err != nil {
					return nil, usage{err}
				}
				t.Events = sweep.DigestOf(events)
				if !listed[t.Key()] {
					all = append(all, trials.Entry{Trial: t, Source: s})
				}
				listed[t.Key()] = true
			}
		}
	}
	return all, nil
}

// suits returns why the events cannot happen to the jobs of a trace, or nil.
func (w sweepFlags) suits(trace string, events []workload.Event, jobs []workload.Job) error {
	if err := checkEvents(w.events, events, w.list(), jobs); err != nil {
		return usage{fmt.Errorf("%s: %w; leave out events of jobs that not every trace has, or sweep the traces one by one",
			trace, err)}
	}
	return nil
}

// skipped lists the skipped jobs.
func skipped(w io.Writer, results []sweep.Result) {
	for _, r := range results {
		if n := len(r.Skipped); n > 0 {
			fmt.Fprintf(w, "%s under %s: %s could never run and were skipped: %s\n", r.Trace, r.Policy, wording.Count(n, "job"),
				wording.Few(r.Skipped, n))
		}
	}
}

func micro(d time.Duration) cluster.Time { return cluster.Time(d.Microseconds()) }

// traceNames returns the files' names without folders and extensions, or the paths if these are not unique.
func traceNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = stream.Stem(path)
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) < len(names) {
		return paths
	}
	return names
}

// text returns a function for writeFile that writes a string.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}
