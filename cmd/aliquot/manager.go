package main

import (
	"cmp"
	"context"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) managerCommand() *cobra.Command {
	return group("manager", "Show the managers", "Show the managers of the cluster.", a.managerListCommand())
}

func (a *app) managerListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the managers", Args: takes(), Example: "  aliquot manager list",
		Long: `List the managers: who leads, what each has applied of the replicated log, how far that is
behind the foremost, and what is wrong with it. The one that is asked asks the others. It is
ok, unavailable if it cannot serve, unreachable if it does not answer, or unknown if the one
that is asked has not been told its address.`,
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
	rows := [][]string{{"REPLICA", "ADDRESS", "ROLE", "STATUS", "REVISION", "BEHIND", "VERSION", "PROBLEM"}}
	for _, m := range managers {
		rows = append(rows, []string{
			strconv.FormatUint(m.Replica, 10), cmp.Or(m.Address, "-"), roleOf(&m), m.Status,
			revision(m.Revision), revision(m.Behind), cmp.Or(m.Version, "-"), cmp.Or(m.Problem, "-"),
		})
	}
	table(w, rows)
}

// roleOf is unknown of who did not say.
func roleOf(m *api.Manager) string {
	switch {
	case m.Revision == nil:
		return "-"
	case m.Leads:
		return "leader"
	}
	return "follower"
}

func revision(n *uint64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatUint(*n, 10)
}
