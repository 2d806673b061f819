package cluster

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxSteps is the number of steps that are submitted at once.
const MaxSteps = 500

// A Step is a job of a workflow. It may wait for steps before it, and by its Spec for any other job.
type Step struct {
	Spec  *Spec
	After []StepDependency
}

// StepDependency lets a step run only after an earlier one has ended in a certain way.
type StepDependency struct {
	Step int // index in SubmitWorkflow.Steps
	When Outcomes
}

func (a SubmitWorkflow) apply(t *transaction) Result {
	workflow, r := a.workflow(t)
	if r != nil {
		return Result{Rejection: r}
	}
	first := t.NextJob
	for i := range a.Steps {
		spec, r := a.Steps[i].spec(i, first)
		if r == nil {
			r = t.submit(spec, workflow)
		}
		if r != nil {
			return Result{Rejection: a.Steps[i].named(i, r)}
		}
	}
	return Result{Job: first}
}

// workflow returns the workflow that the steps become a part of.
func (a SubmitWorkflow) workflow(t *transaction) (JobID, *Rejection) {
	if len(a.Steps) == 0 || len(a.Steps) > MaxSteps {
		return 0, invalid("steps", "a workflow has from 1 to %d tasks, not %d", MaxSteps, len(a.Steps))
	}
	if slices.ContainsFunc(a.Steps, func(s Step) bool { return s.Spec == nil }) {
		return 0, invalid("steps", "each task needs a specification")
	}
	if r := t.Unready(a); r != nil || a.Joins == 0 {
		return t.NextJob, r
	}
	return a.joined(t)
}

// joined returns the workflow that the steps join, if its owner asks for it and knows all of its jobs.
func (a SubmitWorkflow) joined(t *transaction) (JobID, *Rejection) {
	j := cmp.Or(t.Job(a.Joins), t.Ended(a.Joins))
	if j == nil || j.Workflow == 0 {
		return 0, reject(CodeNotFound, "", "%v is of no workflow, or was forgotten", a.Joins).Rejection
	}
	if !t.command.Actor.Steers(j.Spec) {
		return 0, reject(CodeForbidden, "", "the workflow belongs to %s in project %s", j.Spec.Owner,
			j.Spec.Project).Rejection
	}
	const most = 100_000 // ids that are looked at
	stale := a.Seen > t.NextJob || t.NextJob-a.Seen > most
	for id := a.Seen; !stale && id < t.NextJob; id++ {
		later := cmp.Or(t.Job(id), t.Ended(id))
		stale = later != nil && later.Workflow == j.Workflow
	}
	if stale {
		return 0, reject(CodeConflict, "", "somebody else has just submitted tasks of this workflow: look at it again").Rejection
	}
	return j.Workflow, nil
}

// spec returns the specification of a step, the i-th, with the ids of the steps that it waits for.
func (s *Step) spec(i int, first JobID) (*Spec, *Rejection) {
	spec := *s.Spec
	spec.After = slices.Clone(spec.After)
	for _, d := range s.After {
		if d.Step < 0 || d.Step >= i {
			return nil, invalid("after", "waits for step %d, and may wait for those before it only", d.Step)
		}
		spec.After = append(spec.After, Dependency{first + JobID(d.Step), d.When})
	}
	slices.SortFunc(spec.After, func(a, b Dependency) int { return cmp.Compare(a.Job, b.Job) })
	return &spec, nil
}

// named returns a rejection that says which step it is about.
func (s *Step) named(i int, r *Rejection) *Rejection {
	named := *r
	name := fmt.Sprint(i + 1)
	if s.Spec.Name != "" {
		name = s.Spec.Name
	}
	named.Field = fmt.Sprintf("steps[%d].%s", i, r.Field)
	named.Detail = fmt.Sprintf("%s: %s", name, r.Detail)
	return &named
}
