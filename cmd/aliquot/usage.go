package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) usageCommand() *cobra.Command {
	var f client.UsageFilter
	var since, until string
	c := &cobra.Command{
		Use: "usage", Short: "Show what the jobs of owners or projects had over time", Args: takes(),
		Long: `Show CPU that was granted and CPU that VMs used, in hours of a core, and for how many hours
jobs that may run waited or were paused. With --step each hour or day (UTC) has its rows;
otherwise there is one row for all the time. Operators see everybody, others their own jobs
and those of their project. Hours are kept for 400 days. Jobs may use more than was granted
while their VMs boot: CPU that no share claims speeds that up.`,
		Example: "  aliquot usage\n  aliquot usage --by project --since 720h\n  aliquot usage --since 2026-11-01T00:00:00Z --step day -o json",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) (err error) {
			now := time.Now()
			if f.From, err = timeOrAgo("since", since, now); err != nil {
				return err
			}
			if f.To, err = timeOrAgo("until", until, now); err != nil {
				return err
			}
			report, err := c.Usage(ctx, f)
			if err != nil {
				return err
			}
			return a.show(report, func(w io.Writer) { usageTable(w, &report, f.Step != "all") })
		}),
	}
	flags := c.Flags()
	flags.StringVar(&f.By, "by", "owner", "whose usage each row is: owner or project")
	flags.StringVar(&since, "since", "", "begin at this time, or this long ago; left out: a week before the end")
	flags.StringVar(&until, "until", "", "end at this time, or this long ago; left out: now")
	flags.StringVar(&f.Step, "step", "all", "time of each row: hour, day or all")
	for flag, values := range map[string][]string{"by": {"owner", "project"}, "step": {"hour", "day", "all"}} {
		_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	return c
}

func usageTable(w io.Writer, report *api.UsageReport, steps bool) {
	rows := [][]string{{"OWNER", "GRANTED", "USED", "WAITED"}}
	for _, r := range report.Rows {
		if r.Project != "" {
			rows[0][0] = "PROJECT"
		}
		rows = append(rows, []string{cmp.Or(r.Owner, r.Project), hours(r.GrantedCoreHours), hours(r.UsedCoreHours),
			hours(r.WaitedJobHours)})
	}
	if steps {
		rows[0] = append([]string{"SINCE"}, rows[0]...)
		for i, r := range report.Rows {
			rows[i+1] = append([]string{when(r.Start)}, rows[i+1]...)
		}
	}
	table(w, rows)
}

// hours formats hours of a core or of a job. A small use is not shown as none.
func hours(x float64) string {
	switch {
	case x == 0 || x >= 0.1:
		return fmt.Sprintf("%.2f h", x)
	case x < 0.0001:
		return "< 0.0001 h"
	}
	return fmt.Sprintf("%.4f h", x)
}
