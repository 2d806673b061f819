package main

import (
	"context"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) jobTimelineCommand() *cobra.Command {
	return &cobra.Command{
		Use: "timeline JOB", Short: "Show the nodes and shares of a job's tasks over time", Args: takes("JOB"),
		ValidArgsFunction: a.completeJobs,
		Long: `Show the nodes and shares of a job's tasks over time, and when the job waited or was held.
SHARE is the task's CPU on its node, YIELD its share divided by its need. TIER is foreground,
or background: there the task has of its share what others leave, so it has no yield. The
timeline is derived from the events that the manager keeps.`,
		Example: "  aliquot job timeline j17",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			spans := []api.Span{}
			for s, err := range c.JobTimeline(ctx, args[0]) {
				if err != nil {
					return err
				}
				spans = append(spans, s)
			}
			slices.SortStableFunc(spans, func(a, b api.Span) int { return a.From.Compare(b.From) })
			return a.show(spans, func(w io.Writer) { spanTable(w, spans) })
		}),
	}
}

func spanTable(w io.Writer, spans []api.Span) {
	rows := [][]string{{"FROM", "FOR", "TASK", "STATE", "NODE", "TIER", "SHARE", "YIELD", "BEGAN"}}
	for _, s := range spans {
		task := "-"
		if s.Task != nil {
			task = strconv.Itoa(*s.Task)
		}
		tier, share, part := shareOf(s)
		rows = append(rows, []string{when(s.From), lasted(s.From, s.To), task, s.State, dash(s.Node), tier, share, part,
			s.Began + note(s.Text)})
	}
	table(w, rows)
}

// shareOf returns the tier of a span, its share and its yield, each as a cell of the table.
func shareOf(s api.Span) (tier, share, part string) {
	switch {
	case s.ShareMillicores <= 0 || s.NeedMillicores <= 0:
		return "-", "-", "-"
	case s.Tier == background:
		return s.Tier, milli(s.ShareMillicores), "-"
	}
	y := float64(s.ShareMillicores) / float64(s.NeedMillicores)
	return "foreground", milli(s.ShareMillicores), yield(&y)
}

func lasted(from time.Time, to *time.Time) string {
	if to == nil {
		return "on"
	}
	return wording.Span(to.Sub(from).Seconds())
}

func note(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
