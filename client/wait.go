package client

import (
	"context"

	"aliquot/web/api"
)

// Wait returns the job when it has ended.
func (c *Client) Wait(ctx context.Context, id string) (job api.Job, err error) {
	err = c.WaitAll(ctx, []string{id}, func(j api.Job) { job = j })
	return job, err
}

// WaitAll calls ended for each of the jobs when it has ended, and returns when all have.
func (c *Client) WaitAll(ctx context.Context, ids []string, ended func(api.Job)) error {
	w := waiting{c: c, names: ids, ended: ended}
	filter := EventFilter{Kinds: []string{"job_ended"}}
	if len(ids) == 1 {
		filter.Job = ids[0]
	}
	return c.await(ctx, filter, w.look)
}

// WaitUntil returns the job as soon as done reports true of it. It is asked now and after each event of the job.
func (c *Client) WaitUntil(ctx context.Context, id string, done func(*api.Job) bool) (j api.Job, err error) {
	err = c.await(ctx, EventFilter{Job: id}, func(ctx context.Context, _ string) (bool, error) {
		j, err = c.followJob(ctx, id)
		return err == nil && done(&j), err
	})
	return j, err
}

// waiting are the jobs that have not been seen to end.
type waiting struct {
	c     *Client
	names []string
	ended func(api.Job)
}

// look asks for the job that ended, or for all if job is "". It reports whether none is left.
func (w *waiting) look(ctx context.Context, job string) (bool, error) {
	var left []string
	for i, name := range w.names {
		if job != "" && name != job {
			left = append(left, name)
			continue
		}
		j, err := w.c.followJob(ctx, name)
		if err != nil {
			w.names = append(left, w.names[i:]...)
			return false, err
		}
		if Ended(&j) {
			w.ended(j)
			continue
		}
		left = append(left, j.ID)
	}
	w.names = left
	return len(left) == 0, nil
}

// await calls look at first and for each event, with its job, until it reports true or fails. A job may change
// before a stream of events is opened, so each opening is a reason to look, without the name of a job.
func (c *Client) await(ctx context.Context, f EventFilter,
	look func(ctx context.Context, job string) (bool, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	f.Hello = true
	for event, err := range c.Events(ctx, f) {
		if Code(err) == "resume_too_old" {
			return c.await(ctx, f, look)
		}
		if err != nil {
			return err
		}
		if done, err := look(ctx, event.Job); done || err != nil {
			return err
		}
	}
	return ctx.Err()
}
