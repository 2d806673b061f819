package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) copyCommand() *cobra.Command {
	f, edit := &jobFlags{}, false
	c := &cobra.Command{
		Use: "copy JOB [flags] [-- COMMAND [ARG...]]", Short: "Submit a job like another and print its id",
		Args: func(c *cobra.Command, args []string) error {
			own, _ := atDash(c, args)
			return takes("JOB")(c, own)
		},
		ValidArgsFunction: a.completeJobs,
		Long: `Submit a job like another, which may have ended, and print its id. Flags and a command
change the copy, as they change the job of a file in ` + "`aliquot job submit`" + `. With --edit you
change it in your editor: that of VISUAL or EDITOR, otherwise vi.`,
		Example: "  aliquot job copy j17\n  aliquot job copy j17 --memory 256Mi --label try=2\n" +
			"  aliquot job copy j17 -- /bin/echo again\n  aliquot job copy j17 --edit",
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		own, command := atDash(c, args)
		return a.act(func(ctx context.Context, server *client.Client, _ []string) error {
			j, err := server.Job(ctx, own[0])
			if err != nil {
				return err
			}
			if err := visible(&j); err != nil {
				return err
			}
			if err := f.change(&j.Spec, command); err != nil {
				return err
			}
			submit := func(jobs []api.JobSpec) error { return a.submit(ctx, server, jobs, sending{from: 1}) }
			if edit {
				return a.edit(ctx, &j.Spec, submit)
			}
			return submit([]api.JobSpec{j.Spec})
		})(c, args)
	}
	f.describe(c.Flags())
	c.Flags().BoolVar(&edit, "edit", false, "change the copy in your editor before it is submitted")
	return c
}

// atDash splits arguments at the --.
func atDash(c *cobra.Command, args []string) (own, command []string) {
	if n := c.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

// visible returns an error if parts of the specification are hidden from the reader.
func visible(j *api.Job) error {
	if slices.Equal(j.Spec.Command, []string{api.Hidden}) {
		return forbidden("%s belongs to project %s, and its command is hidden from you", j.ID, j.Project)
	}
	return nil
}

// showSpec prints the job as a file that can be submitted.
func (a *app) showSpec(j *api.Job) error {
	if err := visible(j); err != nil {
		return err
	}
	if a.format == "table" {
		a.format = "yaml"
	}
	return a.show(j.Spec, nil)
}
