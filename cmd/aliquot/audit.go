package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

// auditInterval is the time between two questions for new entries of the audit log.
const auditInterval = 2 * time.Second

func (a *app) auditCommand() *cobra.Command {
	var f client.AuditFilter
	var from, to string
	var follow bool
	limit := 100
	c := &cobra.Command{
		Use: "audit", Short: "Show or follow the audit log", Args: takes(),
		Long: `Show who did or tried what, from where, when and with what outcome: logins, requests that
change something, reads of output, and everything that was refused for lack of rights. The
logs of all managers are shown together, newest first. Repetitions within a minute share the
entry of the first request: COUNT is complete when the minute is over. It needs an admin's
token. --from and --to take a time like 2026-11-25T14:00:00Z, or a duration before now, like
24h. With -f it prints new entries, oldest first, until you stop it, and an entry once more
when its repetitions have been counted; with -o json one per line.`,
		Example: "  aliquot audit --who alice --from 24h\n  aliquot audit --operation '*-token' --operation '*-session'\n" +
			"  aliquot audit --outcome refused -f",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			if err := auditTimes(&f, from, to, time.Now()); err != nil {
				return err
			}
			if limit < 1 {
				return usagef("--limit must be above 0")
			}
			if follow && a.format == "csv" {
				return usagef("-o csv is for past entries; with -f use json")
			}
			if follow && to != "" {
				return usagef("--to and -f exclude each other")
			}
			if follow {
				return a.followAudit(ctx, c, f)
			}
			return a.showAudit(ctx, c, f, limit)
		}),
	}
	flags := c.Flags()
	flags.StringVar(&f.Who, "who", "", "only entries of this actor, or of the token with this id")
	flags.StringSliceVar(&f.Operations, "operation", nil,
		"only these operations, like submit-job, or patterns like '*-token'; may be repeated")
	flags.StringVar(&f.Outcome, "outcome", "", "only accepted, refused or failed requests")
	flags.StringVar(&from, "from", "", "only entries since then")
	flags.StringVar(&to, "to", "", "only entries until then")
	flags.IntVar(&limit, "limit", limit, "show at most this many, the newest")
	flags.BoolVarP(&follow, "follow", "f", false, "continue until interrupted")
	_ = c.RegisterFlagCompletionFunc("outcome", cobra.FixedCompletions([]string{"accepted", "refused", "failed"},
		cobra.ShellCompDirectiveNoFileComp))
	return c
}

// auditTimes sets the times of the filter from the flags.
func auditTimes(f *client.AuditFilter, from, to string, now time.Time) (err error) {
	if f.From, err = timeOrAgo("from", from, now); err != nil {
		return err
	}
	f.To, err = timeOrAgo("to", to, now)
	return err
}

// timeOrAgo reads a time, or a duration before now; "" is the zero time.
func timeOrAgo(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, usagef("--%s is %q, must be a time like 2026-11-25T14:00:00Z or a duration before now like 24h", flag, text)
	}
	return at, nil
}

func (a *app) showAudit(ctx context.Context, c *client.Client, f client.AuditFilter, limit int) error {
	entries, silent, err := c.Audit(ctx, f, limit)
	if err != nil {
		return err
	}
	a.warnOfSilent(silent, "entries")
	page := api.AuditPage{Entries: append([]api.AuditEntry{}, entries...), Silent: silent}
	return a.show(page, func(w io.Writer) {
		rows := [][]string{{"TIME", "ACTOR", "FROM", "OPERATION", "OBJECT", "OUTCOME", "STATUS", "CODE", "COUNT"}}
		for i := range entries {
			rows = append(rows, auditRow(&entries[i]))
		}
		table(w, rows)
	})
}

// warnOfSilent names the managers whose part of an answer is missing.
func (a *app) warnOfSilent(silent []api.SilentManager, missing string) {
	for _, m := range silent {
		fmt.Fprintf(a.err, "aliquot: the %s of manager %d are missing: %s\n", missing, m.Replica, oneLine(m.Problem))
	}
}

func auditRow(e *api.AuditEntry) []string {
	status := "-"
	if e.Status != 0 {
		status = strconv.Itoa(e.Status)
	}
	return []string{when(e.At), dash(e.Actor), dash(e.From), e.Operation, dash(e.Object), e.Outcome, status, dash(e.Code),
		strconv.Itoa(e.Count)}
}

func (a *app) followAudit(ctx context.Context, c *client.Client, f client.AuditFilter) error {
	for e, err := range c.FollowAudit(ctx, f, auditInterval) {
		if err != nil {
			return err
		}
		if err := a.showNext(&e, oneLine(strings.Join(auditRow(&e), "  "))); err != nil {
			return err
		}
	}
	return nil
}
