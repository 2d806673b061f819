package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
)

func (a *app) consoleCommand() *cobra.Command {
	return group("console", "Open the console in a browser",
		"The console shows and controls the cluster in a browser, with all functions of REST.", a.consoleLoginCommand())
}

// consoleLogin is the output of console login.
type consoleLogin struct {
	Address string    `json:"address"`
	Role    string    `json:"role"`
	Expires time.Time `json:"expires"`
}

func (a *app) consoleLoginCommand() *cobra.Command {
	var role string
	c := &cobra.Command{
		Use: "login", Short: "Print an address that logs one browser in, once, within 10 minutes", Args: takes(),
		Long: `Print an address that logs one browser in, once, within 10 minutes. The session acts as
the token in use, with at most its role, and lasts 12 hours or as long as the token.
Revoking the token ends its sessions. The first user of the address is logged in: keep it
to yourself.`,
		Example: "  aliquot console login\n  aliquot console login --role viewer",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			code, err := c.CreateLoginCode(ctx, role)
			if err != nil {
				return err
			}
			address, err := consoleAddress(ctx, c)
			if err != nil {
				return err
			}
			login := consoleLogin{address + "/login#code=" + code.Code, code.Role, code.Expires}
			return a.show(login, func(w io.Writer) { fmt.Fprintln(w, login.Address) })
		}),
	}
	c.Flags().StringVar(&role, "role", "",
		"role of the session: viewer, user, operator or admin; left out: the token's role")
	_ = c.RegisterFlagCompletionFunc("role", cobra.FixedCompletions([]string{"viewer", "user", "operator", "admin"},
		cobra.ShellCompDirectiveNoFileComp))
	return c
}

// consoleAddress returns the URL of the manager that answers, even if the request went to its socket.
func consoleAddress(ctx context.Context, c *client.Client) (string, error) {
	if !strings.HasPrefix(c.Manager(), socketScheme) {
		return c.Manager(), nil
	}
	managers, err := c.Managers(ctx)
	if err != nil {
		return "", err
	}
	for _, m := range managers {
		if m.Answers && m.Address != "" {
			return m.Address, nil
		}
	}
	return "", errors.New("the manager does not know the address of its console: add it to its urls")
}
