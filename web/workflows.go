package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

const (
	maxWorkflow  = 8 << 20 // bytes of a specification
	maxWorkflows = 1000    // in a list
)

// WorkflowPath names a workflow in a path.
type WorkflowPath struct {
	Workflow string `path:"workflow" maxLength:"32" doc:"Its id" example:"w6"`
}

func (s *server) registerWorkflows(to huma.API) {
	submit := operation("submit-workflow", "POST", "/v1/workflows", cluster.User, "Submit a workflow",
		"All of its tasks are accepted as jobs, or none. A task runs once those that it waits for have ended as it needs.")
	submit.DefaultStatus, submit.MaxBodyBytes = http.StatusCreated, maxWorkflow
	register(s, to, submit, s.submitWorkflow)
	register(s, to, measured(operation("list-workflows", "GET", "/v1/workflows", cluster.Viewer, "List workflows",
		"Newest first, as long as one of their jobs is remembered.")), s.listWorkflows)
	show := operation("get-workflow", "GET", "/v1/workflows/{workflow}", cluster.Viewer, "Show a workflow",
		"With its tasks and what they wait for.")
	register(s, to, measured(show), s.getWorkflow)
	register(s, to, operation("cancel-workflow", "DELETE", "/v1/workflows/{workflow}", cluster.User, "Cancel a workflow",
		"All of its jobs that have not ended are cancelled."), s.cancelWorkflow)
	resume := operation("resume-workflow", "POST", "/v1/workflows/{workflow}/resume", cluster.User, "Resume a workflow",
		"Its tasks that failed or were cancelled are submitted again. Those that succeeded are not repeated.")
	register(s, to, resume, s.resumeWorkflow)
}

type workflowOutput struct {
	Location string `header:"Location"`
	Body     api.WorkflowAccepted
}

func (s *server) submitWorkflow(ctx context.Context, in *struct {
	Keyed
	Body api.WorkflowSpec
}) (*workflowOutput, error) {
	var tasks []task
	for i := range in.Body.Tasks {
		t, err := s.task(ctx, &in.Body.Tasks[i], in.Body.Name, in.Key)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return s.enter(ctx, in.Key, cluster.SubmitWorkflow{}, tasks)
}

// task reads one task of a specification.
func (s *server) task(ctx context.Context, in *api.WorkflowTask, workflow, key string) (task, error) {
	if in.Job.Name != "" || in.Job.After != nil {
		return task{}, badTask("%s: leave the name and the after of its job out; those of the task count", in.Name)
	}
	spec, err := specOf(&in.Job, actor(ctx), s.images(ctx))
	if err == nil {
		err = s.runnableNow(ctx, key, spec)
	}
	if err != nil {
		p := *problemOf(err)
		p.Detail, p.Field = in.Name+": "+strings.TrimPrefix(p.Field+" ", " ")+p.Detail, "tasks"
		return task{}, &p
	}
	spec.Name, spec.Workflow = in.Name, workflow
	t := task{name: in.Name, spec: spec}
	for _, word := range in.After {
		name, when, err := dependency(word)
		if err != nil {
			return task{}, err
		}
		t.after = append(t.after, wait{name, when})
	}
	return t, nil
}

// enter submits tasks as steps of a workflow.
func (s *server) enter(ctx context.Context, key string, to cluster.SubmitWorkflow, tasks []task) (*workflowOutput,
	error) {
	var names []string
	var err error
	if to.Steps, names, err = ordered(tasks); err != nil {
		return nil, err
	}
	result, err := s.do(ctx, key, to)
	if err != nil {
		p := *problemOf(err)
		if strings.HasPrefix(p.Field, "steps") {
			p.Field = "tasks" // the steps are in another order
		}
		return nil, &p
	}
	if result.Repeated {
		if err := s.sameSteps(ctx, result.Job, to.Steps); err != nil {
			return nil, err
		}
	}
	jobs := map[string]string{}
	for i, name := range names {
		jobs[name] = (result.Job + cluster.JobID(i)).String()
	}
	return s.entered(ctx, result, jobs)
}

// entered answers with the new jobs of a workflow.
func (s *server) entered(ctx context.Context, result cluster.Result, jobs map[string]string) (*workflowOutput, error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	id := result.Job // of a workflow of which no job is remembered
	if j := jobIn(v, result.Job); j != nil {
		id = j.Workflow
	}
	out := api.WorkflowAccepted{Accepted: accepted(result).Body, Workflow: workflowID(id), Jobs: jobs}
	return &workflowOutput{"/v1/workflows/" + out.Workflow, out}, nil
}

// sameSteps checks that a repeated key came with the same steps as before.
func (s *server) sameSteps(ctx context.Context, first cluster.JobID, steps []cluster.Step) error {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return err
	}
	for i := range steps {
		j, spec := jobIn(v, first+cluster.JobID(i)), *steps[i].Spec
		if j == nil {
			continue
		}
		spec.Image = j.Spec.Image // the name may mean another one by now
		spec.After = slices.Clone(spec.After)
		for _, d := range steps[i].After {
			spec.After = append(spec.After, cluster.Dependency{Job: first + cluster.JobID(d.Step), When: d.When})
		}
		slices.SortFunc(spec.After, func(a, b cluster.Dependency) int { return cmp.Compare(a.Job, b.Job) })
		if specText(j.Spec) != specText(&spec) || j.Spec.Workflow != spec.Workflow {
			return newProblem(codeKeyReused, "Idempotency-Key", "this key was used for another workflow, in which %v is %s",
				j.ID, j.Spec.Name)
		}
	}
	return nil
}

func (s *server) listWorkflows(ctx context.Context, in *struct {
	State string `query:"state" enum:"waiting,running,succeeded,failed,cancelled" doc:"Those in this state; left out: all"`
}) (*body[api.WorkflowList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.WorkflowList{Workflows: []api.Workflow{}}
	for _, w := range workflowsOf(v, 0) {
		if out := s.reader(ctx, v).workflow(w, false); in.State == "" || in.State == out.State {
			list.Workflows = append(list.Workflows, out)
		}
	}
	list.Total = len(list.Workflows)
	list.Workflows = list.Workflows[:min(len(list.Workflows), maxWorkflows)]
	return answer(list), nil
}

// workflow finds the workflow of a path in the present view.
func (s *server) workflow(ctx context.Context, in WorkflowPath) (*cluster.Snapshot, *workflow, error) {
	number, found := strings.CutPrefix(in.Workflow, "w")
	id, err := cluster.ParseJobID("j" + number)
	if !found || err != nil {
		return nil, nil, newProblem(string(cluster.CodeInvalid), "workflow",
			"ids of workflows look like w6; `workflow list` shows them")
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	all := workflowsOf(v, id)
	if len(all) == 0 {
		return nil, nil, newProblem(string(cluster.CodeNotFound), "workflow",
			"there is no workflow %s, or all of its jobs were forgotten", in.Workflow)
	}
	return v, all[0], nil
}

func (s *server) getWorkflow(ctx context.Context, in *WorkflowPath) (*body[api.Workflow], error) {
	v, w, err := s.workflow(ctx, *in)
	if err != nil {
		return nil, err
	}
	return answer(s.reader(ctx, v).workflow(w, true)), nil
}

// cancelWorkflow cancels job after job, those that wait for others first, so that none begins meanwhile.
func (s *server) cancelWorkflow(ctx context.Context, in *struct {
	Keyed
	WorkflowPath
}) (*body[api.WorkflowCancelled], error) {
	_, w, err := s.workflow(ctx, in.WorkflowPath)
	if err != nil {
		return nil, err
	}
	out := api.WorkflowCancelled{Jobs: []string{}}
	for _, j := range slices.Backward(w.jobs) {
		if j.Ended != 0 || j.Ending != nil {
			continue
		}
		key := in.Key
		if key != "" {
			key += "/" + j.ID.String()
		}
		cause := cluster.Cause{Text: "the workflow was cancelled by " + actor(ctx).Name}
		if _, err := s.do(ctx, key, cluster.Cancel{Job: j.ID, Cause: cause}); err != nil {
			if code := problemOf(err).Code; code == string(cluster.CodeConflict) || code == string(cluster.CodeNotFound) {
				continue // it has ended meanwhile
			}
			return nil, err
		}
		out.Jobs = append(out.Jobs, j.ID.String())
	}
	return answer(out), nil
}

func (s *server) resumeWorkflow(ctx context.Context, in *struct {
	Keyed
	WorkflowPath
}) (*workflowOutput, error) {
	v, w, err := s.workflow(ctx, in.WorkflowPath)
	if err != nil {
		return nil, err
	}
	to := cluster.SubmitWorkflow{Joins: w.jobs[0].ID, Seen: v.NextJob}
	if in.Key != "" && v.Done(request(ctx, in.Key)) {
		result, err := s.do(ctx, in.Key, to)
		if err != nil {
			return nil, err
		}
		return s.entered(ctx, result, w.at(result.Job))
	}
	tasks := w.unfinished(v)
	for _, t := range tasks {
		if err := s.runnable(v, t.spec); err != nil {
			return nil, err
		}
	}
	if len(tasks) == 0 {
		return nil, newProblem(string(cluster.CodeConflict), "workflow",
			"no task of %s has failed or was cancelled: there is nothing to resume", in.Workflow)
	}
	return s.enter(ctx, in.Key, to, tasks)
}
