package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/sim"
	"aliquot/sim/bound"
	"aliquot/wording"
)

const simBoundHelp = `Bound the maximum bounded stretch of a stream of jobs from below.

No schedule of the jobs has a smaller maximum stretch than the bound,
not even with full knowledge of the future. Memory is ignored and moves are free, so the best
real schedule may be worse. With times below 10 s counted as 10 s, the bound
is exact to 0.1%, never too high, and at least 1.

TRACE is a file as for aliquot sim run, and --impossible works as there. The output also
names the critical jobs and their time span.`

func (a *app) simBoundCommand() *cobra.Command {
	var nodes int
	var impossible string
	c := &cobra.Command{
		Use: "bound TRACE", Short: "Bound the stretch of any schedule of a stream from below", Long: simBoundHelp,
		Args:    takes("TRACE"),
		Example: "  aliquot sim bound --nodes 128 trace.csv\n  aliquot sim bound --nodes 128 --json trace.csv",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			if nodes < 1 || nodes > 100_000 {
				return usagef("--nodes must be from 1 to 100000")
			}
			which, err := sim.ParseImpossible(impossible)
			if err != nil {
				return usage{err}
			}
			jobs, err := a.readTrace(c.Context(), args[0])
			if err != nil {
				return err
			}
			jobs, skipped, err := which.Possible(sim.Units(nodes), jobs)
			if err != nil {
				return fmt.Errorf("bound %s: %w", args[0], advised(err))
			}
			b, err := stop.Unless(c.Context(), func() (bound.Bound, error) { return bound.MaxStretch(nodes, jobs) })
			if err != nil {
				return fmt.Errorf("bound %s: %w", args[0], err)
			}
			s := describeBound(nodes, len(jobs), b)
			s.Skipped, s.SkippedJobs = len(skipped), skippedJobs(skipped)
			return a.show(s, s.text)
		}),
	}
	flags := c.Flags()
	flags.IntVar(&nodes, "nodes", 128, "number of nodes")
	flags.StringVar(&impossible, "impossible", "refuse", "jobs that can never run: refuse the stream, or skip them")
	flags.Bool("json", false, "the same as -o json")
	return c
}

// simBound is a bound and the jobs that cause it.
type simBound struct {
	Bound    float64       `json:"bound"`
	Accuracy float64       `json:"accuracy"`
	Nodes    int           `json:"nodes"`
	Jobs     int           `json:"jobs"`
	Critical *criticalJobs `json:"critical,omitempty"`
	Effort   boundEffort   `json:"effort"`

	Skipped     int          `json:"skipped"`
	SkippedJobs []simSkipped `json:"skipped_jobs,omitempty"`
}

type criticalJobs struct {
	Jobs []int64 `json:"jobs"` // ids
	From float64 `json:"from_seconds"`
	To   float64 `json:"to_seconds"`
	Busy float64 `json:"busy_seconds"`
}

type boundEffort struct {
	Probes int `json:"probes"`
	Cuts   int `json:"cuts"`
	Flows  int `json:"flows"`
	Phases int `json:"phases"`
	Paths  int `json:"paths"`
	Scans  int `json:"scans"`
	Cells  int `json:"cells"`
}

func describeBound(nodes, jobs int, b bound.Bound) simBound {
	s := simBound{Bound: b.Stretch, Accuracy: bound.Accuracy, Nodes: nodes, Jobs: jobs, Effort: boundEffort(b.Effort)}
	if c := b.Critical; len(c.Jobs) > 0 {
		s.Critical = &criticalJobs{c.Jobs, c.From.Seconds(), c.To.Seconds(), c.Busy.Seconds()}
	}
	return s
}

func (s simBound) text(w io.Writer) {
	defer showSkipped(w, "", s.SkippedJobs)
	// Rounded down, so that the printed value is a bound, too. The search stops about 1e-12 below round values.
	stretch := strconv.FormatFloat(math.Floor(s.Bound*(1+1e-10)*1e6)/1e6, 'f', 6, 64)
	if s.Jobs == 0 {
		fmt.Fprintf(w, "bound %s: there are no jobs.\n", stretch)
	} else {
		fmt.Fprintf(w, "bound %s: with %s, no schedule of the %s has a smaller maximum bounded stretch.\n",
			stretch, wording.Count(s.Nodes, "node"), wording.Count(s.Jobs, "job"))
	}
	switch {
	case s.Jobs == 0:
		return
	case s.Critical == nil:
		fmt.Fprintln(w, "As far as CPU is concerned, every job can get its need as soon as it is submitted.")
		return
	}
	c := s.Critical
	fmt.Fprintf(w,
		"Why: from %s to %s of the stream %s compete for all CPU, during %s; at a smaller stretch that time is too short for their work.\nCritical: %s\n",
		wording.Clock(c.From), wording.Clock(c.To), wording.Count(len(c.Jobs), "job"), wording.Span(c.Busy),
		wording.Few(c.Jobs, len(c.Jobs)))
}
