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
	if r := a.refuse(t); r != nil {
		return Result{Rejection: r}
	}
	first := t.NextJob
	workflow := cmp.Or(a.Of, first)
	for i := range a.Steps {
		spec, r := a.Steps[i].spec(i, first)
		if r == nil {
			r = t.submit(spec, workflow).Rejection
		}
		if r != nil {
			return Result{Rejection: a.Steps[i].named(i, r)}
		}
	}
	return Result{Job: first}
}

func (a SubmitWorkflow) refuse(t *transaction) *Rejection {
	if len(a.Steps) == 0 || len(a.Steps) > MaxSteps {
		return invalid("steps", "a workflow has from 1 to %d steps, not %d", MaxSteps, len(a.Steps))
	}
	if r := t.Unready(a); r != nil || a.Of == 0 {
		return r
	}
	first := cmp.Or(t.Job(a.Of), t.Ended(a.Of))
	if first == nil || first.Workflow != a.Of {
		return reject(CodeNotFound, "", "there is no workflow of %v, or it was forgotten", a.Of).Rejection
	}
	if by := t.command.Actor; by.Role < Operator && (by.Owner != first.Spec.Owner || by.Project != first.Spec.Project) {
		return reject(CodeForbidden, "", "the workflow of %v belongs to %s in project %s", a.Of, first.Spec.Owner,
			first.Spec.Project).Rejection
	}
	return nil
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
	named.Detail = fmt.Sprintf("step %s: %s", name, r.Detail)
	return &named
}
