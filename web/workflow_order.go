package web

import (
	"slices"
	"strings"

	"aliquot/cluster"
)

// task is a task of a workflow, which waits for others.
type task struct {
	name  string
	spec  *cluster.Spec
	after []wait
}

// wait names a task that must have ended before, and how.
type wait struct {
	task string
	when cluster.Outcomes
}

// ordered returns the steps of the tasks, each after those that it waits for, and their names. Its error names the
// tasks that are missing, doubled or in a cycle.
func ordered(tasks []task) (steps []cluster.Step, names []string, err error) {
	byName := map[string]*task{}
	for i := range tasks {
		if byName[tasks[i].name] != nil {
			return nil, nil, badTask("two tasks have the name %s", tasks[i].name)
		}
		byName[tasks[i].name] = &tasks[i]
	}
	o := order{tasks: byName, at: map[string]int{}}
	for i := range tasks {
		if err := o.place(&tasks[i]); err != nil {
			return nil, nil, err
		}
	}
	return o.steps, o.names, nil
}

func badTask(format string, args ...any) error {
	return newProblem(string(cluster.CodeInvalid), "tasks", format, args...)
}

// order places tasks depth first.
type order struct {
	tasks map[string]*task
	at    map[string]int // index of the placed ones
	path  []string       // from the task that was asked for to the one that is being placed
	steps []cluster.Step
	names []string
}

func (o *order) place(t *task) error {
	if _, done := o.at[t.name]; done {
		return nil
	}
	if from := slices.Index(o.path, t.name); from >= 0 {
		circle := strings.Join(append(o.path[from:], t.name), ", then ")
		return badTask("the tasks wait for each other in a circle: %s", circle)
	}
	o.path = append(o.path, t.name)
	step := cluster.Step{Spec: t.spec}
	for i, w := range t.after {
		on := o.tasks[w.task]
		switch {
		case on == nil:
			return badTask("%s waits for %s, which is not a task of the workflow", t.name, w.task)
		case slices.ContainsFunc(t.after[:i], func(earlier wait) bool { return earlier.task == w.task }):
			return badTask("%s waits for %s twice", t.name, w.task)
		}
		if err := o.place(on); err != nil {
			return err
		}
		step.After = append(step.After, cluster.StepDependency{Step: o.at[w.task], When: w.when})
	}
	o.path = o.path[:len(o.path)-1]
	o.at[t.name], o.names, o.steps = len(o.steps), append(o.names, t.name), append(o.steps, step)
	return nil
}
