package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/policy/catalog"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) policyCommand() *cobra.Command {
	return group("policy", "Show and set the scheduling policy",
		"Show, list and set scheduling policies, by their published names.", a.policyGetCommand(), tabular(a.policyListCommand()),
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
			return a.show(p, func(w io.Writer) { fmt.Fprintln(w, inForce(p)) })
		}),
	}
}

const policyListHelp = `List the policies with a one-line description. No manager is needed.

FCFS, EASY and conservative give each task a node of its own. With /cores they pack tasks
by whole cores, as batch systems do: jobs share nodes, or with /exclusive only tasks of one
job do. /per-node=CORES sets the number of cores of a node, whatever its CPU; otherwise a core
is 1,000 millicores. Under all others jobs share nodes by shares of CPU.

KEASY, MEASY and REASY also run jobs in the background of busy nodes. /threshold=0.9 leaves the
background of a node empty from that use of its foreground on, 0.96 unless given. That is what
VMs were measured to use in the last minute or so, and the need of others; /use=declared takes
the need of all, and /blind fills the background whatever the foreground uses. REASY/extra=prose
counts extra nodes by the prose of its paper, not by its Algorithm 3.

attained ranks jobs by what they have had, and uses the background, too. /pay=0.1 is the part of
its work that a job may stand still for losing its place, a tenth unless given: with less, jobs
are displaced less often. It takes the measured use as well, and always a threshold of 0.96.

Policies named reserve/… run in simulations of streams only: jobs get nodes for an interval
until their deadline, or are refused at once. A live cluster keeps no such promises yet.

MCB8 is the packing that maximises the least yield; a tick is a periodic
decision. Names that run MCB8 take /minvt=SECONDS and /minft=SECONDS: a running job with
less virtual or flow time is left where it is.`

func (a *app) policyListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the available policies", Long: policyListHelp, Args: takes(),
		Example: "  aliquot policy list",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.checkFormat(c); err != nil {
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
	yes := false
	c := &cobra.Command{
		Use: "set NAME", Short: "Set the policy", Args: takes("NAME"), ValidArgsFunction: completePolicies,
		Long: "Set the policy by its published name; `aliquot policy list` shows the names. It decides\n" +
			"at once. On a terminal the effect is shown in advance, as by `aliquot plan policy`, and you\n" +
			"are asked. --yes does not ask, and is required elsewhere. Both name the jobs that would fail,\n" +
			"because they could never run under that policy, with the reason: waiting jobs at once, jobs\n" +
			"that are held or wait for others when their turn comes. For admins.",
		Example: "  aliquot policy set 'GreedyPM */stable' --period 10m\n  aliquot policy set FCFS --yes",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			p.Name = args[0]
			never := api.Policy{Name: p.Name, Period: "0s"}
			set := func() (api.Accepted, error) { return c.SetPolicy(ctx, never) }
			if err := needsRole(ctx, c, settingPolicy, "admin", set); err != nil {
				return err
			}
			plan, err := c.Plan(ctx, api.Hypothesis{Policy: &p})
			switch {
			case yes && err != nil: // setting the policy says what is wrong with that
				fmt.Fprintf(a.err, "Which jobs would fail could not be found out: %v\n", err)
			case yes:
				planRefusals(a.err, &plan)
			case err != nil:
				return err
			default:
				if err := a.confirmPolicy(ctx, &plan); err != nil {
					return err
				}
			}
			return a.setPolicy(ctx, c, p)
		}),
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	c.Flags().StringVar(&p.Period, "period", "", "time between periodic decisions, like 10m; left out: unchanged")
	return c
}

// confirmPolicy shows the effect of a policy and asks whether to set it.
func (a *app) confirmPolicy(ctx context.Context, plan *api.Plan) error {
	planPage(a.err, plan)
	question := "Set the policy?"
	if n := len(plan.Refusals); n > 0 {
		question = "Set the policy, although " + wording.Count(n, "job") + " would fail?"
	}
	return a.confirm(ctx, question)
}

// setPolicy sets the policy and says which one is in force then, by its canonical name.
func (a *app) setPolicy(ctx context.Context, c *client.Client, p api.Policy) error {
	if _, err := c.SetPolicy(ctx, p); err != nil {
		return err
	}
	now, err := c.Policy(ctx)
	if err != nil {
		return err
	}
	a.did("The policy is %s.", inForce(now))
	return nil
}

// inForce returns the policy with its period, if that matters.
func inForce(p api.Policy) string {
	return p.Name + word(catalog.Ticks(p.Name), ", every "+p.Period, ", without periodic decisions")
}

// completePolicies completes the names of policies.
func completePolicies(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range catalog.Names() {
		names = append(names, name+"\t"+catalog.About(name))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
