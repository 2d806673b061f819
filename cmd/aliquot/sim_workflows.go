package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/wording"
	"aliquot/workload"
	"aliquot/workload/wf"
)

const simWorkflowsHelp = `

With --workflows DIR there is no TRACE: the tasks of the workflows in DIR, files in WfFormat 1.5
whose names end with .json, are the jobs. A task is submitted with its workflow, and may run
once those that it waits for have ended. --node says what a node is, in cores and memory. The
summary has a line for each workflow: the time from its submission to its last end, a lower
bound on it on empty nodes, and the CPU time of its tasks.`

// simWorkflows are the flags of sim run that concern workflows.
type simWorkflows struct {
	folder string // ""; a trace
	cores  int
	memory string
	every  time.Duration
}

func (s *simWorkflows) flags(to *pflag.FlagSet) {
	to.StringVar(&s.folder, "workflows", "", "folder of workflows in WfFormat 1.5, in place of TRACE")
	to.IntVar(&s.cores, "node-cores", 16, "with --workflows: cores of a node")
	to.StringVar(&s.memory, "node-memory", "64Gi", "with --workflows: memory of a node")
	to.DurationVar(&s.every, "every", 0, "with --workflows: time between their submissions")
}

// flow is a workflow in a simulation.
type flow struct {
	name  string
	jobs  []workload.Job
	after map[int64][]int64
	hours float64 // of one core
}

// simFlow is the result of a workflow.
type simFlow struct {
	Workflow string   `json:"workflow"`
	Tasks    int      `json:"tasks"`
	Makespan *float64 `json:"makespan_seconds"` // null: not all tasks have succeeded
	Bound    float64  `json:"bound_seconds"`
	CPU      float64  `json:"core_hours"`
}

// read returns the workflows of the folder, by name.
func (s *simWorkflows) read() ([]flow, error) {
	memory, err := cluster.ParseBytes(s.memory)
	if err != nil || memory < cluster.MiB || s.cores < 1 || s.cores > 1<<20 || s.every < 0 {
		return nil, usagef("a node needs --node-cores from 1 on and --node-memory like 64Gi, and --every is not negative")
	}
	if _, err := os.ReadDir(s.folder); err != nil {
		return nil, usage{fmt.Errorf("--workflows: %w", err)}
	}
	files, err := filepath.Glob(filepath.Join(s.folder, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, usagef("--workflows %s: the folder has no file that ends with .json", s.folder)
	}
	var flows []flow
	first := int64(1)
	for i, name := range files {
		submit := cluster.Time(s.every.Microseconds()) * cluster.Time(i)
		f, err := readFlow(name, first, submit, wf.Node{Cores: s.cores, Memory: memory})
		if err != nil {
			return nil, usage{fmt.Errorf("%s: %w", name, err)}
		}
		first += int64(len(f.jobs))
		flows = append(flows, f)
	}
	return flows, nil
}

func readFlow(name string, first int64, submit cluster.Time, node wf.Node) (flow, error) {
	in, err := os.Open(name)
	if err != nil {
		return flow{}, err
	}
	defer in.Close()
	w, err := wf.Read(in)
	if err != nil {
		return flow{}, err
	}
	jobs, after, err := w.Stream(first, submit, node)
	if err == nil {
		err = sim.After(after).Check(jobs)
	}
	f := flow{name: filepath.Base(name), jobs: jobs, after: after}
	for _, t := range w.Tasks {
		f.hours += float64(max(1, t.Cores)) * t.Runtime.Hours()
	}
	return f, err
}

// simulateWorkflows runs the workflows under each policy and prints the results.
func (a *app) simulateWorkflows(ctx context.Context, s simRun) error {
	if err := a.takeNodes(ctx, &s); err != nil {
		return err
	}
	setups, err := s.setups()
	if err != nil {
		return err
	}
	if err := vacant(s.force, s.rows); err != nil {
		return err
	}
	flows, err := s.workflows.read()
	if err != nil {
		return err
	}
	jobs, after := together(flows)
	var reports []simReport
	for i, setup := range setups {
		setup.After = after
		r, err := a.simulateOne(ctx, s, setup, s.policies[i], jobs)
		if err != nil {
			return fmt.Errorf("simulate %s under %s: %w", s.workflows.folder, s.policies[i], advised(err))
		}
		r.Workflows = results(flows, r.ends, setup.Nodes)
		reports = append(reports, r)
	}
	return a.showReports(reports)
}

func together(flows []flow) (jobs []workload.Job, after sim.After) {
	after = sim.After{}
	for _, f := range flows {
		jobs = append(jobs, f.jobs...)
		for id, others := range f.after {
			after[id] = others
		}
	}
	return jobs, after
}

// results returns the results of the workflows, given the ends of the jobs that have succeeded.
func results(flows []flow, ends map[int64]cluster.Time, nodes []sim.Node) (list []simFlow) {
	var capacity cluster.CPU
	for _, n := range nodes {
		capacity += n.CPU
	}
	for _, f := range flows {
		r := simFlow{Workflow: f.name, Tasks: len(f.jobs), Bound: wf.Bound(f.jobs, f.after, capacity).Seconds(),
			CPU: f.hours}
		var last cluster.Time
		all := true
		for _, j := range f.jobs {
			end, done := ends[j.ID]
			all, last = all && done, max(last, end)
		}
		if took := (last - f.jobs[0].Submit).Seconds(); all {
			r.Makespan = &took
		}
		list = append(list, r)
	}
	return list
}

// flowTable shows the workflows of each policy.
func flowTable(w io.Writer, reports []simReport) {
	rows := [][]string{{"POLICY", "WORKFLOW", "TASKS", "MAKESPAN", "BOUND", "CPU"}}
	for _, r := range reports {
		for _, f := range r.Workflows {
			makespan := "-"
			if f.Makespan != nil {
				makespan = wording.Span(*f.Makespan)
			}
			rows = append(rows, []string{r.Policy, f.Workflow, fmt.Sprint(f.Tasks), makespan, wording.Span(f.Bound),
				fmt.Sprintf("%.3g core-hours", f.CPU)})
		}
	}
	if len(rows) > 1 {
		fmt.Fprintln(w)
		table(w, rows)
	}
}
