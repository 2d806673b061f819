// Package wf reads workflows in WfFormat 1.5, the form in which WfCommons publishes instances. It reads what tasks are,
// what they wait for, and how they ran; files, machines and authors are left out.
//
// Invariants: names of tasks are unique, and every parent is a task. Whether tasks wait for each other in a circle is
// for the caller to find.
//
// Reference: https://github.com/wfcommons/WfFormat, schema 1.5.
package wf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Workflow is a set of tasks that wait for each other.
type Workflow struct {
	Name  string // of letters, digits and ._-
	Tasks []Task
}

// A Task is a task with its measured use, zero where the file tells none.
type Task struct {
	Name    string   // its id, of letters, digits and ._-
	Parents []string // names of tasks that it waits for
	Cores   int
	Memory  int64 // in bytes
	Runtime time.Duration
	Command []string // program and arguments
}

// instance is the part of the schema that is read.
type instance struct {
	Name          string
	SchemaVersion string
	Workflow      struct {
		Specification struct{ Tasks []specified }
		Execution     struct{ Tasks []execution }
	}
}

type specified struct {
	ID                string
	Parents, Children []string
}

type execution struct {
	ID      string
	Command struct {
		Program   string
		Arguments []string
	}
	RuntimeInSeconds float64
	CoreCount        float64
	MemoryInBytes    float64
}

// Limits of what a task may have taken: far above any real one, far below overflow.
const (
	maxCores   = 1 << 20
	maxMemory  = 1 << 50 // bytes
	maxRuntime = 1e8     // seconds
)

// Read reads a workflow. Its error names the task that is wrong.
func Read(r io.Reader) (Workflow, error) {
	var in instance
	if err := json.NewDecoder(r).Decode(&in); err != nil {
		return Workflow{}, err
	}
	if in.SchemaVersion != "1.5" {
		return Workflow{}, fmt.Errorf("schemaVersion is %q: only WfFormat 1.5 is read", in.SchemaVersion)
	}
	ran := map[string]*execution{}
	for i := range in.Workflow.Execution.Tasks {
		ran[in.Workflow.Execution.Tasks[i].ID] = &in.Workflow.Execution.Tasks[i]
	}
	out, parents := Workflow{Name: name(in.Name)}, parentsOf(in.Workflow.Specification.Tasks)
	known := map[string]bool{}
	for _, t := range in.Workflow.Specification.Tasks {
		task, err := ran[t.ID].task(name(t.ID))
		if err == nil && (task.Name == "" || known[task.Name]) {
			err = errors.New("has an id without letters and digits, or one that as a name is another task's")
		}
		if err != nil {
			return Workflow{}, fmt.Errorf("task %q: %w", t.ID, err)
		}
		task.Parents = parents[task.Name]
		known[task.Name], out.Tasks = true, append(out.Tasks, task)
	}
	for _, t := range in.Workflow.Specification.Tasks {
		for _, child := range t.Children {
			if !known[name(child)] {
				return Workflow{}, fmt.Errorf("task %q has the child %q, which is not a task", t.ID, child)
			}
		}
	}
	return out, out.check(known)
}

// parentsOf returns the tasks that each task waits for, once each: those that it names, and those that name it as a
// child.
func parentsOf(tasks []specified) map[string][]string {
	parents := map[string][]string{}
	add := func(child, parent string) {
		if !slices.Contains(parents[child], parent) {
			parents[child] = append(parents[child], parent)
		}
	}
	for _, t := range tasks {
		for _, parent := range t.Parents {
			add(name(t.ID), name(parent))
		}
		for _, child := range t.Children {
			add(name(child), name(t.ID))
		}
	}
	return parents
}

// check returns why a workflow is none.
func (w *Workflow) check(known map[string]bool) error {
	if len(w.Tasks) == 0 {
		return errors.New("workflow.specification.tasks is missing")
	}
	for _, t := range w.Tasks {
		for _, parent := range t.Parents {
			if !known[parent] {
				return fmt.Errorf("task %s has the parent %s, which is not a task", t.Name, parent)
			}
		}
	}
	return nil
}

func (e *execution) task(name string) (Task, error) {
	if e == nil {
		e = &execution{}
	}
	if !(e.CoreCount >= 0 && e.CoreCount <= maxCores && e.MemoryInBytes >= 0 && e.MemoryInBytes <= maxMemory &&
		e.RuntimeInSeconds >= 0 && e.RuntimeInSeconds <= maxRuntime) {
		return Task{}, errors.New("cores, memory and run time must not be negative or absurd")
	}
	t := Task{Name: name, Cores: int(math.Ceil(e.CoreCount)), Memory: int64(e.MemoryInBytes),
		Runtime: time.Duration(math.Round(e.RuntimeInSeconds*1e6)) * time.Microsecond}
	if e.Command.Program != "" {
		t.Command = append([]string{e.Command.Program}, e.Command.Arguments...)
	}
	return t, nil
}

var unfit = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// name returns the id as a name that jobs may have.
func name(id string) string { return strings.Trim(unfit.ReplaceAllString(id, "-"), "._-") }
