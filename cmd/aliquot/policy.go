package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) policyCommand() *cobra.Command {
	return group("policy", "Show and set the scheduling policy", "Show and set the scheduling policy, by its published name.", a.policyGetCommand(), a.policySetCommand())
}

func (a *app) policyGetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "get", Short: "Show the policy in force", Long: "Show the policy in force and the period of its tick.", Args: takes(), Example: "  aliquot policy get",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			p, err := c.Policy(ctx)
			if err != nil {
				return err
			}
			return a.show(p, func(w io.Writer) { fmt.Fprintf(w, "%s, every %s\n", p.Name, p.Period) })
		}),
	}
}

func (a *app) policySetCommand() *cobra.Command {
	var p api.Policy
	c := &cobra.Command{
		Use: "set NAME", Short: "Set the policy", Args: takes("NAME"),
		Long:    "Set the policy by its published name. It decides anew at once; `aliquot plan policy NAME` shows beforehand what would happen.",
		Example: "  aliquot policy set 'GreedyPM */per/opt=min/minvt=600' --period 10m\n  aliquot policy set FCFS",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			p.Name = args[0]
			_, err := c.SetPolicy(ctx, p)
			return err
		}),
	}
	c.Flags().StringVar(&p.Period, "period", "", "between periodic decisions, like 10m; left out: as it is")
	return c
}
