package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) jobCommand() *cobra.Command {
	return group("job", "Submit, show and control jobs", "Submit, show and control jobs.",
		a.submitCommand(), tabular(a.jobListCommand()), a.jobShowCommand(), a.copyCommand(), a.editCommand(),
		a.logsCommand(), a.filesCommand(), a.getCommand(), a.execCommand(), a.forwardCommand(),
		a.steerCommand(cancelling), a.steerCommand(holding), a.steerCommand(releasing),
		a.waitCommand(), a.jobTimelineCommand())
}

func (a *app) jobListCommand() *cobra.Command {
	var f client.JobFilter
	var all bool
	c := &cobra.Command{
		Use: "list", Short: "List jobs, newest first", Args: takes(),
		Long: `List jobs, newest first. Without --all or --state it omits ended jobs.
TASKS, CPU and MEMORY are the job's request, the latter two per task; YIELD is the granted
part of that CPU, FLOW TIME that from submission, or for a job that waited for others from
the end of the last of them, to now or to its end; 0 while it waits for them. A terminal cuts
long reasons; ` + "`aliquot job show`" + ` shows the whole reason.`,
		Example: "  aliquot job list\n  aliquot job list --state waiting\n  aliquot job list --all --owner alice --label team=blue --name 'render-*'",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			if f.Limit < 0 {
				return usagef("--limit is %d, must be from 1, or 0 for all", f.Limit)
			}
			if !all && len(f.States) == 0 {
				f.States = []string{"active"}
			}
			none := "No such jobs."
			if slices.Equal(f.States, []string{"active"}) {
				none = "No such jobs; --all lists those that have ended, too."
			}
			page := api.JobPage{Jobs: []api.Job{}}
			for j, err := range c.Jobs(ctx, f) {
				if err != nil {
					return err
				}
				page.Jobs = append(page.Jobs, j)
			}
			page.Total = len(page.Jobs)
			return a.show(page, func(w io.Writer) {
				narrow(w, columns(a.out), func(w io.Writer) { jobTable(w, page.Jobs, none) })
			})
		}),
	}
	flags := c.Flags()
	flags.BoolVarP(&all, "all", "a", false, "show ended jobs, too")
	filterFlags(flags, &f)
	flags.IntVar(&f.Limit, "limit", 0, "show at most this many; 0: all")
	return c
}

// filterFlags adds the flags that select jobs.
func filterFlags(flags *pflag.FlagSet, f *client.JobFilter) {
	flags.StringSliceVar(&f.States, "state", nil,
		"only jobs in these states: waiting, dependent, starting, running, moving, pausing, paused, held, stopping, succeeded, failed, cancelled; active or ended for all of that kind")
	flags.StringVar(&f.Owner, "owner", "", "only this owner's jobs")
	flags.StringVar(&f.Project, "project", "", "only this project's jobs")
	flags.StringVar(&f.Name, "name", "", "only jobs of this name, or pattern with * and ?")
	flags.StringVar(&f.Search, "search", "",
		"only jobs with all these words somewhere in id, name, owner, project, image or labels")
	flags.StringVar(&f.Node, "node", "", "only jobs with a VM or a placed task on this node")
	flags.StringArrayVarP(&f.Labels, "label", "l", nil, "only jobs with this label, key=value; may be repeated")
}

// jobTable prints the jobs, or none if there are no jobs.
func jobTable(w io.Writer, jobs []api.Job, none string) {
	rows := [][]string{{"JOB", "NAME", "OWNER", "STATE", "TASKS", "CPU", "MEMORY", "YIELD", "FLOW TIME", "WHY"}}
	for _, j := range jobs {
		rows = append(rows, []string{
			j.ID, dash(j.Name), j.Owner, j.State, strconv.Itoa(j.Spec.Tasks), milli(j.NeedMillicores), size(j.MemoryBytes),
			yield(j.Yield), wording.Span(j.FlowSeconds), why(&j),
		})
	}
	if len(jobs) == 0 {
		fmt.Fprintln(w, none+
			" Submit one: aliquot job submit --cpu 500m --memory 96Mi -- /bin/echo hello")
		return
	}
	table(w, rows)
}

// why returns the sentence that explains the job's state.
func why(j *api.Job) string {
	if j.Cause != "" {
		return j.Cause
	}
	if j.Why != nil {
		return j.Why.Text
	}
	return ""
}

// where returns a command that shows more about the first task of a failed job that failed without an exit code. It
// returns "" if there is none, and if the console of its guest is empty.
func (a *app) where(ctx context.Context, c *client.Client, j *api.Job) string {
	i := slices.IndexFunc(j.Tasks, died)
	if j.State != "failed" || i < 0 || !hasConsole(ctx, c, j.ID, j.Tasks[i].Index) {
		return ""
	}
	return fmt.Sprintf("aliquot job logs %s --task %d --console", j.ID, j.Tasks[i].Index)
}

// died reports whether the task failed without an exit code. One that was stopped because another failed did not.
func died(t api.Task) bool {
	return t.Failures+t.Losses > 0 && t.Exit != nil && t.Exit.Code == nil
}

// hasConsole reports whether the guest's kernel of the task's last run has written something that the reader may see.
func hasConsole(ctx context.Context, c *client.Client, job string, task int) bool {
	text, err := c.Logs(ctx, job, client.LogQuery{Task: task, Stream: "console"})
	if err != nil {
		return false
	}
	defer text.Close()
	n, _ := io.ReadFull(text, make([]byte, 1))
	return n > 0
}

func (a *app) jobShowCommand() *cobra.Command {
	spec := false
	c := &cobra.Command{
		Use: "show JOB", Short: "Show a job with its tasks", Args: takes("JOB"), ValidArgsFunction: a.completeJobs,
		Long: `Show a job with its tasks: where they run and why. NEED is the CPU that a task can use,
SHARE its granted part, CAP ASKED the cap ordered from its node, CAP SEEN the cap in force
there, USED the measured CPU (above the cap while the VM boots), RUNS the number of starts.
Times: flow is the time since the submission, or since the last job that it waited for ended,
until its end; running the part of it in which all its tasks made progress; virtual how far
it has come: the time that it would have run alone, at full speed, to get there.
With --spec it shows the job as ` + "`aliquot job submit --file`" + ` takes it, in YAML or with -o json
in JSON.`,
		Example: "  aliquot job show j17\n  aliquot job show j17 -o yaml\n  aliquot job show j17 --spec > job.yaml",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			j, err := c.Job(ctx, args[0])
			if err != nil {
				return err
			}
			if spec {
				return a.showSpec(&j)
			}
			return a.show(j, func(w io.Writer) { jobPage(w, &j, a.where(ctx, c, &j)) })
		}),
	}
	c.Flags().BoolVar(&spec, "spec", false, "show only what can be submitted again")
	return c
}

// jobPage prints everything about one job.
func jobPage(w io.Writer, j *api.Job, see string) {
	head := [][]string{
		{"Job:", strings.TrimSpace(j.ID + " " + j.Name)},
		{"State:", j.State},
		{"Why:", why(j)},
		{"See:", see},
		{"Owner:", j.Owner + ", project " + j.Project},
		{"Asks for:", fmt.Sprintf("%d × %s CPU, %s memory", j.Spec.Tasks, milli(j.NeedMillicores), size(j.MemoryBytes))},
		{"Image:", j.Spec.Image},
		{"Command:", strings.Join(slices.Concat(j.Spec.Command, j.Spec.Args), " ")},
		{"Type:", j.Spec.Type},
		{"Submitted:", when(j.Submitted)},
	}
	head = append(head, []string{"Workflow:", j.Workflow}, []string{"After:", strings.Join(j.Spec.After, ", ")})
	head = append(head, []string{"Promised:", promised(j.Promise)})
	if j.Started != nil {
		head = append(head, []string{"Started:", when(*j.Started)})
	}
	if j.Ended != nil {
		head = append(head, []string{"Ended:", when(*j.Ended)})
	}
	head = append(head, []string{"Times:", fmt.Sprintf("flow %s, running %s, virtual %s", wording.Span(j.FlowSeconds),
		wording.Span(j.RunningSeconds), wording.Span(j.VirtualSeconds))})
	head = append(head, []string{"Progress:", progress(j)}, []string{"Similar:", similar(j)})
	table(w, slices.DeleteFunc(head, func(row []string) bool { return row[1] == "" }))
	fmt.Fprintln(w)
	taskTable(w, cmp.Or(j.Outcome, j.State), j.Tasks)
}

// similar says how long jobs like it took, "" if too few are known.
func similar(j *api.Job) string {
	if j.Similar == nil {
		return ""
	}
	return fmt.Sprintf("of the last %d jobs like it, half took at most %s at full speed, and nine in ten at most %s",
		j.Similar.Latest, wording.Span(j.Similar.MedianSeconds), wording.Span(j.Similar.MostSeconds))
}

// progress returns the rate of progress and its source in words, "" for a job that makes no progress.
func progress(j *api.Job) string {
	if j.ProgressRate == nil {
		return ""
	}
	if j.ProgressSource == "grant" {
		return "not measured yet: its virtual time stands still until its nodes report the CPU time that its tasks had"
	}
	source := map[string]string{
		"observed": "from the CPU time that its tasks had and waited for",
		"cap":      "from the caps in force: how long its tasks waited for CPU is not observed",
	}[j.ProgressSource]
	return fmt.Sprintf("%s of full speed, %s", yield(j.ProgressRate), source)
}

// taskTable shows the tasks of a job with the given outcome, or state while it has none.
func taskTable(w io.Writer, job string, tasks []api.Task) {
	rows := [][]string{{"TASK", "STATE", "NODE", "NEED", "SHARE", "YIELD", "CAP ASKED", "CAP SEEN", "USED",
		"RUNS", "EXIT"}}
	connected := slices.ContainsFunc(tasks, func(t api.Task) bool { return t.Address != "" })
	troubled := slices.ContainsFunc(tasks, func(t api.Task) bool { return t.Trouble != "" })
	for _, t := range tasks {
		rows = append(rows, []string{
			strconv.Itoa(t.Index), taskOutcome(&t, job), place(&t), milli(t.NeedMillicores), milli(t.ShareMillicores),
			taskYield(&t), milli(t.CapAskedMillicores), milli(t.CapObservedMillicores),
			milliOrUnknown(t.UsedMillicores), strconv.Itoa(t.Run), taskExit(&t),
		})
		if connected {
			rows[len(rows)-1] = append(rows[len(rows)-1], dash(t.Address))
		}
		if troubled {
			rows[len(rows)-1] = append(rows[len(rows)-1], dash(t.Trouble))
		}
	}
	if connected {
		rows[0] = append(rows[0], "ADDRESS")
	}
	if troubled {
		rows[0] = append(rows[0], "LAST FAILED MOVE")
	}
	table(w, rows)
}

// taskOutcome is taskState of a task of a job with the given outcome, or state while it has none. Of one that has
// ended, it tells failures and tasks that were stopped, as the console does. No task failed a job that was cancelled.
func taskOutcome(t *api.Task, job string) string {
	succeeded := t.Exit != nil && t.Exit.Code != nil && *t.Exit.Code == 0
	switch {
	case t.State != "ended" || succeeded:
		return taskState(t)
	case t.Exit != nil && t.Failures+t.Losses > 0 && job != "cancelled":
		return "failed"
	case slices.Contains([]string{"failed", "cancelled", "stopping"}, job):
		return "stopped"
	}
	return taskState(t)
}

// taskState adds the number of failed moves to the state. It tells tasks that are placed from those that wait for a
// decision.
func taskState(t *api.Task) string {
	state := t.State
	if state == "waiting" && t.Target != "" {
		state = "to start"
	}
	if t.Attempts > 0 {
		return fmt.Sprintf("%s (%s failed)", state, wording.Count(t.Attempts, "move"))
	}
	return state
}

// place returns the node of a task, with the processor that it is bound to, or the node where it goes or is to go, too.
func place(t *api.Task) string {
	switch {
	case t.Move != nil && t.Move.To != "" && t.Move.To != t.Node:
		return strings.TrimPrefix(t.Node+"→"+t.Move.To, "→")
	case t.Move == nil && t.Target != "":
		return t.Node + "→" + t.Target
	}
	if t.Core != 0 {
		return fmt.Sprintf("%s core %d", t.Node, t.Core)
	}
	return dash(t.Node)
}

// taskExit returns the exit of a task's latest run, "-" while that has not ended.
func taskExit(t *api.Task) string {
	if t.State != "ended" && t.State != "waiting" {
		return "-"
	}
	return exit(t.Exit)
}

func exit(e *api.Exit) string {
	switch {
	case e == nil:
		return "-"
	case e.Code != nil:
		return strconv.Itoa(*e.Code)
	}
	return first(e.Signal, e.Cause)
}

// completeJobs completes the ids of jobs that have not ended.
func (a *app) completeJobs(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.complete(command, func(ctx context.Context, c *client.Client) (ids []string, err error) {
		for j, err := range c.Jobs(ctx, client.JobFilter{States: []string{"active"}, Limit: 100}) {
			if err != nil {
				return nil, err
			}
			ids = append(ids, strings.TrimSuffix(j.ID+"\t"+j.Name, "\t"))
		}
		return ids, nil
	})
}
