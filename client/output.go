package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"aliquot/web/api"
)

// LogQuery selects the output of one task.
type LogQuery struct {
	Task, Run int    // Run 0: the latest
	Stream    string // stdout, stderr, "" for both, or console for the guest kernel's messages
	Offset    int64  // bytes to skip
	Follow    bool   // until the run has ended; with Run 0 until the task has ended for good
}

// Logs opens the output of a task; the caller closes it.
func (c *Client) Logs(ctx context.Context, id string, q LogQuery) (io.ReadCloser, error) {
	query := url.Values{"task": {strconv.Itoa(q.Task)}, "run": {strconv.Itoa(q.Run)},
		"offset": {strconv.FormatInt(q.Offset, 10)}}
	if q.Stream != "" {
		query.Set("stream", q.Stream)
	}
	if q.Follow {
		query.Set("follow", "true")
	}
	response, err := c.send(ctx, call{method: http.MethodGet, path: jobPath(id) + "/logs", query: query})
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

// FollowLog copies the output of a task, from the start of its latest run until the task has ended for good: it goes on
// with the runs that come after a failure, a loss or a stop. With a Run it copies that run's output to its end. It goes
// on where it was when a manager fails, so that no byte is lost or doubled.
func (c *Client) FollowLog(ctx context.Context, id string, q LogQuery, to io.Writer) error {
	q.Follow = true
	f := follower{c, id, q.Run > 0}
	for begun := false; ; begun = true {
		if err := f.await(ctx, &q); err != nil || q.Run == 0 {
			if begun && Code(err) == "no_logs" {
				return nil // runs without output after one that had some
			}
			return err
		}
		if err := f.copy(ctx, &q, to); err != nil || f.oneRun {
			return err
		}
		q.Run, q.Offset = q.Run+1, 0
	}
}

// follower follows the output of a task.
type follower struct {
	*Client
	job    string
	oneRun bool // later runs are of no interest
}

// await waits until the run, or a later one, has output to open. It sets the run: 0 if there will be none, although
// there was no refusal.
func (f follower) await(ctx context.Context, q *LogQuery) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	kinds := []string{"task_started", "task_exited", "task_lost", "job_ended"}
	for _, err := range f.Events(ctx, EventFilter{Job: f.job, Kinds: kinds, Hello: true}) {
		if err != nil {
			return err
		}
		if ready, err := f.seek(ctx, q); ready || err != nil {
			return err
		}
	}
	return ctx.Err()
}

// seek passes over runs that ended without output. It reports whether the run's output can be opened, or, with Run 0,
// whether there is no further run.
func (f follower) seek(ctx context.Context, q *LogQuery) (ready bool, err error) {
	for {
		at, err := f.look(ctx, q)
		if err != nil {
			return false, err
		}
		if at == runToCome {
			return false, nil
		}
		if at == noRunToCome {
			q.Run = 0
			return true, nil
		}
		log, err := f.openLog(ctx, f.job, LogQuery{Task: q.Task, Run: q.Run, Stream: q.Stream, Offset: q.Offset})
		switch {
		case err == nil:
			return true, log.Close()
		case Code(err) != "no_logs":
			return false, err
		case at == runGoesOn:
			return false, nil
		case f.oneRun || at == lastRunOver:
			return false, err
		}
		q.Run, q.Offset = q.Run+1, 0
	}
}

// standing is what a job tells of a run.
type standing int

const (
	runToCome   standing = iota // it has not begun
	runGoesOn                   // it has not ended
	runOver                     // it has ended, and a later one began or may begin
	lastRunOver                 // it has ended with its task, or the task does not exist
	noRunToCome                 // its task ended before it began
)

// look replaces the latest run by its number, and tells how it stands.
func (f follower) look(ctx context.Context, q *LogQuery) (standing, error) {
	j, err := f.followJob(ctx, f.job)
	if err != nil || q.Task >= len(j.Tasks) {
		return lastRunOver, err // the log's error tells which tasks there are
	}
	t := &j.Tasks[q.Task]
	over := Ended(&j) || t.State == "ended"
	switch {
	case q.Run == 0 && t.Run == 0 && !over:
		return runToCome, nil
	case q.Run == 0:
		q.Run = t.Run
	case q.Run > t.Run && f.oneRun:
		return lastRunOver, nil // the log's error tells which runs there are
	case q.Run > t.Run && over:
		return noRunToCome, nil
	case q.Run > t.Run:
		return runToCome, nil
	}
	switch {
	case over && q.Run == t.Run:
		return lastRunOver, nil
	case q.Run < t.Run || t.State == "waiting":
		return runOver, nil
	}
	return runGoesOn, nil
}

// copy copies the rest of the run's output, until the run is over.
func (f follower) copy(ctx context.Context, q *LogQuery, to io.Writer) error {
	for failures := 1; ; failures++ {
		at, err := f.look(ctx, q) // asked before the log: the log of an ended run is complete
		if err != nil {
			return err
		}
		n, err := f.copyLog(ctx, f.job, *q, to)
		if q.Offset += n; err != nil || at != runGoesOn && n == 0 {
			return err
		}
		if n > 0 {
			failures = 0
		} else if err := sleep(ctx, pause(failures)); err != nil {
			return err
		}
	}
}

// followJob returns the job as soon as a manager can.
func (c *Client) followJob(ctx context.Context, id string) (j api.Job, err error) {
	err = c.persist(ctx, func() error {
		j, err = c.Job(ctx, id)
		return err
	})
	return j, err
}

// openLog opens the output as soon as a manager can.
func (c *Client) openLog(ctx context.Context, id string, q LogQuery) (log io.ReadCloser, err error) {
	err = c.persist(ctx, func() error {
		log, err = c.Logs(ctx, id, q)
		return err
	})
	return log, err
}

// copyLog copies the output until the manager ends it or its connection breaks. It returns the number of bytes that
// were written.
func (c *Client) copyLog(ctx context.Context, id string, q LogQuery, to io.Writer) (int64, error) {
	log, err := c.openLog(ctx, id, q)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	out := &sink{to: to}
	n, err := io.Copy(out, log)
	switch {
	case out.failed != nil:
		return n, fmt.Errorf("write the output of %s: %w", id, out.failed)
	case err != nil && (c.lost == nil || errors.Is(err, context.Canceled)):
		return n, fmt.Errorf("read the output of %s: %w", id, err)
	}
	return n, nil
}

// sink keeps the error of a write, to tell it from one of the reader.
type sink struct {
	to     io.Writer
	failed error
}

func (s *sink) Write(p []byte) (n int, err error) {
	n, s.failed = s.to.Write(p)
	return n, s.failed
}
