package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/internal/file"
	"aliquot/internal/stop"
	"aliquot/internal/terminal"
	"aliquot/sim"
	"aliquot/sim/check"
	"aliquot/wording"
	"aliquot/workload"
)

const simRunHelp = `Simulate a stream of jobs in virtual time and summarise the results of the jobs.

TRACE is a CSV file with the header id,submit,tasks,cpu,mem,runtime, plain or gzip, or -
for standard input: times in seconds, cpu and mem as fractions of a node per task. All
nodes are alike, unless --nodes names a CSV file with the header node,cpu,memory,speed: cpu
and memory as multiples of a unit node, and the speed of the processors, where 1 is the
reference. A task of one core has half of its need on a node of speed 0.5, at most. Moves
take no time unless --cost says otherwise, but a rescheduled job pays a penalty: it keeps its
share and makes no progress for a while.

With several policies, each simulates the same stream. The output has a column for each.

--events names a CSV file with the header time,event,target,value. Each line is an event of a
node, named n1, n2 and so on, or of a job: 3600,fail,n2, makes node n2 fail after an hour. The
other events of a node are drain, return, and speed, with a fraction of full speed as its
value. The events of a job are hold, release and cancel.

KEASY, REASY, MEASY and attained take a node as a processor with a foreground and a
background. How a job progresses there is in the columns bgrate or eff, and loss; all of them
may be left out.

With policies named reserve/…, a job gets as many nodes as it has tasks for the time that it
estimates, or else for its run time, between the columns ready and deadline, or it is
refused at once; a job that takes longer is cut. Other policies ignore both columns. Where
jobs have deadlines, the summary counts accepted jobs, work and wide jobs (a quarter of the
nodes or more), jobs that missed their deadline, and the slowdown from the ready time.

--jobs writes a CSV file with a row for each job: its start, its end and its outcome, how often
it was killed, moved and preempted, when it came to the foreground, and how often its tier
changed in place.` + simWorkflowsHelp + simSiteHelp

// simRun are the flags of sim run.
type simRun struct {
	simTerms
	workflows  simWorkflows
	policies   []string
	events     string // file; "": no events
	rows       string // file; "": none
	site       string // folder; "": nodes
	text       string // of --nodes
	experience string // file; "": times are known
	force      bool
	period     time.Duration
	verify     bool
	noTiming   bool
	progress   bool
}

func (a *app) simRunCommand() *cobra.Command {
	var s simRun
	c := &cobra.Command{
		Use: "run TRACE", Short: "Simulate a stream of jobs", Long: simRunHelp, Args: s.takes,
		Example: "  aliquot sim run --nodes 320 --penalty 20s --estimates trace --policy EASY --policy MEASY trace.csv\n" +
			"  aliquot sim run --nodes 128 --policy 'GreedyPM */per/opt=min/minvt=600' trace.csv\n" +
			"  aliquot sim run --nodes 16 --policy FCFS --policy EASY trace.csv\n" +
			"  aliquot sim run --nodes 16 --policy FCFS --json trace.csv.gz\n" +
			"  aliquot sim run --nodes 16 --policy EASY --events failures.csv --jobs fates.csv trace.csv\n" +
			"  aliquot sim run --nodes 4 --policy FCFS --workflows instances --every 10m\n" +
			"  aliquot sim run --site campus --policy SJS --policy PJS/preempt --period 10s jobs.csv",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			if s.workflows.folder != "" {
				return unwritten(a.simulateWorkflows(c.Context(), s), s.rows)
			}
			if s.site != "" {
				if err := s.onSite(c); err != nil {
					return err
				}
				return unwritten(a.simulateSite(c.Context(), s, args[0]), s.rows)
			}
			if s.experience != "" {
				return usagef("--experience needs --site: only there do times depend on the type of a job")
			}
			return unwritten(a.simulate(c.Context(), s, args[0]), s.rows)
		}),
	}
	flags := c.Flags()
	flags.StringVar(&s.text, "nodes", "128", "number of nodes, or a CSV file of unlike ones: node,cpu,memory,speed")
	s.nodes = 128
	s.workflows.flags(flags)
	s.others(flags)
	flags.StringArrayVar(&s.policies, "policy", []string{"GreedyPM */per/opt=min/minvt=600"},
		"published name of a policy, as aliquot policy list shows it; may be repeated")
	flags.DurationVar(&s.period, "period", 10*time.Minute, "time between periodic decisions")
	flags.BoolVar(&s.verify, "check", false, "verify the schedule independently")
	flags.BoolVar(&s.noTiming, "no-timing", false, "omit measured times, so that equal runs print the same")
	flags.BoolVar(&s.progress, "progress", false, "show progress even if standard error is not a terminal")
	flags.StringVar(&s.events, "events", "", "a CSV file of events of nodes and jobs")
	flags.StringVar(&s.site, "site", "", "folder that describes the machines of a site, in place of equal nodes")
	flags.StringVar(&s.experience, "experience", "", "with --site: file of past run times, which predict others")
	flags.StringVar(&s.rows, "jobs", "", "write a row for each job to this CSV file; takes one policy")
	flags.BoolVar(&s.force, "force", false, "replace the file of --jobs if it exists")
	flags.Bool("json", false, "the same as -o json")
	return c
}

// takes checks the arguments: a trace, unless there are workflows.
func (s *simRun) takes(c *cobra.Command, args []string) error {
	if s.workflows.folder == "" {
		return takes("TRACE")(c, args)
	}
	if len(args) > 0 || s.site != "" || s.events != "" {
		return errors.New("--workflows takes no TRACE, --site or --events: the workflows are the jobs")
	}
	return nil
}

// endsOf returns the ends of the jobs that have succeeded, by the stream's ids.
func endsOf(r sim.Result) map[int64]cluster.Time {
	ends := make(map[int64]cluster.Time, len(r.Jobs))
	for _, o := range r.Jobs {
		ends[o.ID] = o.Ended
	}
	return ends
}

// simulate runs the stream under each policy and prints the results.
func (a *app) simulate(ctx context.Context, s simRun, path string) error {
	if err := a.takeNodes(ctx, &s); err != nil {
		return err
	}
	setups, err := s.setups()
	if err != nil {
		return err
	}
	if err := vacant(s.force, s.rows); err != nil {
		return err
	}
	jobs, err := a.readTrace(ctx, path)
	if err != nil {
		return err
	}
	events, err := a.readEvents(ctx, s.events)
	if err != nil {
		return err
	}
	if err := checkEvents(s.events, events, s.list(), jobs); err != nil {
		return err
	}
	defer a.pileUp(len(jobs))()
	var reports []simReport
	for i, setup := range setups {
		setup.Events = events
		r, err := a.simulateOne(ctx, s, setup, s.policies[i], jobs)
		if err != nil {
			return fmt.Errorf("simulate %s under %s: %w", path, s.policies[i], advised(err))
		}
		reports = append(reports, r)
	}
	return a.showReports(reports)
}

func (a *app) showReports(reports []simReport) error {
	if len(reports) == 1 {
		return a.show(reports[0], func(w io.Writer) { simTable(w, reports) })
	}
	return a.show(reports, func(w io.Writer) { simTable(w, reports) })
}

// setups checks the flags.
func (s *simRun) setups() ([]sim.Setup, error) {
	if err := s.check(s.period); err != nil {
		return nil, err
	}
	if s.rows != "" && len(s.policies) > 1 {
		return nil, usagef("--jobs takes one policy: simulate the %d policies one after the other", len(s.policies))
	}
	var setups []sim.Setup
	for _, name := range s.policies {
		setup, err := s.setup(name, s.period)
		if err != nil {
			return nil, err
		}
		setups = append(setups, setup)
	}
	return setups, nil
}

func (a *app) simulateOne(ctx context.Context, s simRun, setup sim.Setup, name string, jobs []workload.Job) (simReport,
	error) {
	begin := time.Now()
	var elsewhere time.Duration
	if s.progress {
		elsewhere = 5 * time.Second
	}
	watch := a.progress(elsewhere)
	setup.Watch = watched(ctx, watch, name)
	if !s.noTiming {
		setup.Clock = func() time.Duration { return time.Since(begin) }
	}
	var seen sim.Recording
	if s.verify {
		seen.Observe(&setup)
	}
	result, err := sim.Run(setup, jobs)
	watch.End()
	if err != nil {
		return simReport{}, err
	}
	wall := time.Since(begin)
	if s.verify {
		if result, err = stop.Unless(ctx, func() (sim.Result, error) {
			return result, verify(setup, jobs, result, seen)
		}); err != nil {
			return simReport{}, err
		}
	}
	if s.rows != "" {
		if err := file.Write(s.rows, func(w io.Writer) error { return result.WriteRows(w, jobs) }); err != nil {
			return simReport{}, err
		}
	}
	r := simReport{Policy: name, Nodes: s.nodes, Summary: result.Summary(), Checked: s.verify, ends: endsOf(result),
		SkippedJobs: skippedJobs(result.Skipped)}
	if !s.noTiming {
		r.DecisionTimes = &simTimes{timesOf(result.Timing.Few), timesOf(result.Timing.Many)}
		seconds := wall.Seconds()
		r.WallSeconds = &seconds
	}
	return r, nil
}

// verify returns the faults found by an independent check.
func verify(setup sim.Setup, jobs []workload.Job, result sim.Result, seen sim.Recording) error {
	if err := check.Schedule(setup, jobs, result, seen); err != nil {
		return fmt.Errorf("the schedule violates its constraints:\n%w", err)
	}
	return nil
}

// watched shows the progress of a run, and ends it when the user interrupts.
func watched(ctx context.Context, watch *terminal.Progress, name string) func(sim.Progress) error {
	begin := time.Now()
	return func(p sim.Progress) error {
		watch.Show(func() string { return howFar(name, p, time.Since(begin)) })
		if ctx.Err() != nil {
			return stop.Err
		}
		return nil
	}
}

// howFar describes the progress of a run.
func howFar(name string, p sim.Progress, took time.Duration) string {
	return fmt.Sprintf("%d of %d jobs have ended, %d are active; %s of the stream in %s; %s",
		p.Ended, p.Jobs, p.Submitted-p.Ended, wording.Span(p.Now.Seconds()), wording.Span(took.Round(time.Second).Seconds()),
		name)
}
