package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/internal/stop"
	"aliquot/sim/replay"
)

const simDecideHelp = `Show the decision in a saved view, and the moves that would follow.

VIEW is the output of GET /v1/debug/view for an admin, as attached to a bug report; - is
standard input. It decides the pending occasions or, if there are none, the periodic tick.`

func (a *app) simDecideCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "decide VIEW", Short: "Replay the decision of a saved view", Long: simDecideHelp, Args: takes("VIEW"),
		Example: "  curl -sH \"Authorization: Bearer $ALIQUOT_TOKEN\" --unix-socket /var/lib/aliquot/manager/rest.sock http://manager/v1/debug/view > view.state\n  aliquot sim decide view.state\n  aliquot sim decide --policy FCFS view.state",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			v, err := a.readView(c.Context(), args[0])
			if err != nil {
				return err
			}
			d, err := stop.Unless(c.Context(), func() (*replay.Decision, error) {
				return replay.Decide(v, first(name, v.Policy.Name))
			})
			if unknown := (replay.Unknown{}); errors.As(err, &unknown) {
				return usage{err}
			}
			if err != nil {
				return err
			}
			return a.show(d, func(w io.Writer) { decisionPage(w, d) })
		}),
	}
	c.Flags().StringVar(&name, "policy", "", "use this policy instead of the view's")
	return c
}

func (a *app) readView(ctx context.Context, path string) (*cluster.Snapshot, error) {
	in, err := a.input(ctx, path)
	if err != nil {
		return nil, usage{fmt.Errorf("read the view: %w", err)}
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, usage{fmt.Errorf("read the view: %w", err)}
	}
	s, err := cluster.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, usage{fmt.Errorf("%s: %w", path, err)}
	}
	return s.Snapshot(s.Now), nil
}

// decisionPage prints a decision.
func decisionPage(w io.Writer, d *replay.Decision) {
	fmt.Fprintf(w, "Revision %d, policy %s: %s.\n\n", d.Revision, d.Policy, strings.Join(d.Occasion, ", "))
	rows := [][]string{{"JOB", "BEFORE", "AFTER", "WHY"}}
	for _, j := range d.Jobs {
		rows = append(rows, []string{j.Job, dash(j.Before), dash(j.After), j.Why})
	}
	table(w, rows)
	rows = [][]string{{"MOVE", "KIND", "TASK", "FROM", "TO", "CPU", "AFTER"}}
	for i, m := range d.Moves {
		after := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(m.After)), ","), "[]")
		rows = append(rows, []string{strconv.Itoa(i + 1), m.Kind, m.Task, dash(m.From), dash(m.To), dash(m.CPU), dash(after)})
	}
	fmt.Fprintln(w)
	table(w, rows)
	for _, b := range d.Blocked {
		fmt.Fprintf(w, "%s is blocked: %s\n", b.Task, b.Why)
	}
	if d.Weighed != "" {
		fmt.Fprintf(w, "\nAt the tick: %s.\n", d.Weighed)
	}
}
