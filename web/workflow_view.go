package web

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"aliquot/cluster"
	"aliquot/web/api"
)

// workflow holds the jobs of one workflow.
type workflow struct {
	id   cluster.JobID  // of its first job
	jobs []*cluster.Job // by id: first come those that wait for none; a resumed task has several
}

func workflowID(id cluster.JobID) string { return "w" + strings.TrimPrefix(id.String(), "j") }

// workflowsOf returns all workflows of which a job is remembered, newest first; with an id, that one alone.
func workflowsOf(v *cluster.Snapshot, only cluster.JobID) (list []*workflow) {
	byID := map[cluster.JobID]*workflow{}
	for _, j := range newestFirst(v) {
		if j.Workflow == 0 || only != 0 && j.Workflow != only {
			continue
		}
		w := byID[j.Workflow]
		if w == nil {
			w = &workflow{id: j.Workflow}
			byID[j.Workflow], list = w, append(list, w)
		}
		w.jobs = append(w.jobs, j)
	}
	for _, w := range list {
		slices.Reverse(w.jobs)
	}
	slices.SortFunc(list, func(a, b *workflow) int { return cmp.Compare(b.id, a.id) })
	return list
}

// latest returns the last job of each task, in the order in which the tasks came.
func (w *workflow) latest() (jobs []*cluster.Job) {
	at := map[string]int{}
	for _, j := range w.jobs {
		if i, known := at[j.Spec.Name]; known {
			jobs[i] = j
			continue
		}
		at[j.Spec.Name] = len(jobs)
		jobs = append(jobs, j)
	}
	return jobs
}

// names returns the task of each job.
func (w *workflow) names() map[cluster.JobID]string {
	names := map[cluster.JobID]string{}
	for _, j := range w.jobs {
		names[j.ID] = j.Spec.Name
	}
	return names
}

// unfinished returns the tasks to submit again: those whose last job has ended without success. They wait for each
// other as before, and for the last jobs of other tasks.
func (w *workflow) unfinished() (tasks []task) {
	names, again, last := w.names(), map[string]bool{}, map[string]cluster.JobID{}
	for _, j := range w.latest() {
		last[j.Spec.Name] = j.ID
		again[j.Spec.Name] = j.Ended != 0 && j.Ending.Outcome != cluster.Succeeded
	}
	for _, j := range w.latest() {
		if !again[j.Spec.Name] {
			continue
		}
		spec, t := *j.Spec, task{name: j.Spec.Name}
		spec.After = nil
		for _, d := range j.Spec.After {
			switch name := names[d.Job]; {
			case name == "": // of another workflow, or of none
				spec.After = append(spec.After, d)
			case again[name]:
				t.after = append(t.after, wait{name, d.When})
			default:
				spec.After = append(spec.After, cluster.Dependency{Job: last[name], When: d.When})
			}
		}
		t.spec = &spec
		tasks = append(tasks, t)
	}
	return tasks
}

// workflow returns the workflow as JSON, with or without its tasks.
func (r reader) workflow(w *workflow, tasks bool) api.Workflow {
	first, names := w.jobs[0], w.names()
	out := api.Workflow{ID: workflowID(w.id), Name: first.Spec.Workflow, Owner: first.Spec.Owner,
		Project: first.Spec.Project, Submitted: clock(first.Submitted), States: map[string]int{}}
	var ended cluster.Time
	for _, j := range w.latest() {
		step := r.step(j, names)
		out.States[step.State]++
		ended = max(ended, j.Ended)
		if tasks {
			out.Tasks = append(out.Tasks, step)
		}
	}
	if out.State = workflowState(out.States); out.State == "succeeded" || out.State == "failed" {
		out.Ended = clockOrNil(ended)
	}
	return out
}

// workflowState returns the state of a workflow in one word, given the number of its tasks in each state.
func workflowState(tasks map[string]int) string {
	words := slices.Collect(maps.Keys(tasks))
	among := func(states ...string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(states, word) })
	}
	switch {
	case among("succeeded"):
		return "succeeded"
	case among("succeeded", "failed", "cancelled"):
		return "failed"
	case among("waiting", "dependent", "held"):
		return "waiting"
	}
	return "running"
}

// step returns the last job of a task as JSON.
func (r reader) step(j *cluster.Job, names map[cluster.JobID]string) api.WorkflowStep {
	out := api.WorkflowStep{Name: j.Spec.Name, Job: j.ID.String(), State: stateOf(r.view, j), After: []string{},
		Started: clockOrNil(j.Started), Ended: clockOrNil(j.Ended)}
	for _, d := range j.Spec.After {
		out.After = append(out.After, dependencyWord(cmp.Or(names[d.Job], d.Job.String()), d.When))
	}
	if j.Ending != nil {
		out.Why = r.cause(j.Ending.Cause)
	} else {
		out.Why = whyJSON(r.view, r.view.Reason(j)).Text
	}
	return out
}
