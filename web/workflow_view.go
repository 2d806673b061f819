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

// unfinished returns the tasks to submit again: those whose last job has ended without success, but not because it was
// to run only after another end of a task that is not repeated. They wait for each other as before, and for the last
// jobs of other tasks. Jobs that were forgotten count as ended as needed.
func (w *workflow) unfinished(v *cluster.Snapshot) (tasks []task) {
	names, again, last := w.names(), map[string]bool{}, map[string]*cluster.Job{}
	for _, j := range w.latest() {
		last[j.Spec.Name] = j
	}
	for _, j := range w.latest() {
		if !lost(j) {
			continue
		}
		if t, ok := repeated(j, names, again, last); ok {
			t.spec.After = slices.DeleteFunc(t.spec.After, func(d cluster.Dependency) bool { return jobIn(v, d.Job) == nil })
			again[t.name], tasks = true, append(tasks, t)
		}
	}
	return tasks
}

// lost reports whether a job has ended without success, or is about to.
func lost(j *cluster.Job) bool { return j.Ending != nil && j.Ending.Outcome != cluster.Succeeded }

// at returns the jobs that were submitted together with the given one, by their tasks.
func (w *workflow) at(first cluster.JobID) map[string]string {
	jobs := map[string]string{}
	var when cluster.Time
	for _, j := range w.jobs {
		if j.ID == first {
			when = j.Submitted
		}
		if j.ID >= first && j.Submitted == when {
			jobs[j.Spec.Name] = j.ID.String()
		}
	}
	return jobs
}

// repeated returns the task of a job to be submitted again, given the names of the workflow's jobs, the tasks before it
// that are submitted again, and the last job of each task. It returns false if the task could never run.
func repeated(j *cluster.Job, names map[cluster.JobID]string, again map[string]bool,
	last map[string]*cluster.Job) (task, bool) {
	spec, t := *j.Spec, task{name: j.Spec.Name}
	spec.After = nil
	for _, d := range j.Spec.After {
		name := names[d.Job]
		on := last[name]
		switch {
		case name == "": // of another workflow, or of none
			spec.After = append(spec.After, d)
		case again[name]:
			t.after = append(t.after, wait{name, d.When})
		case on.Ending != nil && !d.When.Include(on.Ending.Outcome):
			return t, false
		default:
			spec.After = append(spec.After, cluster.Dependency{Job: on.ID, When: d.When})
		}
	}
	t.spec = &spec
	return t, true
}

// workflow returns the workflow as JSON, with or without its tasks.
func (r reader) workflow(w *workflow, tasks bool) api.Workflow {
	first, names, again := w.jobs[0], w.names(), map[string]bool{}
	for _, t := range w.unfinished(r.view) {
		again[t.name] = true
	}
	out := api.Workflow{ID: workflowID(w.id), Name: first.Spec.Workflow, Owner: first.Spec.Owner,
		Project: first.Spec.Project, Submitted: clock(first.Submitted), States: map[string]int{}}
	var ended cluster.Time
	for _, j := range w.latest() {
		state := stateOf(r.view, j)
		if j.Ended != 0 && lost(j) && !again[j.Spec.Name] {
			state = "skipped"
		}
		out.States[state]++
		ended = max(ended, j.Ended)
		if tasks {
			out.Tasks = append(out.Tasks, r.step(j, state, names))
		}
	}
	if out.State = workflowState(out.States); out.State != "waiting" && out.State != "running" {
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
	case among("succeeded", "skipped"):
		return "succeeded"
	case among("succeeded", "skipped", "cancelled"):
		return "cancelled"
	case among("succeeded", "skipped", "failed", "cancelled"):
		return "failed"
	case among("waiting", "dependent", "held"):
		return "waiting"
	}
	return "running"
}

// step returns the last job of a task as JSON.
func (r reader) step(j *cluster.Job, state string, names map[cluster.JobID]string) api.WorkflowStep {
	out := api.WorkflowStep{Name: j.Spec.Name, Job: j.ID.String(), State: state, After: []string{},
		Started: clockOrNil(j.Started), Ended: clockOrNil(j.Ended)}
	for _, d := range j.Spec.After {
		out.After = append(out.After, dependencyWord(cmp.Or(names[d.Job], d.Job.String()), d.When))
	}
	out.Why = explained(r.view, j)
	return out
}
