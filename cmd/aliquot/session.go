package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) sessionCommand() *cobra.Command {
	return group("session", "List and end the console's sessions",
		"List and end the sessions of browsers in the console: those of your token, or as an admin all.",
		tabular(a.sessionListCommand()), a.sessionEndCommand())
}

func (a *app) sessionListCommand() *cobra.Command {
	var token string
	c := &cobra.Command{
		Use: "list", Short: "List sessions in use", Args: takes(),
		Long: `List the sessions in use, the latest used first: the token that each is based on, the
address of its last use, its login, and its last use to the minute. Of each token a manager
lists the 64 sessions that were used last.`,
		Example: "  aliquot session list\n  aliquot session list --token k3v9x2m4q7wz",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			list, err := c.Sessions(ctx, token)
			if err != nil {
				return err
			}
			a.warnOfSilent(list.Silent, "sessions")
			return a.show(list, func(w io.Writer) { sessionTable(w, list.Sessions) })
		}),
	}
	c.Flags().StringVar(&token, "token", "", "only sessions of the token with this id")
	return c
}

func sessionTable(w io.Writer, sessions []api.UsedSession) {
	rows := [][]string{{"ID", "TOKEN", "NAME", "ROLE", "FROM", "SINCE", "LAST USED", "EXPIRES"}}
	for _, s := range sessions {
		since := "-"
		if s.Since != nil {
			since = when(*s.Since)
		}
		rows = append(rows, []string{s.ID, s.Token, s.TokenName, s.Role, dash(s.From), since,
			lastUse(s.Used, time.Now()), when(s.Expires)})
	}
	table(w, rows)
}

func (a *app) sessionEndCommand() *cobra.Command {
	var token string
	c := &cobra.Command{
		Use: "end [ID...]", Short: "End sessions", Args: cobra.ArbitraryArgs,
		Long: `End sessions by their ids, or with --token all sessions and login codes of a token, also
those that are not listed. All managers refuse them from now on. The token stays valid.`,
		Example: "  aliquot session end 5WGJ2QXIYPLTK7D4UZR3MNBC6E\n  aliquot session end --token k3v9x2m4q7wz",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if (token == "") == (len(args) == 0) {
				return usagef("name sessions, or a token with --token")
			}
			if token != "" {
				return a.each([]string{token}, func(token string) (string, error) {
					_, err := c.EndSessions(ctx, token)
					return "All sessions of " + token + " are ended.", err
				})
			}
			return a.each(args, func(id string) (string, error) {
				_, err := c.EndSession(ctx, id)
				return id + " is ended.", err
			})
		}),
	}
	c.Flags().StringVar(&token, "token", "", "end all sessions of the token with this id")
	return c
}
