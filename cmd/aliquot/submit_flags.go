package main

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"aliquot/web/api"
)

// jobFlag is a flag that changes a job. It keeps the given value, because a file may hold several jobs to be changed.
type jobFlag struct {
	name   string // with a comma and a letter if it has a short form
	kind   string // as help shows it
	usage  string
	change func(job *api.JobSpec, given []string) error
	preset string // shown by help; "": the API's default
	given  []string
}

// describing returns the flags that describe a job.
func describing() []*jobFlag {
	return []*jobFlag{
		textFlag("name", "name for people; need not be unique", func(j *api.JobSpec) *string { return &j.Name }),
		countFlag("tasks,n", "identical tasks, each in its own VM", 1, func(j *api.JobSpec) *int { return &j.Tasks }),
		textFlag("cpu", "CPU that each task can use, like 500m or 1.5", func(j *api.JobSpec) *string { return &j.CPU }),
		textFlag("memory", "memory of each task, like 96Mi", func(j *api.JobSpec) *string { return &j.Memory }),
		textFlag("image", "image to boot, NAME or NAME@sha256:DIGEST; left out: the built-in one",
			func(j *api.JobSpec) *string { return &j.Image }),
		textFlag("disk", "size of each task's disk, like 10Gi; left out: that of the image's disk",
			func(j *api.JobSpec) *string { return &j.Disk }),
		{name: "input", kind: "stringArray", change: bring,
			usage: "small text file for each task, PATH or NAME=PATH (say NAME if PATH has a =); may be repeated"},
		{name: "result", kind: "stringArray",
			usage: "keep this file, folder or 'pattern' of each task when its command ends; may be repeated",
			change: func(j *api.JobSpec, given []string) error {
				j.Outputs = given
				return nil
			}},
		textFlag("result-bytes", "contents of the files kept of each task, like 1Gi; left out: 100Mi",
			func(j *api.JobSpec) *string { return &at(&j.Limits).ResultBytes }),
		textFlag("network", "bridge: an address for each task, which finds the others by ALIQUOT_PEERS; left out: none",
			func(j *api.JobSpec) *string { return &j.Network }),
		{name: "cloud-init", kind: "file", usage: "user-data for cloud-init in a disk image, from this file",
			change: func(j *api.JobSpec, given []string) (err error) {
				j.CloudInit, err = textOf(given[len(given)-1])
				return err
			}},
		pairsFlag("env,e", "environment, NAME=VALUE; may be repeated",
			func(j *api.JobSpec) *map[string]string { return &j.Env }),
		countFlag("restart-on-failure", "start a failed task again, at most this many times", 0,
			func(j *api.JobSpec) *int { return &at(&j.Restart).OnFailure }),
		switchFlag("restart-on-loss", "start a task again that the cluster lost; =false: the job fails instead", true,
			func(j *api.JobSpec) *bool { return at(&at(&j.Restart).OnLoss) }),
		textFlag("class", "standard, background (gets the CPU that others leave, at times none; for many short jobs) or either",
			func(j *api.JobSpec) *string { return &j.Class }),
		{name: "min-yield", kind: "float", usage: "wait rather than run with less than this part of --cpu, like 0.5",
			change: func(j *api.JobSpec, given []string) (err error) {
				j.MinYield, err = strconv.ParseFloat(given[len(given)-1], 64)
				if err == nil && !(j.MinYield >= 0 && j.MinYield <= 1) {
					err = fmt.Errorf("is %s, must be from 0 to 1", given[len(given)-1])
				}
				return err
			}},
		textFlag("runtime", "end the job after this run time, like 2h",
			func(j *api.JobSpec) *string { return &at(&j.Limits).Runtime }),
		textFlag("log-bytes", "output kept of each task, like 1Mi; left out: 10Mi",
			func(j *api.JobSpec) *string { return &at(&j.Limits).LogBytes }),
		textFlag("type", "name of the kind of work: jobs of one type and size are expected to take equally long",
			func(j *api.JobSpec) *string { return &j.Type }),
		textFlag("estimate", "expected run time, for policies that use it, like 20m",
			func(j *api.JobSpec) *string { return &j.Estimate }),
		namesFlag("after", "run after this job has ended, like j17 (succeeded), j17:failed or j17:ended; may be repeated",
			func(j *api.JobSpec) *[]string { return &j.After }),
		{name: "budget", kind: "float", usage: "the most core-hours that the promise may cost, like 3",
			change: func(j *api.JobSpec, given []string) error {
				budget, err := strconv.ParseFloat(given[len(given)-1], 64)
				if err == nil && !(budget > 0 && budget <= 1e11) {
					err = fmt.Errorf("is %s, must be above 0 and at most 1e11 core-hours", given[len(given)-1])
				}
				j.Budget = &budget
				return err
			}},
		{name: "start", kind: "time", usage: "reserve an interval from then on, like 2026-11-26T14:00:00Z; 10m: in 10 minutes",
			change: func(j *api.JobSpec, given []string) (err error) {
				at(&j.Reserve).Start, err = startTime(given[len(given)-1], time.Now())
				return err
			}},
		{name: "deadline", kind: "time", usage: "end by then, like 18:00 or 2026-11-26T18:00:00Z; 8h: in 8 hours. Needs --for or --work",
			change: func(j *api.JobSpec, given []string) (err error) {
				at(&j.Deadline).By, err = startTime(given[len(given)-1], time.Now())
				return err
			}},
		textFlag("for", "length of the reserved interval, or how long a job with a deadline takes with all of its CPU, like 2h",
			func(j *api.JobSpec) *string {
				if j.Deadline != nil {
					return &j.Deadline.Duration
				}
				return &at(&j.Reserve).Duration
			}),
		textFlag("work", "CPU time of all tasks together until the deadline, like 8h",
			func(j *api.JobSpec) *string { return &at(&j.Deadline).Work }),
		{name: "ready", kind: "time", usage: "do not run a job with a deadline before then",
			change: func(j *api.JobSpec, given []string) (err error) {
				at(&j.Deadline).Ready, err = startTime(given[len(given)-1], time.Now())
				return err
			}},
		switchFlag("pausable", "a job with a deadline may be promised its work in several parts, and be paused between them", false,
			func(j *api.JobSpec) *bool { return &at(&j.Deadline).Pausable }),
		pairsFlag("label,l", "label for selecting the job, key=value; may be repeated",
			func(j *api.JobSpec) *map[string]string { return &j.Labels }),
		namesFlag("node", "allow only this node; may be repeated",
			func(j *api.JobSpec) *[]string { return &at(&j.Placement).Nodes }),
		pairsFlag("node-label", "allow only nodes with this label, key=value; may be repeated",
			func(j *api.JobSpec) *map[string]string { return &at(&j.Placement).Labels }),
		switchFlag("spread", "no two tasks on one node", false,
			func(j *api.JobSpec) *bool { return &at(&j.Placement).Spread }),
	}
}

// startTime returns the time as REST takes it. It is a time, or a duration from now, or the next time that a clock here
// shows it.
func startTime(text string, now time.Time) (string, error) {
	if ahead, err := time.ParseDuration(text); err == nil {
		return now.Add(ahead).UTC().Format(time.RFC3339Nano), nil
	}
	if clock, err := time.Parse("15:04", text); err == nil {
		next := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
		if !next.After(now) {
			next = next.AddDate(0, 0, 1)
		}
		return next.UTC().Format(time.RFC3339Nano), nil
	}
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return "", fmt.Errorf("is %q, must be a time like 18:00 or 2026-11-26T14:00:00Z, or a duration from now like 10m", text)
	}
	return text, nil
}

// at returns an optional part of a job, and creates it if it is missing.
func at[T any](part **T) *T {
	if *part == nil {
		*part = new(T)
	}
	return *part
}

// textFlag returns a flag for a field that takes the text unchanged.
func textFlag(name, usage string, field func(*api.JobSpec) *string) *jobFlag {
	return &jobFlag{name: name, kind: "string", usage: usage, change: func(j *api.JobSpec, given []string) error {
		*field(j) = given[len(given)-1]
		return nil
	}}
}

// countFlag returns a flag for a number of at least least, which is also the value without the flag.
func countFlag(name, usage string, least int, field func(*api.JobSpec) *int) *jobFlag {
	change := func(j *api.JobSpec, given []string) error {
		n, err := strconv.Atoi(given[len(given)-1])
		if err != nil || n < least {
			return fmt.Errorf("is %s, must be a whole number from %d", given[len(given)-1], least)
		}
		*field(j) = n
		return nil
	}
	f := &jobFlag{name: name, kind: "int", usage: usage, change: change}
	if least > 0 {
		f.preset = strconv.Itoa(least)
	}
	return f
}

// switchFlag returns a flag for a boolean. Without the flag the value is the preset.
func switchFlag(name, usage string, preset bool, field func(*api.JobSpec) *bool) *jobFlag {
	change := func(j *api.JobSpec, given []string) error {
		on, err := strconv.ParseBool(given[len(given)-1])
		*field(j) = on
		return err
	}
	return &jobFlag{name: name, kind: "bool", usage: usage, preset: strconv.FormatBool(preset), change: change}
}

// namesFlag returns a flag for names, which replace those in the file.
func namesFlag(name, usage string, field func(*api.JobSpec) *[]string) *jobFlag {
	return &jobFlag{name: name, kind: "strings", usage: usage, change: func(j *api.JobSpec, given []string) error {
		*field(j) = strings.Split(strings.Join(given, ","), ",")
		return nil
	}}
}

// pairsFlag returns a flag for key=value pairs, which are added to those in the file.
func pairsFlag(name, usage string, field func(*api.JobSpec) *map[string]string) *jobFlag {
	return &jobFlag{name: name, kind: "stringArray", usage: usage, change: func(j *api.JobSpec, given []string) error {
		merged := maps.Clone(*field(j))
		if merged == nil {
			merged = map[string]string{}
		}
		for _, pair := range given {
			key, value, ok := strings.Cut(pair, "=")
			switch {
			case !ok:
				return fmt.Errorf("%q lacks a =: write NAME=VALUE", pair)
			case key == "":
				return fmt.Errorf("%q lacks a name before the =: write NAME=VALUE", pair)
			}
			merged[key] = value
		}
		*field(j) = merged
		return nil
	}}
}

func (f *jobFlag) add(to *pflag.FlagSet) {
	name, short, _ := strings.Cut(f.name, ",")
	flag := to.VarPF(f, name, short, f.usage)
	if f.kind == "bool" {
		flag.NoOptDefVal = "true"
	}
}

func (f *jobFlag) String() string { return f.preset }

func (f *jobFlag) Type() string { return f.kind }

// Set keeps the text if it is valid for a job.
func (f *jobFlag) Set(text string) error {
	if err := f.change(new(api.JobSpec), []string{text}); err != nil {
		return err
	}
	f.given = append(f.given, text)
	return nil
}
