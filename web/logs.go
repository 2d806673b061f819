package web

import (
	"context"
	"errors"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
)

func (s *server) registerLogs(to huma.API) {
	op := operation("get-logs", "GET", "/v1/jobs/{job}/logs", cluster.Viewer, "Output of a task",
		"The kept output of a run, or with stream=console the output of its guest's kernel. With follow=true it continues until the run has ended; without run, until the task has ended for good: it waits for the first output, and goes on with the runs that come after a failure, a loss or a stop, the output of one after that of the other. For the job's project and for operators.")
	op.Responses = map[string]*huma.Response{"200": {
		Description: "The output",
		Content:     map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: "string"}}},
	}}
	register(s, to, audited(op), s.getLogs)
}

func (s *server) getLogs(ctx context.Context, in *struct {
	JobPath
	Task   int    `query:"task" minimum:"0" default:"0" doc:"Its index"`
	Run    int    `query:"run" minimum:"0" default:"0" doc:"Number of the run; 0: the latest"`
	Stream string `query:"stream" enum:"stdout,stderr,all,console" default:"all" doc:"Stream of the task; console: output of its guest's kernel"`
	Offset int64  `query:"offset" minimum:"0" default:"0" doc:"Bytes to skip at the beginning, of the first run that is shown"`
	Follow bool   `query:"follow" doc:"Continue until the run, or without one the task, has ended"`
}) (*huma.StreamResponse, error) {
	v, j, err := s.find(ctx, in.JobPath)
	if err != nil {
		return nil, err
	}
	q := LogQuery{Stream: in.Stream, Offset: in.Offset, Follow: in.Follow}
	if !mayRead(actor(ctx), j.Spec) {
		return nil, newProblem(string(cluster.CodeForbidden), "",
			"%v belongs to project %s; its output is for that project and for operators", j.ID, j.Spec.Project)
	}
	if q.Run, err = runIn(j, in.Task, in.Run); err != nil {
		return nil, err
	}
	if in.Stream == "all" {
		q.Stream = ""
	}
	if in.Follow && in.Run == 0 && !over(j, &j.Tasks[in.Task]) {
		return s.stream(ctx, func(ctx context.Context, out *message) error { return s.followTask(ctx, out, q) })
	}
	if q.Run.Number == 0 {
		return nil, newProblem(codeNoLogs, "", "task %d of %v has not started yet: %s", in.Task, j.ID,
			explained(v, j))
	}
	return s.stream(ctx, func(ctx context.Context, out *message) error {
		logs, err := s.manager.Logs(ctx, q)
		if err != nil {
			return err
		}
		defer logs.Close()
		_, err = out.copyFrom(logs)
		return err
	})
}

// nextLook is the time after which a followed task without output is looked at again.
const nextLook = 200 * time.Millisecond

// followTask sends the output of the query's run and of those after it, until the task has ended for good.
func (s *server) followTask(ctx context.Context, out *message, q LogQuery) error {
	for {
		j := jobIn(s.manager.Latest(), q.Run.Job) // looked at before the log: that of an ended run is complete
		if j == nil {
			return nil
		}
		t := &j.Tasks[q.Run.Index]
		if q.Run.Number == 0 && t.Run > 0 {
			q.Run.Number = t.Run
		}
		if q.Run.Number > 0 && q.Run.Number <= t.Run {
			n, err := s.copyRun(ctx, out, q)
			if q.Offset += n; err != nil {
				return err
			}
			if q.Run.Number < t.Run || t.Phase == cluster.Idle || over(j, t) {
				q.Run.Number, q.Offset = q.Run.Number+1, 0
				continue
			}
		} else if over(j, t) {
			return nil
		}
		if err := out.pause(ctx, nextLook); err != nil {
			return err
		}
	}
}

// copyRun sends the output of a run until the run is over, and returns its bytes. A run that has none is no error.
func (s *server) copyRun(ctx context.Context, out *message, q LogQuery) (int64, error) {
	logs, err := s.manager.Logs(ctx, q)
	if errors.Is(err, ErrNoLogs) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer logs.Close()
	return out.copyFrom(logs)
}

// over reports whether a task will not start again.
func over(j *cluster.Job, t *cluster.Task) bool { return j.Ended != 0 || t.Phase == cluster.Done }
