package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/internal/terminal"
	"aliquot/web/api"
	"aliquot/wording"
)

// topOptions are the options of the live table.
type topOptions struct {
	interval  time.Duration
	once      bool
	untilDone bool
	recent    time.Duration // time that ended jobs stay in the table
	jobs      []string      // ids of those that untilDone waits for; empty: all
}

func (a *app) topCommand() *cobra.Command {
	o := topOptions{interval: 2 * time.Second, recent: 30 * time.Second}
	c := &cobra.Command{
		Use: "top [JOB...]", Short: "Watch jobs and nodes", ValidArgsFunction: a.completeJobs,
		Args: func(_ *cobra.Command, ids []string) error { return noTask(ids) },
		Long: `Watch jobs and nodes: for every task its node, its need, the ordered
cap, the measured CPU, its yield, and the reason. On a terminal the table is redrawn
in place; otherwise each table follows the last. A task to start or on its way has its next
node behind an arrow (→n1). With --until-done it ends when all jobs have ended, or those
that are named. USED may be above the cap while a VM boots.`,
		Example: "  aliquot top\n  aliquot top --once\n  aliquot top --until-done\n  aliquot top --until-done j17 j18",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if o.jobs = args; len(args) > 0 && !o.untilDone {
				return usagef("jobs are named for --until-done, which ends when they have ended")
			}
			for _, id := range args {
				if _, err := c.Job(ctx, id); err != nil {
					return named(id, err)
				}
			}
			if o.interval < 100*time.Millisecond {
				return usagef("--interval must be at least 100ms")
			}
			return a.top(ctx, c, o)
		}),
	}
	c.Flags().DurationVar(&o.interval, "interval", o.interval, "time between two tables")
	c.Flags().DurationVar(&o.recent, "recent", o.recent, "how long to show a job after its end")
	c.Flags().BoolVar(&o.once, "once", false, "show one table and end")
	c.Flags().BoolVar(&o.untilDone, "until-done", false, "end when the named jobs, or all, have ended; show also all that have ended")
	return c
}

// snapshot is the content of one table.
type snapshot struct {
	Nodes []api.Node `json:"nodes"`
	Jobs  []api.Job  `json:"jobs"` // oldest first
}

// done reports whether the jobs of these ids, or without ids all, have ended.
func (s *snapshot) done(ids []string) bool {
	return !slices.ContainsFunc(s.Jobs, func(j api.Job) bool {
		return !client.Ended(&j) && (len(ids) == 0 || slices.Contains(ids, j.ID))
	})
}

func (a *app) top(ctx context.Context, c *client.Client, o topOptions) error {
	ticker := time.NewTicker(o.interval)
	defer ticker.Stop()
	for drawn := 0; ; {
		s, err := take(ctx, c, o)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && drawn == 0:
			return err
		case err != nil: // a manager may be down while the jobs keep running
			fmt.Fprintf(a.err, "aliquot: %v; trying again\n", err)
		default:
			if err := a.draw(&s, drawn); err != nil {
				return err
			}
			drawn++
		}
		if err == nil && (o.once || o.untilDone && s.done(o.jobs)) {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// take reads the content of a table: all active jobs and the ones that ended a moment ago, or, with --until-done, all
// jobs.
func take(ctx context.Context, c *client.Client, o topOptions) (s snapshot, err error) {
	if s.Nodes, err = c.Nodes(ctx); err != nil {
		return s, err
	}
	for j, err := range c.Jobs(ctx, client.JobFilter{Tasks: true, Limit: 1000}) {
		if err != nil {
			return s, err
		}
		if j.Ended == nil || o.untilDone || time.Since(*j.Ended) < o.recent {
			s.Jobs = append(s.Jobs, j)
		}
	}
	slices.Reverse(s.Jobs)
	return s, nil
}

func (a *app) draw(s *snapshot, drawn int) error {
	var page strings.Builder
	topPage(&page, s)
	window := terminal.Size(a.out)
	return a.show(s, func(w io.Writer) {
		switch {
		case window != nil:
			fmt.Fprint(w, redraw(page.String(), int(window.Col), int(window.Row)))
		case drawn > 0:
			fmt.Fprint(w, "\n"+page.String())
		default:
			fmt.Fprint(w, page.String())
		}
	})
}

// topPage prints the table: a row per node, then the tasks of every job.
func topPage(w io.Writer, s *snapshot) {
	counts := map[string]int{}
	for _, j := range s.Jobs {
		counts[j.State]++
	}
	fmt.Fprintf(w, "Jobs: %s. Least yield of placed jobs: %s.\n\n", first(counted(counts, jobStates), "none"),
		yield(leastYield(s.Jobs)))
	rows := [][]string{{"NODE", "STATE", "TASKS", "CPU", "GRANTED", "USED", "MEMORY", "RESERVED"}}
	for _, n := range s.Nodes {
		rows = append(rows, []string{
			n.Name, nodeState(&n), strconv.Itoa(n.Tasks), milli(n.CPUMillicores),
			granted(milli, n.GuaranteedMillicores, n.BestEffortMillicores),
			milliOrUnknown(n.UsedMillicores),
			size(n.MemoryBytes), size(n.MemoryReservedBytes),
		})
	}
	table(w, rows)
	fmt.Fprintln(w)
	table(w, topRows(s.Jobs))
}

func leastYield(jobs []api.Job) (least *float64) {
	for i := range jobs {
		if y := jobs[i].Yield; y != nil && jobs[i].Spec.Class == "" && (least == nil || *y < *least) {
			least = y
		}
	}
	return least
}

// topRows returns a row per task of active jobs and one for every ended job.
func topRows(jobs []api.Job) [][]string {
	rows := [][]string{{"JOB", "NAME", "TASK", "STATE", "NODE", "NEED", "CAP ASKED", "USED", "YIELD", "WHY"}}
	for i := range jobs {
		j := &jobs[i]
		if client.Ended(j) {
			rows = append(rows, []string{j.ID, dash(j.Name), strconv.Itoa(j.Spec.Tasks) + " in all", j.State, "-",
				milli(j.NeedMillicores), "-", "-", "-", first(j.Cause, "after "+wording.Span(j.FlowSeconds))})
			continue
		}
		for k := range j.Tasks {
			t := &j.Tasks[k]
			row := []string{"", "", strconv.Itoa(t.Index), topState(j, t), place(t), milli(t.NeedMillicores),
				milli(t.CapAskedMillicores), milliOrUnknown(t.UsedMillicores), taskYield(t), ""}
			if k == 0 {
				row[0], row[1], row[9] = j.ID, dash(j.Name), why(j)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// topState returns the task's state, or held if it waits because its job is held.
func topState(j *api.Job, t *api.Task) string {
	if j.State == "held" && (t.State == "waiting" || t.State == "paused") {
		return "held"
	}
	return taskState(t)
}

func taskYield(t *api.Task) string {
	switch {
	case t.ShareMillicores == 0:
		return "-"
	case t.Tier == background:
		return "bg"
	}
	return yield(&t.Yield)
}

// redraw returns the page with control sequences that replace the previous one without flicker, cut to the terminal's
// size.
func redraw(page string, width, height int) string {
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	if room := height - 1; room > 1 && len(lines) > room {
		left := len(lines) - room + 1
		lines = append(lines[:room-1], fmt.Sprintf("… and %d more lines", left))
	}
	var out strings.Builder
	out.WriteString("\x1b[H")
	for _, line := range lines {
		out.WriteString(cut(line, width) + "\x1b[K\n")
	}
	return out.String() + "\x1b[J"
}
