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
		"Show and set the subnet from which the tasks of jobs with a network get their addresses, and the\nrules for their network cards.",
		a.networkShowCommand(), a.networkSetCommand())
}

func (a *app) networkShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Show the subnet of VMs and the nodes that take jobs with a network", Args: takes(),
		Long: `Show the subnet of VMs, how many of its addresses jobs have that have not ended, whether projects
reach each other, the limit of each VM, and the nodes that take jobs with --network bridge: those
that have a bridge and, if there is a limit, can limit network cards. The nodes with a bridge that
cannot are listed, too.`,
		Example: "  aliquot network show",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			n, err := c.Network(ctx)
			if err != nil {
				return err
			}
			return a.show(n, func(w io.Writer) {
				rows := [][]string{{"Subnet:", cmp.Or(n.Subnet, "none")},
					{"Addresses:", fmt.Sprintf("%d of %d used", n.Used, n.Addresses)},
					{"Projects:", word(n.Open, "reach each other", "are isolated from each other")},
					{"Bandwidth:", bandwidthOf(n)},
					{"Nodes:", cmp.Or(strings.Join(n.Nodes, ", "), "none takes jobs with a network")}}
				if len(n.Unlimited) > 0 {
					rows = append(rows, []string{"Unlimited:", strings.Join(n.Unlimited, ", ") + " cannot limit network cards"})
				}
				table(w, rows)
			})
		}),
	}
}

// bandwidthOf says how much each VM may send and get.
func bandwidthOf(n api.Network) string {
	if n.Bandwidth == 0 {
		return "no limit"
	}
	return fmt.Sprintf("%d Mbit/s each way for each VM", n.Bandwidth)
}

// warnOfUnlimited names the nodes that take no VMs with a network because they cannot limit network cards.
func (a *app) warnOfUnlimited(ctx context.Context, c *client.Client) error {
	n, err := c.Network(ctx)
	if err != nil {
		return err
	}
	if len(n.Unlimited) > 0 {
		a.did("%s cannot limit network cards: no VM with a network starts there or moves there now.",
			strings.Join(n.Unlimited, ", "))
	}
	return nil
}

func (a *app) networkSetCommand() *cobra.Command {
	var n api.NewNetwork
	c := &cobra.Command{
		Use: "set (SUBNET | none)", Short: "Set the subnet of VMs", Args: takes("SUBNET"),
		Long: `Set the IPv4 subnet of VMs, from /16 to /29, which nothing else may use. Its first address
is left to a router. A job with --network bridge gets an address for each task when it is
submitted, and keeps them until it ends, wherever its VMs go. Another subnet can be set when no
job has addresses. Each node needs a bridge of the same name, which connects it with the
others: "bridge" is a setting of its monitor.

VMs reach those of their own project, the router, and what is outside the subnet. With --open they
reach those of all projects. That can be changed at any time, and counts for jobs that are submitted
from then on. --bandwidth limits what each VM sends, and what it gets, from its next start or
resume on. It needs parts of the kernel: on nodes that lack them no VM with a network starts or
resumes any more, and none moves there; "network set" and "show" name them. Each "set" sets all of
it: what is left out is as at first.`,
		Example: "  aliquot network set 10.77.0.0/16 --bandwidth 500\n  aliquot network set none",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if n.Subnet = args[0]; n.Subnet == "none" {
				n.Subnet = ""
			}
			if _, err := c.SetNetwork(ctx, n); err != nil {
				return err
			}
			a.did("The subnet of VMs is %s.", args[0])
			if n.Bandwidth == 0 {
				return nil
			}
			return a.warnOfUnlimited(ctx, c)
		}),
	}
	c.Flags().BoolVar(&n.Open, "open", false, "VMs of different projects reach each other")
	c.Flags().IntVar(&n.Bandwidth, "bandwidth", 0, "the most that each VM sends, and gets, in `Mbit/s`; 0: no limit")
	return c
}
