package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/internal/stop"
	"aliquot/policy/market"
	"aliquot/policy/market/document"
)

const provisionPlanHelp = `Plan a workflow on the slots or queues of sites, and show what can be had: the front of
plans by cost and makespan, none of which another beats in both.

FILE is JSON; - is standard input. Its tasks have processors and run times, its edges say which
task waits for which. Sites either advertise slots, which are holes in their schedule, or have
running tasks, reservations and a queue, and ask for each reservation the delay that it causes
to their queue, times processors. docs/formats/provisioning.md describes both. Time and prices
are whole numbers; processors × time cost 1 each.

Methods: moga, the genetic algorithm of Singh's thesis, for slots; greedy, its method for
queues, at five weights; sweep, ours, which lets only those tasks pay that a deadline needs;
best, ours, which goes on from there: by small changes, and exactly where there are few tasks.

With --alpha the plan is chosen that weighs least: α times cost, and 1−α times makespan, both
from 0 to 1 over the front. 0 is the fastest, 1 the cheapest.

best effort is the plan that buys nothing and waits in the queue, if nobody else comes; bound is
below all plans, and gap the part of a plan's value that it may be above the best. If the
method finds no plan, the exit code is 3, and the text says if it is proved that there is none.`

// provisionFlags are the flags of provision plan.
type provisionFlags struct {
	method, alpha string
	seed          uint64
}

func (a *app) provisionCommand() *cobra.Command {
	f := provisionFlags{}
	plan := &cobra.Command{
		Use: "plan FILE", Short: "Show plans of a workflow by cost and makespan", Long: provisionPlanHelp,
		Args: takes("FILE"),
		Example: "  aliquot provision plan workflow.json\n  aliquot provision plan workflow.json --alpha 0.5\n" +
			"  aliquot provision plan workflow.json --method moga --seed 2 -o json",
		RunE: a.local(func(c *cobra.Command, args []string) error {
			return a.provision(c.Context(), f, c.Flags().Changed("alpha"), args[0])
		}),
	}
	plan.Flags().StringVar(&f.method, "method", document.Names[len(document.Names)-1], strings.Join(document.Names, ", "))
	plan.Flags().StringVar(&f.alpha, "alpha", "", "choose one plan: the weight of the cost, from 0 to 1, like 0.5 or 1/3")
	plan.Flags().Uint64Var(&f.seed, "seed", 1, "seed of moga")
	_ = plan.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(document.Names,
		cobra.ShellCompDirectiveNoFileComp))
	return group("provision", "Plan workflows on slots", "Plan workflows on priced slots of sites.", plan)
}

func (a *app) provision(ctx context.Context, f provisionFlags, weighed bool, path string) error {
	var alpha *market.Fraction
	if weighed {
		weight, err := market.ParseFraction(f.alpha)
		if err != nil {
			return usage{fmt.Errorf("--alpha: %w", err)}
		}
		alpha = &weight
	}
	text, err := stop.Unless(ctx, func() ([]byte, error) { return a.readAll(path) })
	if err != nil {
		return err
	}
	if path == "-" {
		path = "standard input"
	}
	in, err := document.Read(path, text)
	if err != nil {
		return usage{err}
	}
	answer, err := stop.Unless(ctx, func() (document.Answer, error) { return in.Solve(f.method, alpha, f.seed) })
	none := document.None{}
	switch {
	case errors.As(err, &none):
		fmt.Fprintf(a.err, "aliquot: %s: %v\n", path, err)
		return exitCode{exitInfeasible, err}
	case errors.Is(err, stop.Err):
		return err
	case err != nil:
		return usage{err}
	}
	return a.show(answer, func(w io.Writer) { provisioned(w, in, &answer) })
}

// provisioned prints the front, and the tasks if it is one plan.
func provisioned(w io.Writer, in *document.Instance, answer *document.Answer) {
	rows := [][]string{{"PLAN", "COST", "MAKESPAN"}}
	add := func(name string, m document.Measure) {
		rows = append(rows, []string{name, strconv.FormatInt(int64(m.Cost), 10), strconv.FormatInt(int64(m.Makespan), 10)})
	}
	for i, p := range answer.Front {
		add(strconv.Itoa(i+1), p.Measure)
	}
	if answer.BestEffort != nil {
		add("best effort", *answer.BestEffort)
	}
	add("bound", answer.Bound)
	table(w, rows)
	of := "the least"
	if answer.Method == "greedy" && len(answer.Front) == 1 {
		of = "this plan's"
	}
	if answer.Exact {
		fmt.Fprintln(w, "\nNo plan is better than these.")
	} else {
		fmt.Fprintf(w, "\nNo plan saves more than %.1f %% of %s cost, or %.1f %% of %s makespan.\n",
			100*answer.Gap.Cost, of, 100*answer.Gap.Makespan, of)
	}
	if answer.ExactInOrder && !answer.Exact {
		fmt.Fprintln(w, "None is better in HEFT order at the starts that queries name.")
	}
	if answer.BestEffort != nil {
		fmt.Fprintln(w, "Best effort is a forecast. Nothing is kept for it, so it may beat all plans.")
	}
	if len(answer.Front) == 1 {
		fmt.Fprintln(w)
		provisionedTasks(w, in, answer.Front[0])
	}
}

// provisionedTasks prints where the tasks of a plan are, in order of their starts.
func provisionedTasks(w io.Writer, in *document.Instance, p document.Plan) {
	last := "SLOTS"
	if in.Queried != nil {
		last = "DELAY"
	}
	rows := [][]string{{"TASK", "SITE", "START", "END", last}}
	for _, t := range in.Places(p) {
		var parts []string
		for i := 0; i+1 < len(t.Parts); i += 2 {
			parts = append(parts, fmt.Sprintf("%d×%d", t.Parts[i], t.Parts[i+1]))
		}
		if in.Queried != nil {
			parts = []string{strconv.FormatInt(t.Parts[0], 10)}
		}
		rows = append(rows, []string{t.Name, strconv.FormatInt(t.Site, 10), strconv.FormatInt(int64(t.Start), 10),
			strconv.FormatInt(int64(t.End), 10), strings.Join(parts, " ")})
	}
	table(w, rows)
}
