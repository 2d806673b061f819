package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/client/jobfile"
	"aliquot/web/api"
	"aliquot/wording"
)

const workflowHelp = `Submit and watch workflows: jobs that wait for each other.

Each task of a workflow becomes a job, which may run once those that it waits for have ended
as it needs. All are accepted, or none. A task whose condition can no longer be met is
cancelled, and so are those that wait for its success.`

const workflowSubmitHelp = `Submit the workflow of a file and print its id.

The file is YAML or JSON. Tasks come in any order:

    name: survey
    tasks:
    - name: fetch
      job: {cpu: 500m, memory: 96Mi, command: [/bin/fetch]}
    - name: clean
      after: [fetch]
      job: {cpu: 1, memory: 256Mi, tasks: 4, command: [/bin/clean]}
    - name: report
      after: [clean, "fetch:ended"]
      job: {cpu: 500m, memory: 96Mi, command: [/bin/report]}

after names tasks that must have succeeded; NAME:failed asks for one that failed or was
cancelled, and NAME:ended for any end. A job is described as for job submit --file.

A file in WfFormat 1.5, as WfCommons publishes them, is read as well: its tasks get the cores
and memory that it names, else one core and --memory. With --sleep they sleep for the run
time in the file, instead of running their programs.

A workflow has at most 500 tasks, and its file 10,000 names, values and lists together.`

func (a *app) workflowCommand() *cobra.Command {
	return group("workflow", "Submit and watch workflows: jobs that wait for each other", workflowHelp,
		a.workflowSubmitCommand(), tabular(a.workflowListCommand()), a.workflowShowCommand(), a.workflowWaitCommand(),
		a.workflowCancelCommand(), a.workflowResumeCommand(), a.workflowGraphCommand())
}

func (a *app) workflowSubmitCommand() *cobra.Command {
	var stand jobfile.StandIn
	key := ""
	c := &cobra.Command{
		Use: "submit FILE", Short: "Submit a workflow and print its id", Args: takes("FILE"), Long: workflowSubmitHelp,
		Example: "  aliquot workflow submit survey.yaml\n" +
			"  w=$(aliquot workflow submit survey.yaml) && aliquot workflow wait $w\n" +
			"  aliquot workflow submit blast.json --sleep",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			w, err := a.readWorkflow(ctx, args[0], stand)
			if err != nil {
				return err
			}
			accepted, err := c.SubmitWorkflow(ctx, w, key)
			if err != nil {
				return err
			}
			return a.show(accepted, func(w io.Writer) { fmt.Fprintln(w, accepted.Workflow) })
		}),
	}
	c.Flags().StringVar(&stand.Image, "image", "", "image of the tasks of a file in WfFormat; left out: the built-in one")
	c.Flags().StringVar(&stand.Memory, "memory", "96Mi", "memory of tasks of a file in WfFormat that names none")
	c.Flags().BoolVar(&stand.Sleep, "sleep", false, "tasks of a file in WfFormat sleep for their run time")
	c.Flags().StringVar(&key, "key", "", "name this submission: the same key again submits nothing new")
	return c
}

func (a *app) readWorkflow(ctx context.Context, name string, stand jobfile.StandIn) (api.WorkflowSpec, error) {
	in, err := a.input(ctx, name)
	if err != nil {
		return api.WorkflowSpec{}, usage{err}
	}
	defer in.Close()
	if name == "-" {
		name = "standard input"
	}
	w, err := jobfile.ReadWorkflow(name, in, stand)
	if err != nil {
		err = usage{err}
	}
	return w, err
}

func (a *app) workflowListCommand() *cobra.Command {
	state := ""
	c := &cobra.Command{
		Use: "list", Short: "List workflows, the newest first", Args: takes(),
		Long: `List workflows, the newest first, as long as one of their jobs is remembered. DONE counts the
tasks that have succeeded.`,
		Example: "  aliquot workflow list\n  aliquot workflow list --state failed",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			list, err := c.Workflows(ctx, state)
			if err != nil {
				return err
			}
			return a.show(list, func(w io.Writer) { workflowTable(w, list.Workflows, state) })
		}),
	}
	c.Flags().StringVar(&state, "state", "", "only those that are waiting, running, succeeded, failed or cancelled")
	return c
}

func workflowTable(w io.Writer, list []api.Workflow, state string) {
	if len(list) == 0 && state != "" {
		fmt.Fprintf(w, "No workflow is %s.\n", state)
		return
	}
	if len(list) == 0 {
		fmt.Fprintln(w, "There is no workflow. `aliquot workflow submit --help` shows how to write one.")
		return
	}
	rows := [][]string{{"WORKFLOW", "NAME", "OWNER", "STATE", "DONE", "TASKS", "SUBMITTED"}}
	for _, f := range list {
		rows = append(rows, []string{f.ID, dash(f.Name), f.Owner, f.State, done(&f), taskStates(&f), when(f.Submitted)})
	}
	table(w, rows)
}

// done returns how many of the tasks have succeeded, like 3/5.
func done(f *api.Workflow) string {
	all := 0
	for _, n := range f.States {
		all += n
	}
	return fmt.Sprintf("%d/%d", f.States["succeeded"], all)
}

// taskStates returns the number of tasks in each state, like "2 running, 1 dependent".
func taskStates(f *api.Workflow) string {
	var words []string
	for _, state := range append(slices.Clone(jobStates), "skipped") {
		if n := f.States[state]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, state))
		}
	}
	return strings.Join(words, ", ")
}

func (a *app) workflowShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show WORKFLOW", Short: "Show a workflow with its tasks", Args: takes("WORKFLOW"),
		Long: `Show a workflow with its tasks, each with its latest job, what it waits for, and the reason for
its state.`,
		Example: "  aliquot workflow show w6", ValidArgsFunction: a.completeWorkflows,
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			f, err := c.Workflow(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(f, func(w io.Writer) { workflowPage(w, &f) })
		}),
	}
}

func workflowPage(w io.Writer, f *api.Workflow) {
	head := [][]string{
		{"Workflow:", strings.TrimSpace(f.ID + " " + f.Name)}, {"State:", f.State}, {"Tasks:", taskStates(f)},
		{"Owner:", f.Owner + ", project " + f.Project}, {"Submitted:", when(f.Submitted)},
	}
	if f.Ended != nil {
		head = append(head, []string{"Ended:", when(*f.Ended)})
	}
	table(w, head)
	fmt.Fprintln(w)
	rows := [][]string{{"TASK", "JOB", "STATE", "AFTER", "WHY"}}
	for _, t := range f.Tasks {
		rows = append(rows, []string{t.Name, t.Job, t.State, dash(strings.Join(t.After, ", ")), dash(t.Why)})
	}
	table(w, rows)
}

func (a *app) workflowWaitCommand() *cobra.Command {
	var timeout time.Duration
	c := &cobra.Command{
		Use: "wait WORKFLOW", Short: "Wait until a workflow has ended", Args: takes("WORKFLOW"),
		ValidArgsFunction: a.completeWorkflows,
		Long: `Wait until all tasks of a workflow have ended, and show them. Exits with 0 if it succeeded, and with
1 if a task failed or was cancelled that a resumption would repeat. Tasks that are resumed
meanwhile are waited for, too. A terminal shows how many have ended. Exits with 4 if not all had
ended within --timeout; that stops none.`,
		Example: "  aliquot workflow wait w6 && echo done\n  aliquot workflow wait w6 --timeout 2h",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if timeout < 0 {
				return usagef("--timeout %v is in the past", timeout)
			}
			f, err := a.awaitWorkflowWithin(ctx, c, args[0], timeout)
			if err != nil {
				return err
			}
			if err := a.show(f, func(w io.Writer) { workflowPage(w, &f) }); err != nil {
				return err
			}
			if f.State != "succeeded" {
				return silent{errors.New("not all tasks succeeded")}
			}
			return nil
		}),
	}
	c.Flags().DurationVar(&timeout, "timeout", 0, "wait at most this long, like 90s or 2h; 0: forever")
	return c
}

// awaitWorkflowWithin is awaitWorkflow with a limit; 0: none.
func (a *app) awaitWorkflowWithin(ctx context.Context, c *client.Client, id string,
	timeout time.Duration) (api.Workflow, error) {
	if timeout == 0 {
		return a.awaitWorkflow(ctx, c, id)
	}
	overdue := late{fmt.Errorf("not all tasks of %s have ended within %v; that stops none of them", id, timeout)}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, overdue)
	defer cancel()
	f, err := a.awaitWorkflow(ctx, c, id)
	if err != nil && context.Cause(ctx) == error(overdue) {
		err = overdue
	}
	return f, err
}

// awaitWorkflow waits for one job after another, until the workflow has ended.
func (a *app) awaitWorkflow(ctx context.Context, c *client.Client, id string) (api.Workflow, error) {
	for {
		f, err := c.Workflow(ctx, id)
		if err != nil || f.Ended != nil {
			return f, err
		}
		var jobs []string
		for _, t := range f.Tasks {
			if t.Ended == nil {
				jobs = append(jobs, t.Job)
			}
		}
		if _, err = a.waitFor(ctx, c, jobs); err != nil {
			return f, err
		}
	}
}

func (a *app) workflowCancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel WORKFLOW", Short: "Cancel a workflow", Args: takes("WORKFLOW"), ValidArgsFunction: a.completeWorkflows,
		Long:    "Cancel the jobs of a workflow that have not ended. Their work is lost; what has succeeded stays.",
		Example: "  aliquot workflow cancel w6",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			cancelled, err := c.CancelWorkflow(ctx, args[0])
			if err != nil {
				return err
			}
			a.did("%s of %s cancelled", wording.Count(len(cancelled.Jobs), "job"), args[0])
			return a.show(cancelled, func(io.Writer) {})
		}),
	}
}

func (a *app) workflowResumeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "resume WORKFLOW", Short: "Submit the failed tasks of a workflow again", Args: takes("WORKFLOW"),
		ValidArgsFunction: a.completeWorkflows,
		Long: `Submit the tasks of a workflow again that failed or were cancelled, as new jobs of the same
workflow. Those that have succeeded are not repeated.`,
		Example: "  aliquot workflow resume w6",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			accepted, err := c.ResumeWorkflow(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(accepted, func(w io.Writer) {
				for _, name := range slices.SortedFunc(maps.Keys(accepted.Jobs), byName) {
					fmt.Fprintf(w, "%s %s\n", accepted.Jobs[name], name)
				}
			})
		}),
	}
}

func (a *app) workflowGraphCommand() *cobra.Command {
	return &cobra.Command{
		Use: "graph WORKFLOW", Short: "Print the graph of a workflow for Graphviz", Args: takes("WORKFLOW"),
		ValidArgsFunction: a.completeWorkflows,
		Long:              "Print the graph of a workflow in the language of Graphviz. The console draws it as well.",
		Example:           "  aliquot workflow graph w6 | dot -Tsvg > w6.svg",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			f, err := c.Workflow(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(f, func(w io.Writer) { graph(w, &f) })
		}),
	}
}

func graph(w io.Writer, f *api.Workflow) {
	fmt.Fprintf(w, "digraph %s {\n", f.ID)
	for _, t := range f.Tasks {
		fmt.Fprintf(w, "  %q [label=\"%s\\n%s %s\"]\n", t.Name, t.Name, t.Job, t.State)
		for _, on := range t.After {
			name, when, _ := strings.Cut(on, ":")
			fmt.Fprintf(w, "  %q -> %q [label=%q]\n", name, t.Name, when)
		}
	}
	fmt.Fprintln(w, "}")
}

// completeWorkflows completes the ids of workflows.
func (a *app) completeWorkflows(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.complete(command, func(ctx context.Context, c *client.Client) (ids []string, err error) {
		list, err := c.Workflows(ctx, "")
		for _, f := range list.Workflows {
			ids = append(ids, f.ID)
		}
		return ids, err
	})
}
