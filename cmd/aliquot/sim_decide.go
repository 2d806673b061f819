package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/cluster"
	"aliquot/manager/cycle"
	"aliquot/migrate"
	"aliquot/policy/catalog"
)

const simDecideHelp = `Show what would be decided in a saved view, and which moves would follow.

VIEW is what GET /v1/debug/view gives to an admin, as attached to a bug report; - is
standard input. What is pending in it is decided or, if nothing is, the periodic tick.`

func (a *app) simDecideCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "decide VIEW", Short: "Replay the decision of a saved view", Long: simDecideHelp, Args: takes("VIEW"),
		Example: "  curl -sH \"Authorization: Bearer $ALIQUOT_TOKEN\" http://127.0.0.1:7420/v1/debug/view > view.state\n  aliquot sim decide view.state\n  aliquot sim decide --policy FCFS view.state",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			v, err := a.readView(c.Context(), args[0])
			if err != nil {
				return err
			}
			d, err := unlessStopped(c.Context(), func() (*replayed, error) { return replay(v, first(name, v.Policy.Name)) })
			if err != nil {
				return err
			}
			return a.show(d, d.page)
		}),
	}
	c.Flags().StringVar(&name, "policy", "", "another policy than the view's")
	return c
}

func (a *app) readView(ctx context.Context, path string) (*cluster.View, error) {
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
	return s.View(s.Now), nil
}

// replayed is a decision with what led to it and what follows.
type replayed struct {
	Revision uint64          `json:"revision"`
	Policy   string          `json:"policy"`
	Occasion []string        `json:"occasion"`
	Jobs     []replayedJob   `json:"jobs"`
	Moves    []replayedMove  `json:"moves"`
	Blocked  []replayedBlock `json:"blocked,omitempty"`
	Weighed  string          `json:"weighed,omitempty"` // the best plan for running jobs, and what it is worth
}

// replayedJob is what changes for a job, or why nothing does.
type replayedJob struct {
	Job    string `json:"job"`
	Before string `json:"before,omitempty"` // like 500m on n1 n2; empty: nothing
	After  string `json:"after,omitempty"`
	Why    string `json:"why"`
}

type replayedMove struct {
	Kind  string `json:"kind"`
	Task  string `json:"task"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
	CPU   string `json:"cpu,omitempty"`
	After []int  `json:"after,omitempty"` // numbers of moves, from 1
}

type replayedBlock struct {
	Task string `json:"task"`
	Why  string `json:"why"`
}

func replay(v *cluster.View, name string) (*replayed, error) {
	p, err := catalog.Parse(name, v.Policy.Period)
	if err != nil {
		return nil, usage{err}
	}
	_, after, weighed, err := cycle.Preview(v, p)
	if err != nil {
		return nil, fmt.Errorf("adopt the decision: %w", err)
	}
	d := &replayed{Revision: v.Revision, Policy: name, Occasion: occasion(v), Jobs: []replayedJob{}, Moves: []replayedMove{}}
	if weighed != nil {
		d.Weighed = weighed.String()
	}
	for j := range v.Jobs() {
		changed := replayedJob{Job: j.ID.String(), Before: holds(v, j.ID), After: holds(after, j.ID)}
		if now := after.Job(j.ID); now != nil {
			changed.Why = now.Why.String()
		} else {
			changed.Why = "refused: " + after.Ended(j.ID).Ending.Cause
		}
		d.Jobs = append(d.Jobs, changed)
	}
	plan := migrate.Build(after)
	for _, s := range plan.Steps {
		d.Moves = append(d.Moves, moved(after, s))
	}
	for _, b := range plan.Blocked {
		d.Blocked = append(d.Blocked, replayedBlock{b.Task.String(), string(b.Why)})
	}
	return d, nil
}

// occasion says in words what is pending.
func occasion(v *cluster.View) (words []string) {
	o := v.Pending()
	for _, id := range o.Submitted {
		words = append(words, id.String()+" asks for a place")
	}
	for _, kind := range []struct {
		is   bool
		word string
	}{{o.Ended, "something ended"}, {o.NodesChanged, "nodes changed"}, {o.Due, "the tick is due"}, {o.Empty(), "nothing is pending: as if the tick were due"}} {
		if kind.is {
			words = append(words, kind.word)
		}
	}
	return words
}

// holds is a job's placement for people; "" is none.
func holds(v *cluster.View, id cluster.JobID) string {
	p := v.Target(id)
	if p == nil {
		return ""
	}
	nodes := slices.DeleteFunc(slices.Clone(p.Nodes), func(n cluster.NodeID) bool { return n == 0 })
	var names []string
	for _, n := range slices.Sorted(slices.Values(nodes)) {
		names = append(names, v.Node(n).Name)
	}
	return fmt.Sprintf("%v on %s", p.CPU, strings.Join(names, " "))
}

func moved(v *cluster.View, s migrate.Step) replayedMove {
	m := replayedMove{Kind: s.Kind.String(), Task: s.Task.String()}
	if n := v.Node(s.From); n != nil {
		m.From = n.Name
	}
	if n := v.Node(s.To); n != nil {
		m.To = n.Name
	}
	if s.CPU > 0 {
		m.CPU = s.CPU.String()
	}
	for _, k := range s.After {
		m.After = append(m.After, k+1)
	}
	return m
}

func (d *replayed) page(w io.Writer) {
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
