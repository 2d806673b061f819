package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/web/api"
)

// startWait is the usual limit of the wait for a task that has not started.
const startWait = 5 * time.Minute

const startWaitHelp = `

A task that has not started is waited for, up to --wait; a terminal shows what it waits for. The
wait ends at once if the job is held, paused, waits for other jobs, or ends, and if it is promised
or tried again only after --wait.`

// addStartWait adds the flag that limits the wait for the start of a task.
func addStartWait(to *pflag.FlagSet, limit *time.Duration) {
	to.DurationVar(limit, "wait", startWait, "wait at most this long for the task to start; 0: not at all")
}

// startLimit ends the wait for the start of a task. A command that waits twice has one.
type startLimit struct {
	span time.Duration // as the user gave it; 0: the task is not waited for
	end  time.Time
}

// startsWithin returns the limit of a wait that begins now.
func startsWithin(span time.Duration) startLimit { return startLimit{span, time.Now().Add(span)} }

// awaitTask waits until ready reports true of a task, no longer than limit. It fails at once where the task does not
// start by itself. A task that the job does not have is left to the manager.
func (a *app) awaitTask(ctx context.Context, c *client.Client, job string, task int, limit startLimit,
	ready func(*api.Task) bool) error {
	if limit.span == 0 {
		return nil
	}
	var state atomic.Value
	state.Store("has not started")
	name := fmt.Sprintf("task %d of %s", task, job)
	overdue := fmt.Errorf("%s did not start within %v", name, limit.span)
	limited, cancel := context.WithDeadlineCause(ctx, limit.end, overdue)
	defer cancel()
	defer a.progress(0).Live(func() string { return fmt.Sprintf("%s %s", name, state.Load()) })()
	j, err := c.WaitUntil(limited, job, func(j *api.Job) bool {
		state.Store(beforeStart(j, task))
		return task >= len(j.Tasks) || ready(&j.Tasks[task]) || noStart(j, task) != "" ||
			startsAfter(j, task, limit.end) != ""
	})
	switch {
	case err != nil && context.Cause(limited) == overdue:
		return late{fmt.Errorf("%w: it %s", overdue, state.Load())}
	case err != nil || task >= len(j.Tasks) || ready(&j.Tasks[task]):
		return err
	}
	if why := noStart(&j, task); why != "" {
		return errors.New(why)
	}
	return late{fmt.Errorf("%s, later than --wait %v from now", startsAfter(&j, task, limit.end), limit.span)}
}

// checkStartWait refuses a limit in the past.
func checkStartWait(limit time.Duration) error {
	if limit < 0 {
		return usagef("--wait %v is in the past", limit)
	}
	return nil
}

// takesCommands reports whether a stream into the task's VM can begin.
func takesCommands(t *api.Task) bool {
	return slices.Contains([]string{"running", "resizing", "moving"}, t.State)
}

// hasStarted reports whether streams into the task's VM can begin, now or when its node is back.
func hasStarted(t *api.Task) bool { return takesCommands(t) || t.State == "frozen" }

// noStart says why a task will not start by itself; "": it may.
func noStart(j *api.Job, task int) string {
	t := &j.Tasks[task]
	switch {
	case t.State == "ended":
		return fmt.Sprintf("task %d of %s has ended", task, j.ID)
	case j.Outcome != "":
		return detail(j.ID+" does not start any more", j.Cause)
	case j.Held:
		return fmt.Sprintf("%s is held: `aliquot job release %[1]s` lets it run", j.ID)
	case j.State == "dependent":
		return detail(j.ID+" waits for other jobs to end", why(j))
	case t.State == "pausing" || t.State == "paused" && t.Target == "":
		return detail(fmt.Sprintf("task %d of %s is paused", task, j.ID), why(j))
	}
	return ""
}

// startsAfter says when a task without a VM starts, if that is known to be after limit; "": it may start before.
func startsAfter(j *api.Job, task int, limit time.Time) string {
	t, p := &j.Tasks[task], j.Promise
	switch {
	case t.Node != "":
	case p != nil && p.Deadline == nil && p.State == "promised" && p.Due.After(limit):
		return fmt.Sprintf("%s is promised from %s", j.ID, when(p.From))
	case p != nil && p.Ready != nil && p.Ready.After(limit):
		return fmt.Sprintf("%s does not run before %s", j.ID, when(*p.Ready))
	case t.RetryAt != nil && t.RetryAt.After(limit):
		return fmt.Sprintf("task %d of %s is tried again at %s", task, j.ID, when(*t.RetryAt))
	}
	return ""
}

// beforeStart says how far a task has come that has not started.
func beforeStart(j *api.Job, task int) string {
	if task >= len(j.Tasks) {
		return ""
	}
	t := &j.Tasks[task]
	switch {
	case t.State == "booting" || t.State == "starting":
		return "boots"
	case t.State == "waiting" && t.Target == "":
		return detail("waits", why(j))
	}
	return "is " + taskState(t)
}

// detail adds a cause to what is said, unless it is unknown.
func detail(text, cause string) string {
	if cause == "" {
		return text
	}
	return text + ": " + cause
}
