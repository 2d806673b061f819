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
	Follow    bool   // until the run has ended
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

// FollowLog copies the output of a task from its start to the end of the run. It goes on where it was when a manager
// fails, so that no byte is lost or doubled.
func (c *Client) FollowLog(ctx context.Context, id string, q LogQuery, to io.Writer) error {
	q.Follow = true
	if err := c.awaitLog(ctx, id, &q); err != nil {
		return err
	}
	for failures := 1; ; failures++ {
		over, err := c.pin(ctx, id, &q) // asked before the log: the log of an ended run is complete
		if err != nil {
			return err
		}
		n, err := c.copyLog(ctx, id, q, to)
		if q.Offset += n; err != nil || over && n == 0 {
			return err
		}
		if n > 0 {
			failures = 0
		} else if err := sleep(ctx, pause(failures)); err != nil {
			return err
		}
	}
}

// awaitLog waits until there is output to open, or the run is over.
func (c *Client) awaitLog(ctx context.Context, id string, q *LogQuery) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for _, err := range c.Events(ctx, EventFilter{Job: id, Kinds: []string{"task_started", "job_ended"}, Hello: true}) {
		if err != nil {
			return err
		}
		over, err := c.pin(ctx, id, q)
		if err != nil {
			return err
		}
		log, err := c.openLog(ctx, id, LogQuery{Task: q.Task, Run: q.Run, Stream: q.Stream, Offset: q.Offset})
		if err == nil {
			return log.Close()
		}
		if over || Code(err) != "no_logs" {
			return err
		}
	}
	return ctx.Err()
}

// pin replaces the latest run by its number, and reports whether the run is over.
func (c *Client) pin(ctx context.Context, id string, q *LogQuery) (over bool, err error) {
	j, err := c.followJob(ctx, id)
	if err != nil || q.Task >= len(j.Tasks) {
		return true, err // the log's error tells which tasks there are
	}
	t := &j.Tasks[q.Task]
	if q.Run == 0 {
		q.Run = t.Run
	}
	return Ended(&j) || q.Run < t.Run || q.Run > 0 && (t.State == "waiting" || t.State == "ended"), nil
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
