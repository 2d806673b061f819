package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/client/jobfile"
	"aliquot/web/api"
	"aliquot/wording"
)

const submitHelp = `Submit a job from flags, or jobs from a file, and print their ids.

A job runs --tasks identical tasks, each in a VM of its own. --cpu is the CPU that a task can
use at full speed: it may be granted in part, and never more. --memory is granted whole
or the job waits. 1000m is one core, 96Mi are 96 × 1,048,576 bytes. A job that could
never run is refused at once, with the reason.

COMMAND is a program of the image; the built-in one is a busybox that needs 96Mi. Each
task finds its index, from 0, in ALIQUOT_TASK_INDEX, the number of tasks in
ALIQUOT_TASK_COUNT, and how often it was started in ALIQUOT_RUN. All text of a job takes
64 KiB at most, scripts in its arguments included; larger input belongs into an image.

A task whose VM is lost starts again from its beginning, so what it does outside of the
cluster may happen more than once. With --restart-on-loss=false the job fails instead. A task
that fails, with no restart of --restart-on-failure left, fails the job: its other tasks are
stopped, and what they wrote so far is kept. Tasks that are to fail alone belong in jobs of
their own.

With --start and --for the job reserves an interval. It is promised then and there, or
refused at once with up to three offers. Each is held for a minute (--hold) until it is taken
with ` + "`aliquot offer accept`" + `; at a terminal you are asked. Its VMs start early enough to run at
the start, with all of their CPU. Until then its nodes work for others, which make way then.
A job that runs on after its interval gets what it can, like any other. One owner, or one project
but default, is promised half of the nodes at a time at most, unless a quota says otherwise.

With --deadline, and --for or --work, the job is promised to have had that much by then, or
refused at once with offers. It runs like any other at first; what it
lacks is kept for it, as late as possible. --for 2h means two hours with all of its CPU, --work
8h means 8 hours of CPU time of all tasks together. A job that declared too little goes on
without its promise. A VM that is lost begins its work anew. With --pausable the work may be
promised in up to 8 parts, if there is no room for it at a stretch; without it, that is offered.

With --after the job waits for others: it may run once they have succeeded, or ended as asked
for, and is cancelled if one ends otherwise. See ` + "`aliquot workflow`" + ` for many such jobs at once.

A file holds the same as YAML, or several jobs separated by lines of ---; flags override it.
All its jobs are checked before the first is submitted:

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
  aliquot job submit --cpu 1 --memory 256Mi -n 10 --start 2026-11-26T14:00:00Z --for 2h -- /bin/render
  aliquot job submit --cpu 2 --memory 256Mi --deadline 18:00 --for 2h -- /bin/render
  aliquot job submit --image debian --cpu 1 --memory 512Mi --disk 10Gi --input script.py -- python3 script.py
  aliquot job submit --after j17 --after j18:ended --cpu 1 --memory 96Mi -- /bin/sh -c 'echo both are done'
  aliquot job submit --cpu 1 --memory 96Mi --result 'out/*' -- sh -c 'mkdir out; date >out/now'
  aliquot job submit --file job.yaml
  id=$(aliquot job submit --file job.yaml --name again) && aliquot job wait $id`

// jobFlags are the flags that describe a job, and the file that they change.
type jobFlags struct {
	file  string
	flags []*jobFlag
}

func (f *jobFlags) add(to *pflag.FlagSet) {
	to.SetInterspersed(false) // flags after the command belong to the command
	to.StringVarP(&f.file, "file", "f", "", "read the job from this file; - is standard input")
	f.describe(to)
}

// describe adds the flags that describe a job.
func (f *jobFlags) describe(to *pflag.FlagSet) {
	f.flags = describing()
	for _, flag := range f.flags {
		flag.add(to)
	}
}

// jobs returns the jobs of the file, changed by the given flags, or the one job of the flags.
func (f *jobFlags) jobs(ctx context.Context, a *app, command []string) ([]api.JobSpec, error) {
	jobs := []api.JobSpec{{}}
	if f.file != "" {
		var err error
		if jobs, err = f.read(ctx, a); err != nil {
			return nil, err
		}
	}
	for i := range jobs {
		if err := f.change(&jobs[i], command); err != nil {
			return nil, err
		}
		if err := wholePromise(&jobs[i]); err != nil {
			return nil, err
		}
	}
	if f.file == "" && (jobs[0].CPU == "" || jobs[0].Memory == "") {
		return nil, usagef("a job needs --cpu and --memory, like --cpu 500m --memory 96Mi, or a --file with them")
	}
	return jobs, nil
}

// wholePromise refuses an interval or a deadline of which a part is missing.
func wholePromise(j *api.JobSpec) error {
	r, d := j.Reserve, j.Deadline
	switch {
	case d != nil && d.By == "":
		return usagef("%s needs --deadline, like --deadline 18:00", partOf(d))
	case r != nil && d != nil:
		return usagef("a job has an interval (--start and --for) or a --deadline, not both")
	case r != nil && r.Start == "":
		return usagef("--for needs --start, like --start 14:00, or --deadline")
	case r != nil && r.Duration == "":
		return usagef("--start needs --for, the length of the interval, like --for 2h")
	case d != nil && d.Duration == "" && d.Work == "":
		return usagef("--deadline needs --for or --work: how much is to be done by then, like --for 2h")
	}
	return nil
}

// partOf returns the flag of a part of a deadline that is given.
func partOf(d *api.Deadline) string {
	switch {
	case d.Pausable:
		return "--pausable"
	case d.Work != "":
		return "--work"
	}
	return "--ready"
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
	switch {
	case errors.Is(err, jobfile.ErrWorkflow):
		return nil, usagef("%w: `aliquot workflow submit %s`", err, f.file)
	case err != nil:
		return nil, usage{err}
	}
	return jobs, nil
}

func (f *jobFlags) change(job *api.JobSpec, command []string) error {
	if len(command) > 0 {
		job.Command, job.Args = command, nil
	}
	for _, flag := range f.flags {
		if len(flag.given) == 0 {
			continue
		}
		if err := flag.change(job, flag.given); err != nil {
			return usage{err}
		}
	}
	return nil
}

func (a *app) submitCommand() *cobra.Command {
	f, key, hold, from := &jobFlags{}, "", "", 1
	c := &cobra.Command{
		Use: "submit [flags] [-- COMMAND [ARG...]]", Short: "Submit jobs and print their ids", Long: submitHelp,
		Example: submitExample,
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		jobs, err := f.jobs(ctx, a, args)
		if err != nil {
			return err
		}
		if from < 1 || from > len(jobs) {
			return usagef("--from is %d, must be a number from 1 to %d, the jobs of the file", from, len(jobs))
		}
		jobs = jobs[from-1:]
		if key != "" && len(jobs) > 1 {
			return usagef("--key names one submission, and the file holds %d jobs", len(jobs))
		}
		if err := checkAll(ctx, server, jobs, from); err != nil {
			return err
		}
		return a.submit(ctx, server, jobs, sending{from, key, hold})
	})
	f.add(c.Flags())
	addHold(c, &hold)
	c.Flags().IntVar(&from, "from", from, "begin with this job of the file, after one before was refused")
	c.Flags().StringVar(&key, "key", "", "name this submission: the same key again submits nothing new")
	return c
}

// checkAll returns the refusals that the jobs of a file would meet now, ten at most. from is the number of the first
// one in its file. A single job is checked when it is submitted, and so are all by managers that cannot check.
func checkAll(ctx context.Context, c *client.Client, jobs []api.JobSpec, from int) error {
	var refusals []error
	for i := 0; i < len(jobs) && len(jobs) > 1 && len(refusals) < 10; i++ {
		err := c.CheckJob(ctx, jobs[i])
		switch p := new(client.Problem); {
		case err == nil:
		case errors.As(err, &p) && cannotCheck(p):
			return nil
		case errors.As(err, &p) && refusesJob(p):
			refusals = append(refusals, fmt.Errorf("job %d of the file: %w", from+i, err))
		default:
			return err
		}
	}
	if refusals == nil {
		return nil
	}
	return fmt.Errorf("%w; nothing is submitted", errors.Join(refusals...))
}

// cannotCheck reports whether the manager is of a version that only submits.
func cannotCheck(p *client.Problem) bool {
	return p.Status == http.StatusNotFound || p.Status == http.StatusMethodNotAllowed
}

// refusesJob reports whether the problem is about the job itself, so that submitting it would meet the same one.
func refusesJob(p *client.Problem) bool {
	switch p.Status {
	case http.StatusUnprocessableEntity, http.StatusConflict, http.StatusRequestEntityTooLarge:
		return true
	}
	return false
}

// partly is the error of a submission that the cluster has accepted in part, or as a whole.
type partly struct {
	error
	next int // number in the file of the first job that is not accepted; 0: all are
}

func (e partly) Unwrap() error { return e.error }

// sending is how jobs are submitted.
type sending struct {
	from int    // number of the first job in its file
	key  string // of the only job; "": one is made
	hold string // duration for which offers instead of a job are held; "": as usual
}

func addHold(c *cobra.Command, hold *string) {
	c.Flags().StringVar(hold, "hold", "", "if it is refused with offers, hold them for this long (10m at most, 0: not at all)")
}

// send submits a job. If other promises are offered instead, a person may accept one.
func (a *app) send(ctx context.Context, c *client.Client, job api.JobSpec, how sending) (api.Accepted, error) {
	submit := func() (api.Accepted, error) { return c.Submit(ctx, job, how.key) }
	if how.hold != "" {
		submit = func() (api.Accepted, error) { return c.SubmitHolding(ctx, job, how.key, how.hold) }
	}
	accepted, err := submit()
	if err != nil {
		return a.negotiate(ctx, c, err)
	}
	return accepted, nil
}

// submit submits one job after another and prints the accepted ones, even after a failure.
func (a *app) submit(ctx context.Context, c *client.Client, jobs []api.JobSpec, how sending) error {
	done := struct {
		Submitted []api.Accepted `json:"submitted"`
	}{[]api.Accepted{}}
	var failed error
	for i, job := range jobs {
		accepted, err := a.send(ctx, c, job, how)
		if err != nil {
			failed = refused(err, i, how.from, len(jobs))
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
	err := a.show(shown, func(w io.Writer) {
		for _, accepted := range done.Submitted {
			fmt.Fprintln(w, accepted.Job)
		}
	})
	if failed == nil && err != nil {
		return partly{fmt.Errorf("all is submitted, but its ids cannot be shown: %w", err), 0}
	}
	return errors.Join(failed, err)
}

// refused adds to the error of the job at index i which jobs of the file are submitted, and how to go on.
func refused(err error, i, from, jobs int) error {
	number := from + i
	switch {
	case jobs == 1 && from == 1:
		return err
	case i == 0:
		return fmt.Errorf("job %d of the file: %w; it and those after it are not submitted", number, err)
	}
	return partly{fmt.Errorf("job %d of the file: %w; it and those after it are not submitted, %s before it %s: "+
		"when it is mended, go on with --from %[1]d", number, err, wording.Count(i, "job"), word(i == 1, "is", "are")),
		number}
}
