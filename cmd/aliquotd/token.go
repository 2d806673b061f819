package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"aliquot/config"
	"aliquot/manager/ca"
)

func joinTokenCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "join-token", Short: "Print the join token of nodes, on a manager's machine", Args: cobra.NoArgs,
		Long: `Print the join token of nodes, on a manager's machine. With --rotate, make a new
one first: the previous one admits no more nodes, and nodes that have joined stay. It counts
at once; other managers need a copy of the file join.token.`,
		Example: "  aliquotd join-token | ssh node1 'umask 077; cat > join.token'",
	}
	secrets := c.Flags().String("secrets", config.NewManager().Secrets, "folder of the managers' secrets")
	rotate := c.Flags().Bool("rotate", false, "make a new token first")
	c.RunE = func(c *cobra.Command, _ []string) error {
		// Opening the authority would create a missing one, which only a manager may do.
		if _, err := os.Stat(filepath.Join(*secrets, "ca.crt")); err != nil {
			return fmt.Errorf("no manager's secrets were found; a manager's first start makes them: %w", err)
		}
		authority, err := ca.Open(*secrets)
		if err != nil {
			return err
		}
		if *rotate {
			if err := authority.RotateJoinToken(); err != nil {
				return err
			}
		}
		token, err := authority.JoinToken()
		if err == nil {
			_, err = fmt.Fprintln(c.OutOrStdout(), token)
		}
		return err
	}
	return c
}
