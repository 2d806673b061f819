package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) quotaCommand() *cobra.Command {
	return group("quota", "Show and set the quotas of projects and owners",
		"Show what the jobs of projects and owners take until they end, and the most that they may\ntake; set the limits.",
		tabular(a.quotaListCommand()), a.quotaSetCommand())
}

func (a *app) quotaListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Show uses and quotas", Args: takes(),
		Long: `Show what jobs that have not ended take, and the most that they may take, as USED/MOST.
Operators see all projects and owners; others see their own.`,
		Example: "  aliquot quota list",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			quotas, err := c.Quotas(ctx)
			if err != nil {
				return err
			}
			return a.show(api.QuotaList{Quotas: quotas}, func(w io.Writer) { quotaTable(w, quotas) })
		}),
	}
}

func quotaTable(w io.Writer, quotas []api.Quota) {
	rows := [][]string{{"PROJECT", "OWNER", "JOBS", "TASKS", "CPU", "MEMORY", "LOGS", "SPECS", "WEIGHT"}}
	for _, q := range quotas {
		u, m := q.Used, q.Most
		rows = append(rows, []string{cmp.Or(q.Project, "-"), cmp.Or(q.Owner, "-"), share(u.Jobs, m.Jobs),
			share(u.Tasks, m.Tasks),
			share(cluster.CPU(u.CPUMillicores), cluster.CPU(m.CPUMillicores)),
			share(amount(u.MemoryBytes), amount(m.MemoryBytes)), share(amount(u.LogBytes), amount(m.LogBytes)),
			share(amount(u.SpecBytes), amount(m.SpecBytes)), fmt.Sprintf("%d %%", q.Weight)})
	}
	table(w, rows)
}

// amount is a number of bytes that is shown in words.
type amount cluster.Bytes

func (n amount) String() string { return cluster.Bytes(n).Words() }

// share formats a use with its limit, if there is one.
func share[T comparable](used, most T) string {
	if most == *new(T) {
		return fmt.Sprint(used)
	}
	return fmt.Sprintf("%v/%v", used, most)
}

// quotaSet says what the quota is from now on.
func quotaSet(q *api.NewQuota) string {
	whose := first(word(q.Project != "", "project "+q.Project, ""), "owner "+q.Owner)
	var most []string
	for _, limit := range []struct {
		is   bool
		text string
	}{
		{q.Jobs > 0, wording.Count(q.Jobs, "job")}, {q.Tasks > 0, wording.Count(q.Tasks, "task")},
		{q.CPU != "", q.CPU + " CPU"}, {q.Memory != "", q.Memory + " memory"}, {q.Logs != "", q.Logs + " output"},
		{q.Specs != "", q.Specs + " specifications"}, {q.Weight > 0, fmt.Sprintf("weight %d %%", q.Weight)},
	} {
		if limit.is {
			most = append(most, limit.text)
		}
	}
	return fmt.Sprintf("The quota of %s is %s.", whose, first(strings.Join(most, ", "), "removed"))
}

func (a *app) quotaSetCommand() *cobra.Command {
	q := api.NewQuota{}
	command := &cobra.Command{
		Use: "set (--project NAME | --owner NAME)", Short: "Set the quota of a project or an owner", Args: takes(),
		Long: `Set the quota of a project or of an owner: the most that its jobs may take together until
they end. It replaces the one before; without limits and weight it is removed. The name *
sets it for each that has none of its own. A job beyond it is refused with the numbers.

The weight divides the cluster among owners when memory does not suffice for all jobs: with
200 an owner's share is twice that of others. The weights of a project and of an owner in it
are multiplied. A job whose owner's share is used gives way to jobs within their shares.`,
		Example: "  aliquot quota set --project render --tasks 200 --cpu 64 --memory 256Gi\n  aliquot quota set --owner '*' --jobs 1000\n  aliquot quota set --owner ann --weight 200\n  aliquot quota set --project render",
	}
	flags := command.Flags()
	command.RunE = a.act(func(ctx context.Context, c *client.Client, _ []string) error {
		if (q.Project == "") == (q.Owner == "") {
			return usagef("name either a --project or an --owner")
		}
		if flags.Changed("weight") && q.Weight < 1 {
			return usagef("--weight is %d, must be a number from 1; leave it out for the usual one, 100", q.Weight)
		}
		if _, err := c.SetQuota(ctx, q); err != nil {
			return err
		}
		a.did("%s", quotaSet(&q))
		return nil
	})
	flags.StringVar(&q.Project, "project", "", "whose quota it is; '*': each project without its own")
	flags.StringVar(&q.Owner, "owner", "", "whose quota it is, in all projects; '*': each owner without its own")
	flags.IntVar(&q.Jobs, "jobs", 0, "most jobs that have not ended; 0: no limit")
	flags.IntVar(&q.Tasks, "tasks", 0, "most tasks of these jobs; 0: no limit")
	flags.StringVar(&q.CPU, "cpu", "", "most CPU that their tasks need together, like 64; left out: no limit")
	flags.StringVar(&q.Memory, "memory", "", "most memory of their tasks together, like 256Gi; left out: no limit")
	flags.StringVar(&q.Logs, "logs", "", "most output and results that their tasks may keep, like 10Gi; left out: no limit")
	flags.IntVar(&q.Weight, "weight", 0, "weight in the sharing of the cluster, in percent; left out: the usual one, 100")
	flags.StringVar(&q.Specs, "specs", "", "most text of their specifications, like 16Mi; left out: no limit")
	return command
}
