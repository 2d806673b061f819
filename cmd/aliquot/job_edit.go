package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/client/jobfile"
	"aliquot/web/api"
)

const editHelp = `Change a job in your editor: that of VISUAL or EDITOR, otherwise vi. A job that was submitted
does not change. So the result is submitted as a new job, whose id is printed, and begins
anew. Then a terminal asks whether to cancel the old one, whose work is lost; --yes cancels
it without asking. Where nobody can be asked, it goes on. If you change nothing, nothing is
submitted; ` + "`aliquot job copy`" + ` submits the same again. If the result is refused, a terminal
shows the editor again with the reason. What you wrote is kept in a file if you give up.`

func (a *app) editCommand() *cobra.Command {
	yes := false
	c := &cobra.Command{
		Use: "edit JOB", Short: "Change a job in your editor, as a new job", Long: editHelp, Args: takes("JOB"),
		ValidArgsFunction: a.completeJobs,
		Example:           "  aliquot job edit j17\n  EDITOR='sed -i s/500m/250m/' aliquot job edit j17 --yes",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.resubmit(ctx, c, args[0], yes)
		}),
	}
	c.Flags().BoolVar(&yes, "yes", false, "cancel the old job without asking")
	return c
}

// resubmit submits the edited job, then offers to cancel the old one: a refused job must not cost a running one.
func (a *app) resubmit(ctx context.Context, c *client.Client, id string, yes bool) error {
	old, err := c.Job(ctx, id)
	if err != nil {
		return err
	}
	if err := visible(&old); err != nil {
		return err
	}
	changed := false
	err = a.edit(ctx, &old.Spec, func(jobs []api.JobSpec) error {
		if changed = len(jobs) != 1 || !alike(&jobs[0], &old.Spec); changed {
			return a.submit(ctx, c, jobs, sending{from: 1})
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case !changed:
		a.did("Nothing is changed, and nothing is submitted.")
		return nil
	}
	return a.replaced(ctx, c, &old, yes)
}

// alike reports whether two jobs are the same file.
func alike(one, other *api.JobSpec) bool {
	x, failed := toYAML(one)
	y, err := toYAML(other)
	return failed == nil && err == nil && bytes.Equal(x, y)
}

// replaced cancels the old job unless the person wants to keep it.
func (a *app) replaced(ctx context.Context, c *client.Client, old *api.Job, yes bool) (err error) {
	if client.Ended(old) {
		return nil
	}
	if !yes && a.person {
		yes, err = a.ask(ctx, fmt.Sprintf("The new job is submitted. Cancel %s, whose work is lost?", old.ID))
	}
	if err != nil {
		return err
	}
	if !yes {
		a.did("%s goes on beside the new job.", old.ID)
		return nil
	}
	if _, err := c.Cancel(ctx, old.ID, "edited"); err != nil {
		return err
	}
	a.did("%s is cancelled.", old.ID)
	return nil
}

// edit lets the person change the job in an editor and gives the jobs of the file to submit. At a terminal the editor
// opens again after a refusal, until the jobs are taken or the text is left as it is.
func (a *app) edit(ctx context.Context, spec *api.JobSpec, submit func([]api.JobSpec) error) error {
	original, err := toYAML(spec)
	if err != nil {
		return err
	}
	d, err := newDraft(original)
	if err != nil {
		return err
	}
	for {
		before := d.text
		if err = d.open(ctx, a); err != nil {
			break
		}
		err = d.submit(submit)
		var part partly
		if err == nil || !a.person || bytes.Equal(before, d.text) || errors.As(err, &part) || ctx.Err() != nil {
			break
		}
		if err := d.refuse(err); err != nil {
			return err
		}
	}
	return d.close(a, original, err)
}

// submit reads the jobs of the draft and gives them to submit.
func (d *draft) submit(submit func([]api.JobSpec) error) error {
	jobs, err := jobfile.Read("the edited job", bytes.NewReader(d.text))
	if err != nil {
		return usage{err}
	}
	return submit(jobs)
}
