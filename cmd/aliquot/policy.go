package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/policy/catalog"
	"aliquot/web/api"
)

func (a *app) policyCommand() *cobra.Command {
	return group("policy", "Show and set the scheduling policy",
		"Show, list and set scheduling policies, by their published names.", a.policyGetCommand(), a.policyListCommand(),
		a.policySetCommand())
}

func (a *app) policyGetCommand() *cobra.Command {
	return &cobra.Command{
		Use: "get", Short: "Show the policy in force", Long: "Show the policy in force and the period of its tick.",
		Args: takes(), Example: "  aliquot policy get",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			p, err := c.Policy(ctx)
			if err != nil {
				return err
			}
			return a.show(p, func(w io.Writer) { fmt.Fprintf(w, "%s, every %s\n", p.Name, p.Period) })
		}),
	}
}

const policyListHelp = `List the policies with a one-line description. No manager is needed.

FCFS, EASY and conservative give each task a node of its own. With /cores they pack tasks
by whole cores, as batch systems do: jobs share nodes, or with /exclusive only tasks of one
job do. /per-node=CORES sets the number of cores of a node, whatever its CPU; otherwise a core
is 1,000 millicores. Under all others jobs share nodes by shares of CPU.

MCB8 is the packing that maximises the least yield; a tick is a periodic
decision. Names that run MCB8 take /minvt=SECONDS and /minft=SECONDS: a running job with
less virtual or flow time is left where it is.`

func (a *app) policyListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the available policies", Long: policyListHelp, Args: takes(),
		Example: "  aliquot policy list",
		RunE: func(*cobra.Command, []string) error {
			if err := a.checkFormat(); err != nil {
				return err
			}
			list := policyList{Policies: []policyLine{}}
			for _, name := range catalog.Names() {
				list.Policies = append(list.Policies, policyLine{name, catalog.About(name)})
			}
			return a.show(list, list.table)
		},
	}
}

// policyList is the content of package catalog.
type policyList struct {
	Policies []policyLine `json:"policies"`
}

type policyLine struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

func (l policyList) table(w io.Writer) {
	rows := [][]string{{"NAME", "WHAT IT DOES"}}
	for _, p := range l.Policies {
		rows = append(rows, []string{p.Name, p.About})
	}
	table(w, rows)
}

func (a *app) policySetCommand() *cobra.Command {
	var p api.Policy
	c := &cobra.Command{
		Use: "set NAME", Short: "Set the policy", Args: takes("NAME"),
		Long: "Set the policy by its published name; `aliquot policy list` shows the names. It decides\n" +
			"at once; `aliquot plan policy NAME` shows the effect in advance.",
		Example: "  aliquot policy set 'GreedyPM */stable' --period 10m\n  aliquot policy set FCFS",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			p.Name = args[0]
			_, err := c.SetPolicy(ctx, p)
			return err
		}),
	}
	c.Flags().StringVar(&p.Period, "period", "", "time between periodic decisions, like 10m; left out: unchanged")
	return c
}
