package main

import (
	"context"
	"fmt"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

// unpromised returns the error that nothing is promised to the job, with what became of an earlier promise as far as
// the job and the events that are kept tell it.
func unpromised(ctx context.Context, c *client.Client, j *api.Job) error {
	if j.Spec.Reserve == nil && j.Spec.Deadline == nil {
		return fmt.Errorf("%s is promised nothing", j.ID)
	}
	var last *api.Event
	ended := client.EventFilter{Job: j.ID, Kinds: []string{"job_promise_broken", "job_overran"}}
	if events, err := c.History(ctx, ended, 1); err == nil && len(events) > 0 {
		last = &events[0] // without it the job alone tells
	}
	return fmt.Errorf("%s is promised nothing any more: %s", j.ID, became(j, last))
}

// became says what became of a job's promise: what was asked for, the last event that ended the promise, if any, and
// the end of the job.
func became(j *api.Job, last *api.Event) string {
	var text string
	if d := j.Spec.Deadline; d != nil {
		text = "it was to have had its work by " + moment(d.By)
	} else {
		r := j.Spec.Reserve
		text = fmt.Sprintf("it was to have its full CPU from %s for %s", moment(r.Start), r.Duration)
	}
	switch {
	case last == nil:
	case last.Kind == "job_promise_broken":
		text += fmt.Sprintf("; the promise was broken at %s: %s", when(last.At), last.Text)
	default:
		text += fmt.Sprintf("; that was over at %s: %s", when(last.At), last.Text)
	}
	if j.Ended != nil {
		return text + fmt.Sprintf("; it %s at %s", word(j.State == "cancelled", "was cancelled", j.State), when(*j.Ended))
	}
	return text + "; it has not ended"
}

// moment formats a time of a specification.
func moment(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return when(at)
}
