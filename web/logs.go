package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/wording"
)

func (s *server) registerLogs(to huma.API) {
	op := operation("get-logs", "GET", "/v1/jobs/{job}/logs", cluster.Viewer, "Output of a task",
		"The kept output of a run, or with stream=console the output of its guest's kernel. With follow=true it continues until the run has ended. For the job's project and for operators.")
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
	Offset int64  `query:"offset" minimum:"0" default:"0" doc:"Bytes to skip at the beginning"`
	Follow bool   `query:"follow" doc:"Continue until the run has ended"`
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
	if q.Run.Number == 0 {
		return nil, newProblem(codeNoLogs, "", "task %d of %v has not started yet: %s", in.Task, j.ID,
			wording.Reason(v.Reason(j), wording.Of(v.State)))
	}
	if in.Stream == "all" {
		q.Stream = ""
	}
	return s.stream(ctx, func(ctx context.Context, out *message) error {
		logs, err := s.manager.Logs(ctx, q)
		if err != nil {
			return err
		}
		defer logs.Close()
		return out.copyFrom(logs)
	})
}
