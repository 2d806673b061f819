package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

const overviewHelp = `Show a summary of the cluster, like the first page of the console: jobs and nodes by
state, yields, demand against capacity, moves in progress, and issues that need attention,
the worst first, with advice.

A yield is the part of a job's CPU need that is granted. It is 0 while a job that may run
waits or is paused. CPU needed counts the placed tasks, CPU more wanted the waiting tasks;
used is measured, and only the leading manager knows it. Memory charged includes the
overhead of the VMs.`

func (a *app) overviewCommand() *cobra.Command {
	return &cobra.Command{
		Use: "overview", Short: "Show a summary of the cluster", Long: overviewHelp, Args: takes(),
		Example: "  aliquot overview\n  aliquot overview -o json",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			o, err := c.Overview(ctx)
			if err != nil {
				return err
			}
			return a.show(o, func(w io.Writer) { overviewPage(w, &o) })
		}),
	}
}

// The states in display order.
var (
	jobStates = []string{"running", "starting", "moving", "pausing", "paused", "waiting", "dependent", "held", "stopping",
		"succeeded",
		"failed", "cancelled"}
	nodeStates = []string{"ready", "unreachable", "stalled", "returning", "cordoned", "draining", "drained", "silent",
		"down"}
)

func overviewPage(w io.Writer, o *api.Overview) {
	policy := inForce(o.Policy)
	if o.NextDecision != nil {
		policy += "; next decision " + when(*o.NextDecision)
	}
	rows := [][]string{
		{"Jobs:", first(counted(o.Jobs, jobStates), "none")},
		{"Nodes:", first(counted(o.Nodes, nodeStates), "none")},
		{"Yield:", yieldLine(o.Yield)},
		{"CPU:", cpuLine(&o.CPU)},
		{"Memory:", memoryLine(&o.Memory)},
		{"Store:", storeLine(o.StoreFreeBytes)},
		{"Policy:", policy},
		{"Moves:", movesLine(o)},
	}
	if o.Background != nil {
		rows = slices.Insert(rows, 3, []string{"Background:", backgroundLine(o.Background)})
	}
	table(w, rows)
	attention(w, o)
}

// movesLine counts the moves. A start is over when there is a VM, but that still boots.
func movesLine(o *api.Overview) string {
	line := fmt.Sprintf("%d in progress", o.MovesUnderWay)
	if booting := o.Tasks["booting"]; booting > 0 {
		line += fmt.Sprintf(", %s booting", wording.Count(booting, "VM"))
	}
	return line
}

// counted lists the number in each state, in the given order; other states follow by name.
func counted(counts map[string]int, states []string) string {
	var parts []string
	unlisted := slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(state string) bool {
		return slices.Contains(states, state)
	})
	for _, state := range slices.Concat(states, unlisted) {
		if counts[state] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[state], state))
		}
	}
	return strings.Join(parts, ", ")
}

func yieldLine(y *api.YieldSummary) string {
	if y == nil {
		return "no standard job may run"
	}
	return fmt.Sprintf("%s at least, %s on average over %s that may run; %d at full need, %d without a share",
		yield(&y.Least), yield(&y.Mean), wording.Count(y.Jobs, "standard job"), y.Full, y.Without)
}

func cpuLine(c *api.CPUSummary) string {
	return fmt.Sprintf("%dm, of which %s%s; %dm needed, %dm more wanted, %s",
		c.CapacityMillicores, grantedInWords(c.GuaranteedMillicores, c.BestEffortMillicores),
		onLost(c.LostMillicores, millicores), c.NeedMillicores, c.WaitingMillicores,
		used(c.UsedMillicores, c.UsedBackgroundMillicores))
}

// grantedInWords is granted as a part of a sentence.
func grantedInWords(guaranteed, bestEffort int64) string {
	return millicores(guaranteed) + " are granted" +
		word(bestEffort > 0, ", and in the background up to "+millicores(bestEffort)+" more, and what these leave", "")
}

// granted tells what nodes keep for tasks at any time, and what is not granted and the background may use. It may also
// use what the others leave of theirs, which changes at each moment.
func granted(words func(int64) string, guaranteed, bestEffort int64) string {
	if bestEffort == 0 {
		return words(guaranteed)
	}
	return words(guaranteed) + " + " + words(bestEffort) + " background"
}

// backgroundLine counts the jobs of the classes background and either.
func backgroundLine(b *api.BackgroundSummary) string {
	return fmt.Sprintf("%s of class background or either: %d in the background, %d in the foreground, %d without a place",
		wording.Count(b.Jobs, "job"), b.Background, b.Foreground, b.Without)
}

func memoryLine(m *api.MemorySummary) string {
	return fmt.Sprintf("%s, of which %s are charged%s; %s more wanted", size(m.CapacityBytes), size(m.ReservedBytes),
		onLost(m.LostBytes, size), size(m.WaitingBytes))
}

// onLost describes the load on lost nodes, which are not part of the capacity.
func onLost(amount int64, words func(int64) string) string {
	if amount == 0 {
		return ""
	}
	return ", and " + words(amount) + " on lost nodes"
}

func storeLine(free *int64) string {
	if free == nil {
		return "none, so no image can be saved"
	}
	return size(*free) + " free for saved images"
}

// attention prints the issues that need attention.
func attention(w io.Writer, o *api.Overview) {
	if len(o.Attention) == 0 {
		fmt.Fprintln(w, "\nNothing needs attention.")
		return
	}
	fmt.Fprintln(w, "\nNeeds attention:")
	for _, item := range o.Attention {
		fmt.Fprintf(w, "  %s: %s\n      %s\n", item.Severity, oneLine(item.Text), oneLine(item.Help))
	}
	if o.AttentionMore > 0 {
		fmt.Fprintf(w, "  and %d more\n", o.AttentionMore)
	}
}
