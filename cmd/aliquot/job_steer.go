package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/internal/stop"
	"aliquot/web/api"
	"aliquot/wording"
)

// steering is a change that people order for jobs.
type steering struct {
	verb, done, short, long string
	is                      string                  // a job afterwards, whatever it was before
	omits                   func(j *api.Job) string // why a job that can still change is left out; "": it is not
}

var (
	cancelling = steering{
		"cancel", "cancelled", "Cancel jobs; their work is lost",
		"Stop the tasks of jobs. Their work is lost; to keep it, hold them instead.", "cancelled",
		func(*api.Job) string { return "" },
	}
	holding = steering{
		"hold", "held", "Keep jobs from running until they are released",
		"Pause jobs: their memory is saved, CPU and memory become free, and they do not run until\nthey are released.",
		"held",
		func(j *api.Job) string {
			switch {
			case j.Held:
				return "already held"
			case j.Promise != nil:
				return promisedJobs
			}
			return ""
		},
	}
	releasing = steering{
		"release", "released", "Let held jobs run again", "Let held jobs run again, from where they were.",
		"not held",
		func(j *api.Job) string { return word(j.Held, "", "not held") },
	}
)

// promisedJobs is why promised jobs are not held.
const promisedJobs = "holding would break the promise, cancel instead"

const selectHelp = `

Name jobs by their ids, or select them as ` + "`aliquot job list`" + ` does, or take --all that have
not ended. Jobs that cannot be changed are left out, with the reason. The selected jobs are shown
first, and a terminal asks. --yes does not ask.`

func (a *app) steerCommand(s steering) *cobra.Command {
	var cause string
	var pick picked
	c := &cobra.Command{
		Use: s.verb + " [JOB...]", Short: s.short, Long: s.long + selectHelp, ValidArgsFunction: a.completeJobs,
		Example: fmt.Sprintf("  aliquot job %[1]s j17 j18\n  aliquot job %[1]s --label team=blue --owner alice\n  aliquot job %[1]s --all --yes", s.verb),
		Args:    func(c *cobra.Command, ids []string) error { return pick.check(c.Flags(), ids) },
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		order := map[string]func(context.Context, string) (api.Accepted, error){
			"hold": server.Hold, "release": server.Release,
			"cancel": func(ctx context.Context, id string) (api.Accepted, error) { return server.Cancel(ctx, id, cause) },
		}[s.verb]
		if len(args) > 0 {
			return a.each(args, func(id string) (string, error) {
				_, err := order(ctx, id)
				return id + " is " + s.is + ".", err
			})
		}
		return a.steerPicked(ctx, server, s, &pick, order)
	})
	if s.verb == "cancel" {
		c.Flags().StringVar(&cause, "cause", "", "reason, for people")
	}
	pick.flags(c.Flags())
	c.Flags().BoolVar(&pick.yes, "yes", false, "do not ask")
	return c
}

// picked is a selection of jobs by a filter.
type picked struct {
	filter   client.JobFilter
	all, yes bool
}

func (p *picked) flags(to *pflag.FlagSet) {
	filterFlags(to, &p.filter)
	to.BoolVar(&p.all, "all", false, "all jobs that have not ended")
}

// check refuses a command line that names jobs and selects others, or neither.
func (p *picked) check(flags *pflag.FlagSet, ids []string) error {
	selects, empty := false, ""
	flags.Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"all", "state", "owner", "project", "name", "search", "node", "label"}, f.Name) {
			selects = true
			if slices.Contains([]string{"", "[]", "false"}, f.Value.String()) {
				empty = f.Name
			}
		}
	})
	switch {
	case empty != "":
		return fmt.Errorf("--%s is empty, and would select all jobs", empty)
	case selects && len(ids) > 0:
		return errors.New("name jobs or select them, not both")
	case !selects && len(ids) == 0:
		return errors.New("JOB is missing; or select jobs, for example with --label, --owner, --state or --all")
	}
	return noTask(ids)
}

// steerPicked shows the selected jobs, asks, and changes them. One that fails does not keep the others from it.
func (a *app) steerPicked(ctx context.Context, c *client.Client, s steering, p *picked,
	order func(context.Context, string) (api.Accepted, error)) error {
	jobs, err := pickJobs(ctx, c, p.filter)
	if err != nil {
		return err
	}
	jobs, others, err := steerable(ctx, c, jobs, order)
	if err != nil {
		return err
	}
	if others > 0 {
		a.did("%s of others %s left out: only operators may change them.", wording.Count(others, "job"),
			word(others == 1, "is", "are"))
	}
	jobs, omitted := s.split(jobs)
	for _, o := range omitted {
		a.did("%s %s left out: %s.", some(o.jobs), word(len(o.jobs) == 1, "is", "are"), o.why)
	}
	if len(jobs) == 0 {
		if slices.ContainsFunc(omitted, func(o omission) bool { return o.why == promisedJobs }) {
			return fmt.Errorf("no job can be %s", s.done)
		}
		a.did("%s", word(others > 0 || len(omitted) > 0, "No other job matches.", "No job matches."))
		return nil
	}
	if !p.yes {
		a.preview(s, jobs)
		question := fmt.Sprintf("%s %s?", strings.ToUpper(s.verb[:1])+s.verb[1:], wording.Count(len(jobs), "job"))
		if err := a.confirm(ctx, question); err != nil {
			return err
		}
	}
	return a.steerAll(ctx, c, s, jobs, order)
}

// omission is the ids of jobs that a change leaves out for one reason.
type omission struct {
	why  string
	jobs []string
}

// split returns the jobs that the change concerns, and those that it leaves out.
func (s *steering) split(jobs []api.Job) (concerned []api.Job, omitted []omission) {
	for _, j := range jobs {
		why := "already being stopped"
		if j.Outcome == "" {
			why = s.omits(&j)
		}
		if why == "" {
			concerned = append(concerned, j)
			continue
		}
		i := slices.IndexFunc(omitted, func(o omission) bool { return o.why == why })
		if i < 0 {
			i, omitted = len(omitted), append(omitted, omission{why: why})
		}
		omitted[i].jobs = append(omitted[i].jobs, j.ID)
	}
	return concerned, omitted
}

// pickJobs returns the matching jobs that have not ended.
func pickJobs(ctx context.Context, c *client.Client, f client.JobFilter) ([]api.Job, error) {
	if len(f.States) == 0 {
		f.States = []string{"active"}
	}
	var jobs []api.Job
	for j, err := range c.Jobs(ctx, f) {
		if err != nil {
			return nil, err
		}
		if !client.Ended(&j) {
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// steerable returns those of the jobs that the token may change, and the number of the others. If there are only
// others, the manager is asked to change one of them and refuses it, so that the audit log has the attempt.
func steerable(ctx context.Context, c *client.Client, jobs []api.Job,
	order func(context.Context, string) (api.Accepted, error)) (own []api.Job, others int, err error) {
	s, err := c.Session(ctx)
	if err != nil || s.Role != "user" {
		return jobs, 0, err
	}
	for _, j := range jobs {
		if j.Owner == s.Owner && j.Project == s.Project {
			own = append(own, j)
		}
	}
	if len(own) == 0 && len(jobs) > 0 {
		if _, err = order(ctx, jobs[0].ID); err != nil {
			err = named(jobs[0].ID, err)
		}
	}
	return own, len(jobs) - len(own), err
}

// previewed is the most jobs that a preview shows.
const previewed = 10

func (a *app) preview(s steering, jobs []api.Job) {
	fmt.Fprintf(a.err, "%s would be %s:\n", wording.Count(len(jobs), "job"), s.done)
	jobTable(a.err, jobs[:min(previewed, len(jobs))], "")
	if more := len(jobs) - previewed; more > 0 {
		fmt.Fprintf(a.err, "and %d more\n", more)
	}
}

// steerAll changes the jobs. Those that have ended meanwhile are no failures.
func (a *app) steerAll(ctx context.Context, c *client.Client, s steering, jobs []api.Job,
	order func(context.Context, string) (api.Accepted, error)) error {
	progress := a.progress(0)
	defer progress.End()
	var failed []error
	ended := 0
	for i := range jobs {
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %d of %s are %s", stop.Err, i-ended-len(failed), wording.Count(len(jobs), "job"), s.done)
		}
		progress.Percent(s.verb, int64(i), int64(len(jobs)))
		switch _, err := order(ctx, jobs[i].ID); {
		case err == nil:
		case hasEnded(ctx, c, jobs[i].ID, err):
			ended++
		default:
			failed = append(failed, named(jobs[i].ID, err))
		}
	}
	progress.End()
	verb, before := word(len(jobs) == 1, "is", "are"), ""
	if ended > 0 {
		before = fmt.Sprintf("; %d had ended already", ended)
	}
	a.did("%d of %s %s %s%s.", len(jobs)-len(failed)-ended, wording.Count(len(jobs), "job"), verb, s.done, before)
	return errors.Join(failed...)
}

// hasEnded reports whether an order was refused because the job has ended, and may be forgotten already.
func hasEnded(ctx context.Context, c *client.Client, id string, refusal error) bool {
	switch client.Code(refusal) {
	case "not_found":
		return true
	case "conflict":
		j, err := c.Job(ctx, id)
		return err == nil && client.Ended(&j)
	}
	return false
}
