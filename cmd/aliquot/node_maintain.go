package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

const maintainHelp = `Plan maintenance of a node. Nothing is promised there for that time. When it begins, the node
drains: it takes no new VMs, and its VMs move away or are paused. At the end it takes VMs again.

It is refused with the promises that would be broken because they have no room elsewhere then.
--force breaks them; their owners are told. --cancel cancels the next maintenance, or the one
that begins at --start; if it has begun, the node takes VMs again.`

func (a *app) maintainCommand() *cobra.Command {
	var m api.NewMaintenance
	cancel := false
	c := &cobra.Command{
		Use: "maintain NODE", Short: "Plan or cancel maintenance of a node", Long: maintainHelp, Args: takes("NODE"),
		ValidArgsFunction: a.completeNodes,
		Example: "  aliquot node maintain n2 --start 22:00 --for 2h --reason 'a new disk'\n" +
			"  aliquot node maintain n2 --cancel",
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		if cancel {
			if m.Duration != "" || m.Reason != "" || m.Force {
				return usagef("--cancel takes --start only")
			}
			return a.reopenNode(ctx, server, args[0], m.Start)
		}
		if m.Start != "" {
			at, err := startTime(m.Start, time.Now())
			if err != nil {
				return usagef("--start %v", err)
			}
			m.Start = at
		}
		if m.Duration == "" {
			return usagef("maintenance needs --for, like --for 2h")
		}
		if _, err := server.PlanMaintenance(ctx, args[0], m); err != nil {
			return err
		}
		a.did("Maintenance of %s is planned.", args[0])
		return nil
	})
	c.Flags().StringVar(&m.Start, "start", "", "when it begins, like 22:00 or 2026-11-26T22:00:00Z; 3h: in 3 hours; left out: now")
	c.Flags().StringVar(&m.Duration, "for", "", "how long it lasts, like 2h")
	c.Flags().StringVar(&m.Reason, "reason", "", "reason, for people")
	c.Flags().BoolVar(&m.Force, "force", false, "break promises that have no room elsewhere then")
	c.Flags().BoolVar(&cancel, "cancel", false, "cancel it instead")
	return c
}

// reopenNode cancels the maintenance that begins at a time of the day or at a moment, or without one the first.
func (a *app) reopenNode(ctx context.Context, c *client.Client, node, start string) error {
	if start != "" {
		n, err := c.Node(ctx, node)
		if err != nil {
			return err
		}
		if start, err = beginning(n.Maintenance, start); err != nil {
			return usagef("--start %v", err)
		}
	}
	if _, err := c.CancelMaintenance(ctx, node, start); err != nil {
		return err
	}
	a.did("Maintenance of %s is cancelled.", node)
	return nil
}

// beginning returns the begin of the maintenance that a text means, as REST takes it.
func beginning(list []api.Maintenance, text string) (string, error) {
	for _, m := range list {
		at, err := time.Parse(time.RFC3339, text)
		if m.Start.Local().Format("15:04") == text || err == nil && m.Start.Equal(at) {
			return m.Start.Format(time.RFC3339Nano), nil
		}
	}
	return "", fmt.Errorf("is %s, and no maintenance begins then; aliquot node maintenance lists it", text)
}

func (a *app) maintenanceCommand() *cobra.Command {
	return &cobra.Command{
		Use: "maintenance", Short: "List planned maintenance, the earliest first", Args: takes(),
		Long:    "List planned maintenance, the earliest first. STATE is planned, or begun: the node drains.",
		Example: "  aliquot node maintenance",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			nodes, err := c.Nodes(ctx)
			if err != nil {
				return err
			}
			list := planned(nodes)
			return a.show(struct {
				Maintenance []plannedMaintenance `json:"maintenance"`
			}{list}, func(w io.Writer) { maintenanceTable(w, list) })
		}),
	}
}

// plannedMaintenance is maintenance with its node.
type plannedMaintenance struct {
	Node string `json:"node"`
	api.Maintenance
}

func planned(nodes []api.Node) []plannedMaintenance {
	list := []plannedMaintenance{}
	for _, n := range nodes {
		for _, m := range n.Maintenance {
			list = append(list, plannedMaintenance{n.Name, m})
		}
	}
	slices.SortStableFunc(list, func(x, y plannedMaintenance) int { return x.Start.Compare(y.Start) })
	return list
}

func maintenanceTable(w io.Writer, list []plannedMaintenance) {
	if len(list) == 0 {
		fmt.Fprintln(w, "No maintenance is planned. Plan some: aliquot node maintain NODE --start 22:00 --for 2h")
		return
	}
	rows := [][]string{{"NODE", "STATE", "FROM", "UNTIL", "REASON"}}
	for _, m := range list {
		rows = append(rows, []string{m.Node, word(m.Begun, "begun", "planned"), when(m.Start), when(m.End), dash(m.Reason)})
	}
	table(w, rows)
}

// serviced says when maintenance of the node is planned.
func serviced(n *api.Node) string {
	var parts []string
	for _, m := range n.Maintenance {
		text := fmt.Sprintf("%s to %s", when(m.Start), when(m.End))
		if m.Reason != "" {
			text += " (" + m.Reason + ")"
		}
		parts = append(parts, text)
	}
	return dash(strings.Join(parts, ", "))
}
