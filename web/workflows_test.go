package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// step returns a task of a workflow in JSON.
func step(name string, after ...string) string {
	list := ""
	for _, word := range after {
		list += `,"` + word + `"`
	}
	return fmt.Sprintf(`{"name": %q, "after": [%s], "job": {"cpu": "500m", "memory": "64Mi", "command": ["true"]}}`, name,
		strings.TrimPrefix(list, ","))
}

func steps(tasks ...string) string {
	return `{"name": "survey", "tasks": [` + strings.Join(tasks, ",") + `]}`
}

// states returns the states of a workflow's tasks in one line.
func (s *site) states(t *testing.T, id string) string {
	t.Helper()
	var w api.Workflow
	s.want(200, "GET", "/v1/workflows/"+id, webtest.Viewer, "").into(t, &w)
	line := w.State + ":"
	for _, step := range w.Tasks {
		line += fmt.Sprintf(" %s %s %s", step.Name, step.Job, step.State)
	}
	return line
}

func TestAWorkflowIsSubmittedWholeRunInOrderAndResumed(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	var accepted api.WorkflowAccepted
	s.want(201, "POST", "/v1/workflows", webtest.Alice,
		steps(step("ship", "test", "docs:ended"), step("make"), step("test", "make"), step("docs", "make"))).
		into(t, &accepted)
	want := map[string]string{"make": "j1", "test": "j2", "docs": "j3", "ship": "j4"}
	if diff := cmp.Diff(want, accepted.Jobs); accepted.Workflow != "w1" || diff != "" {
		t.Errorf("%s: %s", accepted.Workflow, diff)
	}
	is := func(want string) {
		t.Helper()
		if got := s.states(t, "w1"); got != want {
			t.Errorf("the workflow is\n%s, want\n%s", got, want)
		}
	}
	is("waiting: make j1 waiting test j2 dependent docs j3 dependent ship j4 dependent")
	var j api.Job
	s.want(200, "GET", "/v1/jobs/j4", webtest.Viewer, "").into(t, &j)
	diff := cmp.Diff([]string{"j2", "j3:ended"}, j.Spec.After)
	why := "waits for the end of j2 and of 1 other job"
	if j.Workflow != "w1" || j.State != "dependent" || diff != "" || j.Why.Text != why {
		t.Errorf("%+v, %s", j, diff)
	}
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	is("cancelled: make j1 cancelled test j2 cancelled docs j3 cancelled ship j4 cancelled")
	s.want(403, "POST", "/v1/workflows/w1/resume", webtest.Bob, "")
	s.want(200, "POST", "/v1/workflows/w1/resume", webtest.Alice, "")
	is("waiting: make j5 waiting test j6 dependent docs j7 dependent ship j8 dependent")
	s.want(409, "POST", "/v1/workflows/w1/resume", webtest.Alice, "")
	s.want(200, "DELETE", "/v1/jobs/j8", webtest.Alice, "")
	for _, repeated := range []bool{false, true} {
		var again api.WorkflowAccepted
		s.want(200, "POST", "/v1/workflows/w1/resume", webtest.Alice, "", "Idempotency-Key: r").into(t, &again)
		diff := cmp.Diff(map[string]string{"ship": "j9"}, again.Jobs)
		if again.Workflow != "w1" || again.Repeated != repeated || diff != "" {
			t.Errorf("%+v", again)
		}
	}
	var gone api.WorkflowCancelled
	s.want(200, "DELETE", "/v1/workflows/w1", webtest.Alice, "").into(t, &gone)
	if diff := cmp.Diff([]string{"j9", "j7", "j6", "j5"}, gone.Jobs); diff != "" {
		t.Errorf("cancelled: %s", diff)
	}
	var list api.WorkflowList
	s.want(200, "GET", "/v1/workflows?state=cancelled", webtest.Viewer, "").into(t, &list)
	if len(list.Workflows) != 1 || list.Workflows[0].States["cancelled"] != 4 || list.Workflows[0].Ended == nil {
		t.Errorf("%+v", list)
	}
}

func TestAWorkflowThatIsWrongIsRefusedWholeAndSaysWhere(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	before := s.fingerprint()
	for body, want := range map[string]string{
		steps():               "tasks",
		steps(step("a", "b")): "a waits for b, which is not a task",
		steps(step("a", "c"), step("b", "a"), step("c", "b")): "in a circle: a, then c, then b, then a",
		steps(step("a", "a")):                                                     "in a circle: a, then a",
		steps(step("a"), step("a")):                                               "two tasks have the name a",
		steps(step("a"), step("b", "a", "a:ended")):                               "b waits for a twice",
		steps(step("a"), step("b", "a:")):                                         "cannot wait for",
		steps(step("a"), step("b", "a:soon")):                                     "cannot wait for \\\"a:soon\\\"",
		steps(step("a"), strings.Replace(step("b"), "64Mi", "9Ti", 1)):            "b: a task takes",
		steps(strings.Replace(step("a"), "64Mi", "many", 1)):                      "a: memory is not an amount of memory",
		steps(strings.Replace(step("a"), `"cpu"`, `"name": "x", "cpu"`, 1)):       "leave the name",
		steps(step("a"), strings.Repeat(step("b")+",", 1500)+step("c")):           "at most 10000 are allowed",
		`{"tasks": [` + strings.Repeat(`{"name": "a"},`, 600) + `{"name": "a"}]}`: "expected array length <= 500",
	} {
		r := s.call("POST", "/v1/workflows", webtest.Alice, body)
		if r.status < 400 || r.status > 422 || !strings.Contains(r.text, want) {
			t.Errorf("%.200s: %d %s, want %s", body, r.status, r.text, want)
		}
	}
	if diff := cmp.Diff(before, s.fingerprint()); diff != "" {
		t.Error("a refused workflow has changed the state")
	}
	s.want(404, "GET", "/v1/workflows/w7", webtest.Viewer, "")
	s.want(422, "GET", "/v1/workflows/j7", webtest.Viewer, "")
	s.want(404, "POST", "/v1/jobs", webtest.Alice, job(`"after": ["j9"]`))
	s.want(422, "POST", "/v1/jobs", webtest.Alice, job(`"after": ["make"]`))
}

func TestARepeatedWorkflowIsTheSameOneAndAnotherIsRefused(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 4000, 4096*cluster.MiB)
	var first, again api.WorkflowAccepted
	body := steps(step("a"), step("b", "a"))
	s.want(201, "POST", "/v1/workflows", webtest.Alice, body, "Idempotency-Key: k").into(t, &first)
	s.want(201, "POST", "/v1/workflows", webtest.Alice, body, "Idempotency-Key: k").into(t, &again)
	if !again.Repeated || again.Workflow != first.Workflow || again.Jobs["b"] != first.Jobs["b"] {
		t.Errorf("repeated: %+v, first: %+v", again, first)
	}
	for _, other := range []string{steps(step("c")), steps(step("a"), step("b")), strings.Replace(body, "64Mi", "96Mi", 1),
		strings.Replace(body, "survey", "other", 1)} {
		s.want(422, "POST", "/v1/workflows", webtest.Alice, other, "Idempotency-Key: k")
	}
}

func TestATaskThatIsNotNeededIsSkippedAndDoesNotFailItsWorkflow(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 4000, 4096*cluster.MiB)
	s.want(201, "POST", "/v1/workflows", webtest.Alice, steps(step("make"), step("mourn", "make:failed"),
		step("bury", "mourn"), step("ship", "make"), step("tell", "ship:ended")))
	end := func(job cluster.JobID, code int) {
		s.Run(t, job, 500, n1)
		s.Exit(t, cluster.RunID{Job: job, Number: 1}, code)
	}
	end(1, 0)
	end(4, 1)
	end(5, 0)
	if got := s.states(t, "w1"); got !=
		"failed: make j1 succeeded mourn j2 skipped bury j3 skipped ship j4 failed tell j5 succeeded" {
		t.Error(got)
	}
	var again api.WorkflowAccepted
	s.want(200, "POST", "/v1/workflows/w1/resume", webtest.Alice, "").into(t, &again)
	if diff := cmp.Diff(map[string]string{"ship": "j6"}, again.Jobs); diff != "" {
		t.Error(diff)
	}
	end(6, 0)
	if got := s.states(t, "w1"); got !=
		"succeeded: make j1 succeeded mourn j2 skipped bury j3 skipped ship j6 succeeded tell j5 succeeded" {
		t.Error(got)
	}
}
