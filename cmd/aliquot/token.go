package main

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) tokenCommand() *cobra.Command {
	return group("token", "Create, list and revoke tokens",
		"Create, list and revoke the tokens of people and programs.\nAll commands but whoami need an admin's token.",
		a.tokenCreateCommand(), a.tokenListCommand(), a.tokenRevokeCommand(), a.whoAmICommand())
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
			return a.showSecret(created, &to, created.Secret)
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
		expires, used, state := "never", "-", "valid"
		if t.Expires != nil {
			expires = when(*t.Expires)
			if time.Now().After(*t.Expires) {
				state = "expired"
			}
		}
		if t.Used != nil {
			used = when(*t.Used)
		}
		if t.Revoked {
			state = "revoked"
		}
		rows = append(rows, []string{t.ID, t.Name, t.Role, t.Owner, t.Project, when(t.Created), expires, used, state})
	}
	table(w, rows)
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID...", Short: "Revoke tokens", Long: "Revoke tokens by their ids. They are refused from now on.",
		Args:    takes("ID..."),
		Example: "  aliquot token list\n  aliquot token revoke k3v9x2m4q7wz",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(id string) (string, error) {
				_, err := c.RevokeToken(ctx, id)
				return id + " is revoked.", err
			})
		}),
	}
}
