package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) managerCommand() *cobra.Command {
	return group("manager", "Show the managers and set their time",
		"Show the managers of the cluster, and set the time that they agree on.",
		tabular(a.managerListCommand()), a.managerSetTimeCommand())
}

func (a *app) managerListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the managers", Args: takes(), Example: "  aliquot manager list",
		Long: `List the managers with their role, the revision of the replicated log that each has applied, how far
it is behind the newest, the format of its state, and its problem. The format is the
version of the rules that all managers follow; 2 of 3 means that its program understands 3,
which comes into force once every manager does. A dash means unknown. The answering
manager asks the others. A manager is ok, unavailable if it cannot serve, unreachable if it does not
answer, or unknown if the answering manager does not have its address.`,
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			managers, err := c.Managers(ctx)
			if err != nil {
				return err
			}
			return a.show(api.ManagerList{Managers: managers}, func(w io.Writer) { managerTable(w, managers) })
		}),
	}
}

func managerTable(w io.Writer, managers []api.Manager) {
	rows := [][]string{{"REPLICA", "ADDRESS", "ROLE", "STATUS", "REVISION", "BEHIND", "FORMAT", "VERSION", "PROBLEM"}}
	for _, m := range managers {
		rows = append(rows, []string{
			strconv.FormatUint(m.Replica, 10), cmp.Or(m.Address, "-"), roleOf(&m), m.Status,
			revision(m.Revision), revision(m.Behind), formats(&m), cmp.Or(m.Version, "-"), cmp.Or(m.Problem, "-"),
		})
	}
	table(w, rows)
}

// roleOf returns the role, or a dash if it is unknown.
func roleOf(m *api.Manager) string {
	switch {
	case m.Revision == nil:
		return "-"
	case m.Leads:
		return "leader"
	}
	return "follower"
}

// formats returns the format in force, with the highest known one if that is higher: 2 of 3.
func formats(m *api.Manager) string {
	switch {
	case m.Format == 0:
		return "-"
	case m.LatestFormat > m.Format:
		return fmt.Sprintf("%d of %d", m.Format, m.LatestFormat)
	}
	return strconv.FormatUint(uint64(m.Format), 10)
}

func revision(n *uint64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatUint(*n, 10)
}
