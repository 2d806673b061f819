package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

const planHelp = `Show the next decision without carrying it out: the moves in a feasible order,
the tasks that should change or leave a draining node but cannot at present, with the
obstacle, and the change for each job. A job in the background has no yield: bg. Standard
jobs that wait, are paused or in the background count as 0 in the least yield.

Without a subcommand it shows the next periodic decision, made now. With --apply
exactly that is carried out. If the cluster has changed in between, nothing is done.
Applying needs an operator's token; setting a policy needs an admin's.`

func (a *app) planCommand() *cobra.Command {
	apply := false
	c := &cobra.Command{
		Use: "plan", Short: "Show a decision in advance, and carry it out with --apply", Long: planHelp, Args: takes(),
		Example: "  aliquot plan\n  aliquot plan drain n1 --apply\n  aliquot plan submit --tasks 4 --cpu 1 --memory 96Mi -- /bin/work\n  aliquot plan policy FCFS",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			return a.plan(ctx, c, api.Hypothesis{}, apply)
		}),
	}
	c.PersistentFlags().BoolVar(&apply, "apply", false, "carry out the plan; for operators, and a policy for admins")
	c.AddCommand(a.planDrainCommand(&apply), a.planSubmitCommand(&apply), a.planPolicyCommand(&apply))
	return c
}

func (a *app) planDrainCommand(apply *bool) *cobra.Command {
	force := false
	c := &cobra.Command{
		Use: "drain NODE", Short: "Plan draining a node", Args: takes("NODE"),
		Long: "Show the effect of draining a node, and the promises that it would break. --apply refuses to\n" +
			"break promises without --force.",
		ValidArgsFunction: a.completeNodes, Example: "  aliquot plan drain n1\n  aliquot plan drain n1 --apply",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			drain := api.PlanOrder{Hypothesis: api.Hypothesis{Drain: args[0]}, Force: force}
			if err := mayApply(ctx, c, drain, *apply); err != nil {
				return err
			}
			return a.planOf(ctx, c, drain, func(p *api.Plan) (bool, error) {
				if *apply && len(p.Broken) > 0 && !force {
					return false, fmt.Errorf("nothing is done: the plan would break %s; --force breaks them",
						promises(len(p.Broken)))
				}
				return *apply, nil
			})
		}),
	}
	c.Flags().BoolVar(&force, "force", false, "with --apply: break promises that have no room on other nodes")
	return c
}

func promises(n int) string { return fmt.Sprintf("%d %s", n, word(n == 1, "promise", "promises")) }

func (a *app) planSubmitCommand(apply *bool) *cobra.Command {
	f, week := &jobFlags{}, weekFlags{}
	c := &cobra.Command{
		Use: "submit [flags] [-- COMMAND [ARG...]]", Short: "Plan submitting a job",
		Long: "Show the effect of submitting a job; it is described as for `aliquot job submit`. What it would be\n" +
			"promised comes with its price. With --weekly it shows what `aliquot reservation create` would.",
		Example: "  aliquot plan submit --tasks 4 --cpu 1 --memory 96Mi -- /bin/work\n" +
			"  aliquot plan submit --weekly mon-fri --start 09:00 --for 8h --cpu 1 --memory 96Mi -- /bin/work",
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		if err := week.complete(); err != nil {
			return err
		}
		if week.days != "" {
			spec, err := a.standing(ctx, f, week, args)
			if err != nil {
				return err
			}
			return a.plan(ctx, server, api.Hypothesis{Stand: spec}, *apply)
		}
		jobs, err := f.jobs(ctx, a, args)
		if err != nil {
			return err
		}
		if len(jobs) > 1 {
			return usagef("a plan is for one job, and the file holds %d", len(jobs))
		}
		return a.plan(ctx, server, api.Hypothesis{Submit: &jobs[0]}, *apply)
	})
	f.add(c.Flags())
	week.add(c)
	return c
}

func (a *app) planPolicyCommand(apply *bool) *cobra.Command {
	p := api.Policy{}
	c := &cobra.Command{
		Use: "policy NAME", Short: "Plan setting a policy",
		Long: "Show the effect of setting a policy; `aliquot policy list` shows the names.", Args: takes("NAME"),
		ValidArgsFunction: completePolicies,
		Example:           "  aliquot plan policy 'GreedyPM */per/opt=min/minvt=600' --period 10m",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			p.Name = args[0]
			return a.plan(ctx, c, api.Hypothesis{Policy: &p}, *apply)
		}),
	}
	c.Flags().StringVar(&p.Period, "period", "", "time between periodic decisions, like 10m; left out: unchanged")
	return c
}

func (a *app) plan(ctx context.Context, c *client.Client, h api.Hypothesis, apply bool) error {
	o := api.PlanOrder{Hypothesis: h}
	if err := mayApply(ctx, c, o, apply); err != nil {
		return err
	}
	return a.planOf(ctx, c, o, func(*api.Plan) (bool, error) { return apply, nil })
}

// mayApply refuses a plan that is to be carried out by a token that may not.
func mayApply(ctx context.Context, c *client.Client, o api.PlanOrder, apply bool) error {
	if !apply {
		return nil
	}
	what, least := "carrying out a plan", "operator"
	if o.Hypothesis.Policy != nil {
		what, least = settingPolicy, "admin"
	}
	o.Basis = 1 // of no plan, as there is none yet: an order without a basis would be refused as invalid
	return needsRole(ctx, c, what, least, func() (api.Accepted, error) { return c.ApplyPlan(ctx, o) })
}

// planOf shows the plan of an order and carries it out if apply says so.
func (a *app) planOf(ctx context.Context, c *client.Client, o api.PlanOrder,
	apply func(*api.Plan) (bool, error)) error {
	plan, err := c.Plan(ctx, o.Hypothesis)
	if err != nil {
		return err
	}
	if err := a.show(plan, func(w io.Writer) { planPage(w, &plan) }); err != nil {
		return err
	}
	if now, err := apply(&plan); err != nil || !now {
		return err
	}
	o.Basis = plan.Basis
	accepted, err := c.ApplyPlan(ctx, o)
	if err != nil {
		return err
	}
	a.did("%s", strings.TrimSpace("Applied. "+accepted.Job+accepted.Standing))
	return nil
}

func planPage(w io.Writer, p *api.Plan) {
	switch {
	case len(p.Moves) > 0:
		planMoves(w, p.Moves)
	case len(p.Blocked) > 0:
		fmt.Fprintln(w, "No move is possible at present.")
	default:
		fmt.Fprintln(w, word(p.Weighed != nil && !p.Weighed.Beneficial, "No move is beneficial.", "No VM would change."))
	}
	for _, b := range p.Blocked {
		fmt.Fprintf(w, "%s/%d is blocked: %s\n", b.Job, b.Task, b.Obstacle)
	}
	if len(p.Jobs) > 0 {
		fmt.Fprintln(w)
		planJobs(w, p.Jobs)
	}
	for _, j := range p.Jobs {
		if j.Promise != nil {
			fmt.Fprintf(w, "%s would be promised %s.\n", j.Job, promised(j.Promise))
		}
	}
	planRefusals(w, p)
	for _, b := range p.Broken {
		fmt.Fprintf(w, "%s of %s would lose its promise (%s to %s): no other node has room then.\n", b.Job, b.Owner, when(b.From),
			when(b.Until))
	}
	if p.Weighed != nil {
		fmt.Fprintf(w, "\nRunning jobs: %s.\n", p.Weighed.Text)
	}
	fmt.Fprintln(w)
	if y := p.Yields; y.Before != nil && y.After != nil {
		fmt.Fprintf(w, "Least yield: %s → %s over all jobs that may run. Jobs without a share: %d → %d%s.\n",
			yield(&y.Before.Least), yield(&y.After.Least), y.Before.Without, y.After.Without, failing(p.Refusals))
	}
	most := ""
	if p.YieldBound != nil {
		most = fmt.Sprintf(", of at most %s", yield(p.YieldBound))
		if p.YieldAfter != nil && *p.YieldBound > 0 {
			most += fmt.Sprintf(" (gap %.1f%%)", 100*max(0, 1 - *p.YieldAfter / *p.YieldBound))
		}
	}
	fmt.Fprintf(w, "Placed jobs: %d → %d; their least yield: %s → %s%s. Basis: revision %d.\n",
		p.RunningBefore, p.RunningAfter, yield(p.YieldBefore), yield(p.YieldAfter), most, p.Basis)
}

// failing tells how many jobs are not counted any more, because they would fail.
func failing(list []api.PlanRefusal) string {
	n := 0
	for _, r := range list {
		if !r.Later {
			n++
		}
	}
	return word(n > 0, fmt.Sprintf(", besides %d that would fail", n), "")
}

// planRefusals names the jobs that could never run, those with the same reason together, and the jobs that wait for
// them.
func planRefusals(w io.Writer, p *api.Plan) {
	type fate struct {
		later bool
		why   string
	}
	jobs, fates := map[fate][]string{}, []fate(nil)
	for _, r := range p.Refusals {
		f := fate{r.Later, r.Why.Text}
		if jobs[f] == nil {
			fates = append(fates, f)
		}
		jobs[f] = append(jobs[f], r.Job)
	}
	for _, f := range fates {
		one := len(jobs[f]) == 1
		turn := word(f.later, fmt.Sprintf(" when %s turn comes", word(one, "its", "their")), "")
		fmt.Fprintf(w, "%s would fail%s, because %s could never run: %s\n", some(jobs[f]), turn,
			word(one, "it", "they"), f.why)
	}
	if n := len(p.Cancelled); n > 0 {
		fmt.Fprintf(w, "%s would be cancelled, because %s for a job that would fail.\n", some(p.Cancelled),
			word(n == 1, "it waits", "each of them waits"))
	}
}

// some names the jobs if they are few, and otherwise the first ones and the number of the others.
func some(jobs []string) string {
	const named = 8
	if len(jobs) <= named {
		return strings.Join(jobs, ", ")
	}
	return fmt.Sprintf("%d jobs (%s and %d more)", len(jobs), strings.Join(jobs[:named], ", "), len(jobs)-named)
}

func planMoves(w io.Writer, moves []api.Move) {
	rows := [][]string{{"MOVE", "KIND", "TASK", "FROM", "TO", "SHARE", "AFTER"}}
	for i, m := range moves {
		var after []string
		for _, before := range m.After {
			after = append(after, strconv.Itoa(before+1))
		}
		rows = append(rows, []string{
			strconv.Itoa(i + 1), m.Kind, fmt.Sprintf("%s/%d", m.Job, m.Task), dash(m.From), dash(m.To), milli(m.ShareMillicores),
			dash(strings.Join(after, ", ")),
		})
	}
	table(w, rows)
}

func planJobs(w io.Writer, jobs []api.JobOutlook) {
	rows := [][]string{{"JOB", "YIELD", "NODES", "WHY"}}
	for _, j := range jobs {
		text := ""
		if j.Why != nil {
			text = j.Why.Text
		}
		rows = append(rows, []string{
			j.Job + word(j.New, " (new)", ""), yieldIn(j.YieldBefore, j.TierBefore) + " → " + yieldIn(j.YieldAfter, j.TierAfter),
			places(j.NodesBefore) + " → " + places(j.NodesAfter), text,
		})
	}
	table(w, rows)
}

// background is the name of that tier. The foreground often has none.
const background = "background"

// yieldIn returns a yield, or "bg" in the background, where a job has none.
func yieldIn(y *float64, tier string) string {
	return word(tier == background, "bg", yield(y))
}

// places counts how often each node occurs: n1×2, n2.
func places(nodes []string) string {
	var parts []string
	for _, n := range slices.Compact(slices.Sorted(slices.Values(nodes))) {
		count := 0
		for _, other := range nodes {
			if other == n {
				count++
			}
		}
		if count > 1 {
			n += "×" + strconv.Itoa(count)
		}
		parts = append(parts, n)
	}
	return dash(strings.Join(parts, ", "))
}
