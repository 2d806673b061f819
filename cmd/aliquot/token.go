package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) tokenCommand() *cobra.Command {
	return group("token", "Create, list and revoke tokens",
		"Create, list and revoke the tokens of people and programs.\nAll commands but whoami need an admin's token.",
		a.tokenCreateCommand(), tabular(a.tokenListCommand()), a.tokenRevokeCommand(), a.whoAmICommand())
}

func (a *app) whoAmICommand() *cobra.Command {
	return &cobra.Command{
		Use: "whoami", Short: "Show the token in use", Long: "Show the name, owner and role of the token in use.",
		Args: takes(), Example: "  aliquot token whoami",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			t, err := c.WhoAmI(ctx)
			if err != nil {
				return err
			}
			return a.show(t, func(w io.Writer) { tokenTable(w, []api.Token{t}) })
		}),
	}
}

func (a *app) tokenCreateCommand() *cobra.Command {
	t, to := api.NewToken{}, secretFile{}
	c := &cobra.Command{
		Use: "create NAME", Short: "Create a token and print its secret", Args: takes("NAME"),
		Long: `Create a token and print its secret, which is shown only once. Each role includes the
ones before it: viewer reads; user submits, and controls the jobs of its owner
and project; operator controls all jobs and nodes; admin sets policy and tokens.`,
		Example: "  aliquot token create alice --role user --project render --out alice.token\n  aliquot token create ci --role user --expires 720h",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			t.Name = args[0]
			if err := to.check(); err != nil {
				return err
			}
			created, err := c.CreateToken(ctx, t)
			if err != nil {
				return err
			}
			name := created.ID + " of " + created.Name
			if to.path == "" {
				a.did("The token %s is shown only once.", name)
			}
			return a.showSecret(created, &to, created.Secret, name)
		}),
	}
	flags := c.Flags()
	to.flags(flags)
	flags.StringVar(&t.Role, "role", "user", "viewer, user, operator or admin")
	flags.StringVar(&t.Owner, "owner", "", "owner of the jobs submitted with it; left out: its name")
	flags.StringVar(&t.Project, "project", "", "project of the jobs submitted with it; left out: default")
	flags.StringVar(&t.Expires, "expires", "", "time to live, like 720h; left out: forever")
	_ = c.RegisterFlagCompletionFunc("role", cobra.FixedCompletions([]string{"viewer", "user", "operator", "admin"},
		cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) tokenListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List tokens", Args: takes(),
		Long:    "List tokens, without their secrets, which are not stored, with their last use to the minute.",
		Example: "  aliquot token list",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			tokens, err := c.Tokens(ctx)
			if err != nil {
				return err
			}
			return a.show(api.TokenList{Tokens: tokens}, func(w io.Writer) { tokenTable(w, tokens) })
		}),
	}
}

func tokenTable(w io.Writer, tokens []api.Token) {
	rows := [][]string{{"ID", "NAME", "ROLE", "OWNER", "PROJECT", "CREATED", "EXPIRES", "LAST USED", "STATE"}}
	for _, t := range tokens {
		expires, used := "never", "-"
		if t.Expires != nil {
			expires = when(*t.Expires)
		}
		if t.Used != nil {
			used = lastUse(*t.Used, time.Now())
		}
		rows = append(rows, []string{t.ID, t.Name, t.Role, t.Owner, t.Project, when(t.Created), expires, used,
			tokenState(&t)})
	}
	table(w, rows)
}

func tokenState(t *api.Token) string {
	switch {
	case t.Revoked:
		return "revoked"
	case t.Expires != nil && time.Now().After(*t.Expires):
		return "expired"
	}
	return "valid"
}

// lastUse formats the time of a last use, which managers record at most once a minute.
func lastUse(used, now time.Time) string {
	if now.Sub(used) < 2*time.Minute {
		return "within the last 2 min"
	}
	return used.Local().Format("2006-01-02 15:04 MST")
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke TOKEN...", Short: "Revoke tokens", Args: takes("TOKEN..."),
		Long:    "Revoke tokens by their ids, or by a name that only one valid token has. They are refused from\nnow on.",
		Example: "  aliquot token list\n  aliquot token revoke k3v9x2m4q7wz\n  aliquot token revoke ci",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			tokens, err := c.Tokens(ctx)
			if err != nil {
				return err
			}
			return a.each(args, func(given string) (string, error) {
				t, err := tokenCalled(tokens, given)
				if err == nil {
					_, err = c.RevokeToken(ctx, t.ID)
				}
				return fmt.Sprintf("%s of %s is revoked.", t.ID, t.Name), err
			})
		}),
	}
}

// tokenCalled returns the token of that id, or the only valid one of that name.
func tokenCalled(tokens []api.Token, called string) (found api.Token, err error) {
	var ids []string
	for _, t := range tokens {
		if t.ID == called {
			return t, nil
		}
		if t.Name == called && tokenState(&t) == "valid" {
			found, ids = t, append(ids, t.ID)
		}
	}
	switch len(ids) {
	case 0:
		return found, fmt.Errorf("no token has the id %q, and no valid one that name", called)
	case 1:
		return found, nil
	}
	return found, fmt.Errorf("%d valid tokens are named %s; revoke one by its id: %s", len(ids), called,
		strings.Join(ids, ", "))
}
