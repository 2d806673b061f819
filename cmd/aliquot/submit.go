package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/client/jobfile"
	"aliquot/web/api"
)

const submitHelp = `Submit a job from flags, or jobs from a file, and print their ids.

A job runs --tasks identical tasks, each in a VM of its own. --cpu is the CPU that a task can
use at full speed: it may be granted in part, and never more. --memory is granted whole
or the job waits. 1000m is one core, 96Mi are 96 × 1,048,576 bytes. A job that could
never run is refused at once, with the reason.

COMMAND is a program of the image; the built-in one is a busybox that needs 96Mi. Each
task finds its index, from 0, in ALIQUOT_TASK_INDEX, the number of tasks in
ALIQUOT_TASK_COUNT, and how often it was started in ALIQUOT_RUN.

A file holds the same as YAML, or several jobs separated by lines of ---; flags override
it:

    name: render
    tasks: 4
    cpu: 500m
    memory: 96Mi
    command: [/bin/sh, -c]
    args: ["echo frame $FRAME"]
    env: {FRAME: 7}
    restart: {onFailure: 2}
    limits: {runtime: 2h}
    labels: {team: blue}
    placement: {spread: true}`

const submitExample = `  aliquot job submit --cpu 500m --memory 96Mi -- /bin/echo hello
  aliquot job submit --name pi --tasks 4 --cpu 1.5 --memory 256Mi --env DIGITS=1000 -- /bin/sh -c 'run $DIGITS'
  aliquot job submit --file job.yaml
  id=$(aliquot job submit --file job.yaml --name again) && aliquot job wait $id`

// jobFlags are the flags that describe a job.
type jobFlags struct {
	spec      api.JobSpec
	file      string
	env       []string
	labels    []string
	onNodes   []string
	match     []string
	spread    bool
	onFailure int
	runtime   string
	logBytes  string
}

func (f *jobFlags) add(to *pflag.FlagSet) {
	to.SetInterspersed(false) // flags after the command belong to the command
	to.StringVarP(&f.file, "file", "f", "", "read the job from this file; - is standard input")
	to.StringVar(&f.spec.Name, "name", "", "name for people; need not be unique")
	to.IntVarP(&f.spec.Tasks, "tasks", "n", 1, "identical tasks, each in its own VM")
	to.StringVar(&f.spec.CPU, "cpu", "", "CPU that each task can use, like 500m or 1.5")
	to.StringVar(&f.spec.Memory, "memory", "", "memory of each task, like 96Mi")
	to.StringVar(&f.spec.Image, "image", "", "image to boot, NAME or NAME@sha256:DIGEST; left out: the built-in one")
	to.StringArrayVarP(&f.env, "env", "e", nil, "environment, NAME=VALUE; may be repeated")
	to.IntVar(&f.onFailure, "restart-on-failure", 0, "start a failed task again, at most this many times")
	to.StringVar(&f.runtime, "runtime", "", "end the job after this run time, like 2h")
	to.StringVar(&f.logBytes, "log-bytes", "", "output kept of each task, like 1Mi; left out: 10Mi")
	to.StringVar(&f.spec.Estimate, "estimate", "", "expected run time, for policies that use it, like 20m")
	to.StringArrayVarP(&f.labels, "label", "l", nil, "label for selecting the job, key=value; may be repeated")
	to.StringSliceVar(&f.onNodes, "node", nil, "allow only this node; may be repeated")
	to.StringArrayVar(&f.match, "node-label", nil, "allow only nodes with this label, key=value; may be repeated")
	to.BoolVar(&f.spread, "spread", false, "no two tasks on one node")
}

// jobs returns the jobs of the file, changed by the given flags, or the one job of the flags.
func (f *jobFlags) jobs(ctx context.Context, a *app, flags *pflag.FlagSet, command []string) ([]api.JobSpec, error) {
	jobs := []api.JobSpec{{}}
	if f.file != "" {
		var err error
		if jobs, err = f.read(ctx, a); err != nil {
			return nil, err
		}
	}
	for i := range jobs {
		if err := f.change(&jobs[i], flags, command); err != nil {
			return nil, err
		}
	}
	if f.file == "" && (jobs[0].CPU == "" || jobs[0].Memory == "") {
		return nil, usagef("a job needs --cpu and --memory, like --cpu 500m --memory 96Mi, or a --file with them")
	}
	return jobs, nil
}

func (f *jobFlags) read(ctx context.Context, a *app) ([]api.JobSpec, error) {
	in, err := a.input(ctx, f.file)
	if err != nil {
		return nil, usage{err}
	}
	defer in.Close()
	text, err := io.ReadAll(in) // read at once, because the YAML decoder hides the cause of a read error
	if err != nil {
		return nil, fmt.Errorf("read the jobs: %w", err)
	}
	name := f.file
	if name == "-" {
		name = "standard input"
	}
	jobs, err := jobfile.Read(name, bytes.NewReader(text))
	if err != nil {
		return nil, usage{err}
	}
	return jobs, nil
}

func (f *jobFlags) change(job *api.JobSpec, flags *pflag.FlagSet, command []string) (err error) {
	if len(command) > 0 {
		job.Command, job.Args = command, nil
	}
	flags.Visit(func(flag *pflag.Flag) {
		if e := f.set(job, flag.Name); e != nil {
			err = e
		}
	})
	return err
}

// set copies one given flag into the job.
func (f *jobFlags) set(job *api.JobSpec, flag string) error {
	switch flag {
	case "name":
		job.Name = f.spec.Name
	case "tasks":
		if job.Tasks = f.spec.Tasks; job.Tasks < 1 {
			return usagef("--tasks is %d, must be at least 1", job.Tasks)
		}
	case "cpu":
		job.CPU = f.spec.CPU
	case "memory":
		job.Memory = f.spec.Memory
	case "image":
		job.Image = f.spec.Image
	case "estimate":
		job.Estimate = f.spec.Estimate
	case "restart-on-failure":
		job.Restart = &api.Restart{OnFailure: f.onFailure}
	case "runtime":
		limits(job).Runtime = f.runtime
	case "log-bytes":
		limits(job).LogBytes = f.logBytes
	case "node":
		placement(job).Nodes = f.onNodes
	case "spread":
		placement(job).Spread = f.spread
	case "env":
		return merge(&job.Env, "env", f.env)
	case "label":
		return merge(&job.Labels, "label", f.labels)
	case "node-label":
		return merge(&placement(job).Labels, "node-label", f.match)
	}
	return nil
}

func limits(job *api.JobSpec) *api.Limits {
	if job.Limits == nil {
		job.Limits = &api.Limits{}
	}
	return job.Limits
}

func placement(job *api.JobSpec) *api.Placement {
	if job.Placement == nil {
		job.Placement = &api.Placement{}
	}
	return job.Placement
}

// merge adds key=value pairs to a map.
func merge(to *map[string]string, flag string, list []string) error {
	merged := maps.Clone(*to)
	if merged == nil {
		merged = map[string]string{}
	}
	for _, pair := range list {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return usagef("--%s %q lacks a =: write NAME=VALUE", flag, pair)
		}
		merged[key] = value
	}
	*to = merged
	return nil
}

func (a *app) submitCommand() *cobra.Command {
	f, key := &jobFlags{}, ""
	c := &cobra.Command{
		Use: "submit [flags] [-- COMMAND [ARG...]]", Short: "Submit jobs and print their ids", Long: submitHelp, Example: submitExample,
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		jobs, err := f.jobs(ctx, a, c.Flags(), args)
		if err != nil {
			return err
		}
		if key != "" && len(jobs) > 1 {
			return usagef("--key names one submission, and the file holds %d jobs", len(jobs))
		}
		return a.submit(ctx, server, jobs, key)
	})
	f.add(c.Flags())
	c.Flags().StringVar(&key, "key", "", "name this submission: the same key again submits nothing new")
	return c
}

// submit submits one job after another and prints the accepted ones, even after a failure.
func (a *app) submit(ctx context.Context, c *client.Client, jobs []api.JobSpec, key string) error {
	done := struct {
		Submitted []api.Accepted `json:"submitted"`
	}{[]api.Accepted{}}
	var failed error
	for i, job := range jobs {
		accepted, err := c.Submit(ctx, job, key)
		if err != nil {
			failed = err
			if len(jobs) > 1 {
				failed = fmt.Errorf("job %d of the file: %w", i+1, err)
			}
			break
		}
		done.Submitted = append(done.Submitted, accepted)
	}
	var shown any = done
	if len(jobs) == 1 && failed == nil {
		shown = done.Submitted[0]
	}
	if len(done.Submitted) == 0 {
		return failed
	}
	return errors.Join(failed, a.show(shown, func(w io.Writer) {
		for _, accepted := range done.Submitted {
			fmt.Fprintln(w, accepted.Job)
		}
	}))
}
