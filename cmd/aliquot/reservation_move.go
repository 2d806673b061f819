package main

import (
	"context"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) reservationExtendCommand() *cobra.Command {
	return a.moving(&cobra.Command{
		Use: "extend JOB --by DURATION", Short: "Move the end of what is promised to a job later",
		Long: `Move the end of the interval that a job reserves, or its deadline, later. An interval is extended
if there is room for it, from its beginning on only on the nodes that it has; otherwise the
shortfall is told, and how much is possible. What is added costs what a new promise of it would,
and the whole must stay within the budget of the job and theta. A later deadline costs the same;
it can make a broken promise good.`,
		Example: "  aliquot reservation extend j17 --by 30m",
	}, (*client.Client).ExtendReservation)
}

func (a *app) reservationShortenCommand() *cobra.Command {
	return a.moving(&cobra.Command{
		Use: "shorten JOB --by DURATION", Short: "Move the end of what is promised to a job earlier",
		Long: `Move the end of the interval that a job reserves, or its deadline, earlier. What is given back is
free at once, and takes off what it would cost now, at most in proportion to its length. An earlier
deadline is refused if the work that is left finds no room before; it can cost more.`,
		Example: "  aliquot reservation shorten j17 --by 1h",
	}, (*client.Client).ShortenReservation)
}

// moving completes a command that moves the end of a promise.
func (a *app) moving(c *cobra.Command, move func(_ *client.Client, _ context.Context, job, by string) (api.Accepted,
	error)) *cobra.Command {
	by := ""
	c.Args, c.ValidArgsFunction = takes("JOB"), a.completeJobs
	c.Flags().StringVar(&by, "by", "", "by this long, like 30m")
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		if by == "" {
			return usagef("say by how much with --by, like --by 30m")
		}
		if _, err := move(server, ctx, args[0], by); err != nil {
			return err
		}
		r, err := reservationOf(ctx, server, args[0])
		if err != nil {
			return err
		}
		a.did("%s is promised %s.", args[0], promised(&r.Promise))
		return nil
	})
	return c
}
