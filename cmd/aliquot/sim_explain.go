package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"aliquot/internal/file"
	"aliquot/sim"
	"aliquot/sim/report"
	"aliquot/sim/timeline"
	"aliquot/wording"
	"aliquot/workload"
)

const simExplainHelp = `Simulate a trace and list the events of one job or of all, with the policy's reasons.

With --job, it shows only lines about that job, and the use of its time. --from and
--until limit the time. --svg draws nodes over time, with a bar for each job. A bar is as
thick as the job's share, and hatched while the job pays for a rescheduling. --events takes
the same file of events as aliquot sim run.`

// explanation is the user's request.
type explanation struct {
	simTerms
	policy, svg string
	events      string // file; "": no events
	force       bool
	period      time.Duration
	from, until time.Duration
	job         *int64 // nil: all
}

func (a *app) simExplainCommand() *cobra.Command {
	var e explanation
	var job int64
	c := &cobra.Command{
		Use: "explain TRACE", Short: "List what happens to one job or to all", Long: simExplainHelp, Args: takes("TRACE"),
		Example: "  aliquot sim explain --nodes 128 --job 812 trace.csv\n" +
			"  aliquot sim explain --policy FCFS --from 2h --until 6h --svg cluster.svg trace.csv\n" +
			"  aliquot sim explain --nodes 128 --events failures.csv trace.csv",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("job") {
				e.job = &job
			}
			return unwritten(a.tell(c.Context(), e, args[0]), e.svg)
		}),
	}
	flags := c.Flags()
	e.simTerms.flags(flags)
	flags.StringVar(&e.policy, "policy", "GreedyPM */per/opt=min/minvt=600",
		"published name of the policy, as aliquot policy list shows it")
	flags.DurationVar(&e.period, "period", 10*time.Minute, "time between periodic decisions")
	flags.DurationVar(&e.from, "from", 0, "begin at this time of the trace")
	flags.DurationVar(&e.until, "until", 0, "end at this time of the trace (default: the end)")
	flags.Int64Var(&job, "job", 0, "show only this job, by its name in the trace (default: all)")
	flags.StringVar(&e.events, "events", "", "a CSV file of events of nodes and jobs")
	flags.StringVar(&e.svg, "svg", "", "draw it to this file")
	flags.BoolVar(&e.force, "force", false, "replace the file of --svg if it exists")
	return c
}

func (e explanation) check(jobs []workload.Job) error {
	if err := e.simTerms.check(e.period); err != nil {
		return err
	}
	switch {
	case e.from < 0 || e.until < 0 || e.until > 0 && e.until <= e.from:
		return usagef("--until must come after --from, and neither may be negative")
	case e.job != nil && !slices.ContainsFunc(jobs, func(j workload.Job) bool { return j.ID == *e.job }):
		return usagef("the trace has no job %d", *e.job)
	}
	return nil
}

func (a *app) tell(ctx context.Context, e explanation, path string) error {
	if err := vacant(e.force, e.svg); err != nil {
		return err
	}
	jobs, err := a.readTrace(ctx, path)
	if err != nil {
		return err
	}
	if err := e.check(jobs); err != nil {
		return err
	}
	setup, err := e.setup(e.policy, e.period)
	if err != nil {
		return err
	}
	if setup.Events, err = a.readEvents(ctx, e.events); err != nil {
		return err
	}
	if err := checkEvents(e.events, setup.Events, e.list(), jobs); err != nil {
		return err
	}
	w := timeline.Window{From: micro(e.from), Until: micro(e.until), Job: e.job}
	if w.Until == 0 {
		w.Until = 1<<63 - 1
	}
	r := timeline.NewRecorder(w, jobs)
	held := timeline.Holdings{}
	setup.Tell, setup.Record = r.Tell, func(s sim.Span) { r.Record(s); held.Add(s) }
	watch := a.progress(0)
	setup.Watch = watched(ctx, watch, e.policy)
	done, err := sim.Run(setup, jobs)
	watch.End()
	if err != nil {
		return fmt.Errorf("simulate %s: %w", path, advised(err))
	}
	if e.svg != "" {
		if err := file.Write(e.svg, text(r.Gantt(fmt.Sprint(setup.Policy), e.nodes).SVG())); err != nil {
			return err
		}
	}
	told := told{Policy: fmt.Sprint(setup.Policy), Lines: r.Lines}
	if e.job != nil {
		told.Job = fate(done, held, *e.job)
	}
	return a.show(told, told.page)
}

// told is an explanation for output.
type told struct {
	Policy string          `json:"policy"`
	Lines  []timeline.Line `json:"lines"`
	Job    *timeline.Fate  `json:"job,omitempty"`
}

// fate returns what happened to a job; nil if it was skipped.
func fate(done sim.Result, held timeline.Holdings, id int64) *timeline.Fate {
	i := slices.IndexFunc(done.Jobs, func(o sim.Outcome) bool { return o.ID == id })
	if i < 0 {
		return nil
	}
	f := held.Fate(done.Jobs[i])
	return &f
}

func (t told) page(w io.Writer) {
	rows := [][]string{{"TIME", "JOB", "WHAT"}}
	for _, l := range t.Lines {
		job := "all"
		if !l.All() {
			job = strconv.FormatInt(l.Job, 10)
		}
		rows = append(rows, []string{wording.Clock(l.At), job, l.What})
	}
	table(w, rows)
	if t.Job != nil {
		fmt.Fprintf(w, "\n%s\n", report.Tell(*t.Job))
	}
}
