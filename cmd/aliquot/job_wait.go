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

func (a *app) waitCommand() *cobra.Command {
	var timeout time.Duration
	c := &cobra.Command{
		Use: "wait JOB...", Short: "Wait until jobs have ended", Args: takes("JOB..."), ValidArgsFunction: a.completeJobs,
		Long: `Wait until jobs have ended, and print their outcomes. Exits with 0 if all succeeded, with 1 if
one failed or was cancelled, with 4 if not all had ended within --timeout; that stops none.
A terminal shows how many have ended. An outage of the managers does not end it.`,
		Example: "  aliquot job wait j17 && echo done\n  aliquot job wait j17 j18 --timeout 10m",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if timeout < 0 {
				return usagef("--timeout %v is in the past", timeout)
			}
			overdue := late{fmt.Errorf("not all jobs have ended within %v; that stops none of them", timeout)}
			limited := ctx
			if timeout > 0 {
				var cancel context.CancelFunc
				limited, cancel = context.WithTimeoutCause(ctx, timeout, overdue)
				defer cancel()
			}
			jobs, err := a.waitFor(limited, c, args)
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
		}),
	}
	c.Flags().DurationVar(&timeout, "timeout", 0, "wait at most this long, like 90s or 2h; 0: forever")
	return c
}

// waitFor returns the ended jobs, in the given order, and an error if it could not wait for all.
func (a *app) waitFor(ctx context.Context, c *client.Client, ids []string) ([]api.Job, error) {
	ended := []api.Job{}
	var count atomic.Int32
	defer a.progress(0).Live(func() string {
		n := int(count.Load())
		return fmt.Sprintf("%d of %s ended, waiting for %s", n, wording.Count(len(ids), "job"), ids[min(n, len(ids)-1)])
	})()
	for _, id := range ids {
		j, err := c.Wait(ctx, id)
		if err != nil {
			return ended, err
		}
		ended = append(ended, j)
		count.Add(1)
	}
	return ended, nil
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
