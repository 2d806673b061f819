package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

const waitHelp = `Wait until jobs have ended, and print their outcomes. Exits with 0 if all succeeded, with 1 if
one failed or was cancelled, with 4 if not all had ended within --timeout; that stops none.
A terminal shows how many have ended. An outage of the managers does not end it.

Name jobs by their ids, or select them as ` + "`aliquot job list`" + ` does. Those that match now are
waited for, and those submitted later are not. Jobs that had ended before count, too, unless
--state leaves them out or --all takes only those that have not ended. It fails if no job matches
the selection; with --all, it succeeds.`

func (a *app) waitCommand() *cobra.Command {
	var timeout time.Duration
	var pick picked
	c := &cobra.Command{
		Use: "wait [JOB...]", Short: "Wait until jobs have ended", Long: waitHelp, ValidArgsFunction: a.completeJobs,
		Example: "  aliquot job wait j17 && echo done\n  aliquot job wait j17 j18 --timeout 10m\n  aliquot job wait --label sweep=7 && aliquot job list --all --label sweep=7",
	}
	c.Args = func(_ *cobra.Command, ids []string) error { return pick.check(c.Flags(), ids) }
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		if timeout < 0 {
			return usagef("--timeout %v is in the past", timeout)
		}
		if len(args) == 0 {
			var err error
			if args, err = pick.ids(ctx, server); err != nil {
				return err
			}
		}
		switch {
		case len(args) > 0:
		case pick.all:
			a.did("No job matches.")
			return nil
		default:
			return errors.New("no job matches")
		}
		return a.waitAndTell(ctx, server, args, timeout)
	})
	pick.flags(c.Flags())
	c.Flags().DurationVar(&timeout, "timeout", 0, "wait at most this long, like 90s or 2h; 0: forever")
	return c
}

// ids returns the ids of the selected jobs, the oldest first. Without a state, only --all leaves out those that ended.
func (p *picked) ids(ctx context.Context, c *client.Client) (ids []string, err error) {
	f := p.filter
	if len(f.States) == 0 && p.all {
		f.States = []string{"active"}
	}
	for j, err := range c.Jobs(ctx, f) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, j.ID)
	}
	slices.Reverse(ids)
	return ids, nil
}

// waitAndTell waits for the jobs until the timeout, and tells the outcomes. It fails unless all succeeded.
func (a *app) waitAndTell(ctx context.Context, c *client.Client, ids []string, timeout time.Duration) error {
	overdue := late{fmt.Errorf("not all jobs have ended within %v; that stops none of them", timeout)}
	limited := ctx
	if timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, timeout, overdue)
		defer cancel()
	}
	jobs, err := a.waitFor(limited, c, ids)
	if context.Cause(limited) == error(overdue) && err != nil {
		err = overdue
	}
	shown := a.show(api.JobPage{Jobs: jobs, Total: len(jobs)}, func(w io.Writer) { a.outcomes(ctx, c, w, jobs) })
	if err == nil {
		err = shown
	}
	if err == nil && slices.ContainsFunc(jobs, func(j api.Job) bool { return j.State != "succeeded" }) {
		err = silent{errors.New("not all jobs succeeded")}
	}
	return err
}

// waitFor returns the ended jobs, in the given order, and an error if it could not wait for all.
func (a *app) waitFor(ctx context.Context, c *client.Client, ids []string) ([]api.Job, error) {
	ended := []api.Job{}
	var count, failed atomic.Int32
	defer a.progress(0).Live(func() string {
		text := fmt.Sprintf("%d of %s ended", count.Load(), wording.Count(len(ids), "job"))
		if n := failed.Load(); n > 0 {
			text += fmt.Sprintf(", %d without success", n)
		}
		return text
	})()
	err := c.WaitAll(ctx, ids, func(j api.Job) {
		ended = append(ended, j)
		if count.Add(1); j.State != "succeeded" {
			failed.Add(1)
		}
	})
	place := func(j api.Job) int { return slices.Index(ids, j.ID) }
	slices.SortStableFunc(ended, func(a, b api.Job) int { return place(a) - place(b) })
	return ended, err
}

func (a *app) outcomes(ctx context.Context, c *client.Client, w io.Writer, jobs []api.Job) {
	for _, j := range jobs {
		line := fmt.Sprintf("%s %s after %s", j.ID, j.State, wording.Span(j.FlowSeconds))
		if j.Cause != "" {
			line += ": " + j.Cause
		}
		if command := a.where(ctx, c, &j); command != "" {
			line += "; see " + command
		}
		fmt.Fprintln(w, oneLine(line))
	}
}
