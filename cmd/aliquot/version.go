package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show the versions of this command and of the manager", Args: takes(),
		Long:    "Show the versions of this command and of the answering manager.\n`aliquot --version` needs no manager.",
		Example: "  aliquot version",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			manager, err := c.Version(ctx)
			if err != nil {
				return err
			}
			both := struct {
				Client  string      `json:"client"`
				Manager api.Version `json:"manager"`
			}{version, manager}
			return a.show(both, func(w io.Writer) {
				fmt.Fprintf(w, "aliquot %s\nmanager %s, API %s, %s\n", version, manager.Version, manager.API, manager.Go)
			})
		}),
	}
}
