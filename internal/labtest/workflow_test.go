package labtest

import (
	"testing"

	"aliquot/client"
	"aliquot/web/api"
)

// workflowOf returns a workflow of tasks that each run a script.
func workflowOf(scripts map[string]string, after map[string][]string) (w api.WorkflowSpec) {
	for name, script := range scripts {
		w.Tasks = append(w.Tasks, api.WorkflowTask{Name: name, Job: shell(script, "400m"), After: after[name]})
	}
	return w
}

// beganAfter fails the test if a job began before another had ended.
func (s *scene) beganAfter(job, other string) {
	s.t.Helper()
	began, over := s.events(job, "task_starting"), s.events(other, "job_ended")
	if len(began) == 0 || len(over) != 1 || began[0].At.Before(over[0].At) {
		s.t.Errorf("%s began with %s, and %s ended with %s", job, show(began), other, show(over))
	}
}

func TestAWorkflowRunsInOrderAndIsResumedWhereItFailed(t *testing.T) {
	s := begin(t)
	accepted, err := s.api.SubmitWorkflow(s.ctx, workflowOf(map[string]string{
		"make": "echo made", "test": "echo tested", "ship": "exit 3", "mourn": "echo it failed", "tell": "echo shipped",
	}, map[string][]string{
		"test": {"make"}, "ship": {"make", "test:ended"}, "mourn": {"ship:failed"}, "tell": {"ship"},
	}), "")
	s.ok(err)
	jobs := accepted.Jobs
	s.await(jobs["mourn"], "succeeded", 3*ended)
	s.await(jobs["tell"], "cancelled", ended)
	for job, others := range map[string][]string{"test": {"make"}, "ship": {"make", "test"}, "mourn": {"ship"}} {
		for _, other := range others {
			s.beganAfter(jobs[job], jobs[other])
		}
	}
	if got := s.read(jobs["mourn"], client.LogQuery{}); got != "it failed\n" {
		t.Errorf("it wrote %q", got)
	}
	again, err := s.api.ResumeWorkflow(s.ctx, accepted.Workflow)
	s.ok(err)
	if len(again.Jobs) != 2 || again.Jobs["ship"] == "" || again.Jobs["tell"] == "" {
		t.Errorf("these run again: %v", again.Jobs)
	}
	s.await(again.Jobs["ship"], "failed", 2*ended)
	w, err := s.api.Workflow(s.ctx, accepted.Workflow)
	s.ok(err)
	if w.State != "failed" || w.States["succeeded"] != 3 || w.States["failed"] != 1 || w.States["cancelled"] != 1 {
		t.Errorf("at the end: %s", show(w))
	}
}
