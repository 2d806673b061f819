package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"aliquot/client"
	"aliquot/web/api"
)

func eventFlags(flags *pflag.FlagSet, f *client.EventFilter) {
	flags.StringVar(&f.Job, "job", "", "only events of this job")
	flags.StringVar(&f.Node, "node", "", "only events of this node")
	flags.StringSliceVar(&f.Kinds, "kind", nil,
		"only these kinds, like job_ended, or patterns like 'task_*'; may be repeated")
}

func (a *app) eventsCommand() *cobra.Command {
	var f client.EventFilter
	follow, limit := false, 20
	c := &cobra.Command{
		Use: "events", Aliases: []string{"history"}, Short: "Show past events or follow new ones", Args: takes(),
		Long: `Show the newest events, oldest first: --limit of them, as far back as the managers keep
them. With -f, show new events until you stop it. With --since it begins after that event
or revision; it fails if later events are no longer kept. With -o json it prints one
followed event per line.`,
		Example: "  aliquot events --job j17\n  aliquot events --node n1 --kind 'task_migrat*' --limit 1000\n" +
			"  aliquot events -f --since 1204 --kind 'node_*' -o json",
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, _ []string) error {
		switch {
		case limit < 1:
			return usagef("--limit must be above 0")
		case follow && c.Flags().Changed("limit"):
			return usagef("--limit is for past events, and -f shows new ones; --since says where they begin")
		case follow && a.format == "csv":
			return usagef("-o csv is for past events; with -f use json")
		case follow:
			return a.follow(ctx, server, f)
		case f.Since != "":
			return usagef("--since needs -f; for older events use --limit")
		}
		return a.history(ctx, server, f, limit)
	})
	eventFlags(c.Flags(), &f)
	c.Flags().IntVar(&limit, "limit", limit, "show at most this many, the newest")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "continue until interrupted")
	c.Flags().StringVar(&f.Since, "since", "", "with -f: begin after this event's id, or this revision")
	return c
}

func (a *app) follow(ctx context.Context, c *client.Client, f client.EventFilter) error {
	revision, _, _ := strings.Cut(f.Since, ".")
	if since, err := strconv.ParseUint(revision, 10, 64); err == nil { // the manager refuses what is none
		if now, err := c.Overview(ctx); err == nil && since > now.Revision {
			a.did("The cluster is at revision %d: nothing is shown before it is past %d, which --since names.", now.Revision,
				since)
		}
	}
	for e, err := range c.Events(ctx, f) {
		if err != nil {
			return err
		}
		if err := a.showNext(&e, eventLine(&e)); err != nil {
			return err
		}
	}
	return nil
}

// showNext prints the next thing that is followed: as the line, or as a document of its own.
func (a *app) showNext(e any, line string) error {
	switch a.format {
	case "json":
		return json.NewEncoder(a.out).Encode(e)
	case "yaml":
		fmt.Fprintln(a.out, "---")
		return a.show(e, nil)
	}
	_, err := fmt.Fprintln(a.out, line)
	return err
}

// eventLine formats an event for people.
func eventLine(e *api.Event) string {
	what := e.Job
	if e.Task != nil {
		what = fmt.Sprintf("%s/%d", e.Job, *e.Task)
	}
	if what == "" {
		what = dash(e.Node)
	}
	var where []string
	if e.Node != "" && what != e.Node {
		where = append(where, word(e.From != "", "from "+e.From+" to ", "on ")+e.Node)
	}
	if e.ShareMillicores != 0 {
		where = append(where, milli(e.ShareMillicores)+word(e.Tier == background, " in the background", ""))
	}
	if e.Text != "" {
		where = append(where, e.Text)
	}
	line := fmt.Sprintf("%s  %-16s %-8s %s", when(e.At), e.Kind, what, strings.Join(where, ", "))
	return strings.TrimRight(oneLine(line), " ")
}

// history shows the newest events of the past.
func (a *app) history(ctx context.Context, c *client.Client, f client.EventFilter, limit int) error {
	events, err := c.History(ctx, f, limit)
	if err != nil {
		return err
	}
	slices.Reverse(events)
	page := api.EventPage{Events: append([]api.Event{}, events...)}
	return a.show(page, func(w io.Writer) {
		for i := range events {
			fmt.Fprintln(w, eventLine(&events[i]))
		}
	})
}
