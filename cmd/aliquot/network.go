package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) networkCommand() *cobra.Command {
	return group("network", "Show and set the network of VMs",
		"Show and set the subnet from which the tasks of jobs with a network get their addresses.",
		a.networkShowCommand(), a.networkSetCommand())
}

func (a *app) networkShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Show the subnet of VMs and the nodes that have a bridge", Args: takes(),
		Long: `Show the subnet of VMs, how many of its addresses jobs have that have not ended, and the nodes
that have a bridge. Only these take jobs with --network bridge.`,
		Example: "  aliquot network show",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			n, err := c.Network(ctx)
			if err != nil {
				return err
			}
			return a.show(n, func(w io.Writer) {
				table(w, [][]string{{"Subnet:", cmp.Or(n.Subnet, "none")},
					{"Addresses:", fmt.Sprintf("%d of %d used", n.Used, n.Addresses)},
					{"Nodes:", cmp.Or(strings.Join(n.Nodes, ", "), "none has a bridge")}})
			})
		}),
	}
}

func (a *app) networkSetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set (SUBNET | none)", Short: "Set the subnet of VMs", Args: takes("SUBNET"),
		Long: `Set the IPv4 subnet of VMs, from /16 to /29, which nothing else may use. Its first address
is left to a router. A job with --network bridge gets an address for each task when it is
submitted, and keeps them until it ends, wherever its VMs go. Another subnet can be set when no
job has addresses. Each node needs a bridge of the same name, which connects it with the
others: "bridge" is a setting of its monitor.`,
		Example: "  aliquot network set 10.77.0.0/16\n  aliquot network set none",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			subnet := args[0]
			if subnet == "none" {
				subnet = ""
			}
			if _, err := c.SetNetwork(ctx, api.NewNetwork{Subnet: subnet}); err != nil {
				return err
			}
			a.did("The subnet of VMs is %s.", args[0])
			return nil
		}),
	}
}
