package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

func (a *app) reservationCommand() *cobra.Command {
	return group("reservation", "Make, show and give back what is promised to jobs",
		"Make, show and give back what is promised to jobs: an interval, or an end in time. A promise\n"+
			"belongs to a job, and ends with it.",
		a.reservationCreateCommand(), tabular(a.reservationListCommand()), a.reservationShowCommand(),
		tabular(a.reservationStandingCommand()),
		a.reservationExtendCommand(), a.reservationShortenCommand(),
		a.reservationThetaCommand(), a.reservationCancelCommand())
}

func (a *app) reservationListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List reservations, the earliest first", Args: takes(),
		Long: `List reservations, the earliest first. CPU and MEMORY are promised to each task, from FROM
to UNTIL, on NODES; the memory includes the overhead of the VM. STATE is promised before the
VMs start, in_force from then on, over when the interval has passed, and broken if too
little is left of the nodes: then the job runs when and as it can. A job with a DEADLINE runs
before FROM as any other; FROM is when it has all of its CPU at the latest, for what it lacks.
If that is promised in several PARTS, FROM and UNTIL are those of the first of them, and it may
be paused between them. PRICE is in core-hours, as it was agreed.
The last line tells the margin that new deadlines get: how much longer than their work takes
their nodes are kept, for CPU that other programs take and for moves. It is what 19 of 20 of
the latest promises lost, from 2% to 25%, and 2% until 20 of them are measured.
Under FCFS, EASY and conservative, the starts that the policy booked for waiting jobs follow: by
their estimates, until its next decision.`,
		Example: "  aliquot reservation list",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			list, err := c.Reservations(ctx)
			if err != nil {
				return err
			}
			return a.show(list, func(w io.Writer) {
				reservationTable(w, list.Reservations)
				expectedTable(w, list.Expected, list.ExpectedTotal)
				fmt.Fprintln(w, "\n"+marginLine(&list.Margin))
			})
		}),
	}
}

func reservationTable(w io.Writer, list []api.Reservation) {
	if len(list) == 0 {
		fmt.Fprintln(w, "Nothing is reserved. Reserve an interval: "+
			"aliquot job submit --start 10m --for 1h --cpu 500m --memory 96Mi -- /bin/echo hello")
		return
	}
	rows := [][]string{{"JOB", "NAME", "OWNER", "STATE", "FROM", "UNTIL", "PARTS", "DEADLINE", "TASKS", "CPU", "MEMORY",
		"PRICE", "NODES"}}
	for _, r := range list {
		rows = append(rows, []string{r.Job, dash(r.Name), r.Owner, r.State, when(r.From), when(r.Until), parts(r.Parts),
			due(r.Deadline), fmt.Sprint(r.Tasks), milli(r.CPUMillicores), size(r.MemoryBytes), price(r.PriceCoreHours),
			dash(strings.Join(grouped(r.Nodes), ","))})
	}
	table(w, rows)
}

// marginLine says what new deadlines keep besides their work.
func marginLine(m *api.Margin) string {
	if !m.Learnt {
		return fmt.Sprintf("New deadlines keep %.3g%% more than their work takes; %d of 20 promises are measured to learn it.",
			100*m.Part, m.Measured)
	}
	return fmt.Sprintf("New deadlines keep %.3g%% more than their work takes, as learnt from %d promises.", 100*m.Part,
		m.Measured)
}

// expectedTable shows what the policy booked for waiting jobs, if anything.
func expectedTable(w io.Writer, list []api.ExpectedStart, total int) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "\nBooked by the policy for waiting jobs, by their estimates:")
	rows := [][]string{{"JOB", "NAME", "OWNER", "START", "UNTIL", "TASKS", "CPU"}}
	for _, e := range list {
		rows = append(rows, []string{e.Job, dash(e.Name), e.Owner, when(e.Start), due(e.Until), fmt.Sprint(e.Tasks),
			milli(e.CPUMillicores)})
	}
	table(w, rows)
	if total > len(list) {
		fmt.Fprintf(w, "These are the %d that start first, of %d.\n", len(list), total)
	}
}

// price formats a price in core-hours, "-" for none.
func price(coreHours float64) string {
	if coreHours == 0 {
		return dash("")
	}
	return cluster.Price(math.Round(coreHours * float64(cluster.CoreHour))).Number()
}

// parts formats the number of parts, "-" for a stretch.
func parts(list []api.Part) string {
	if len(list) == 0 {
		return dash("")
	}
	return fmt.Sprint(len(list))
}

// due formats a deadline, "-" for none.
func due(at *time.Time) string {
	if at == nil {
		return dash("")
	}
	return when(*at)
}

// grouped replaces repeated neighbours: n1, n1, n2 become n1×2, n2.
func grouped(names []string) (out []string) {
	for i := 0; i < len(names); {
		n := i + 1
		for n < len(names) && names[n] == names[i] {
			n++
		}
		if name := names[i]; n-i > 1 {
			out = append(out, fmt.Sprintf("%s×%d", name, n-i))
		} else {
			out = append(out, name)
		}
		i = n
	}
	return out
}

// promised says what is kept for a job, "" for nothing.
func promised(p *api.Promise) string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("from %s to %s", when(p.From), when(p.Until))
	if p.Deadline != nil {
		text = fmt.Sprintf("to end by %s, lacks %s at full CPU, which it gets from %s on at the latest", when(*p.Deadline),
			wording.Span(*p.LeftSeconds), when(p.From))
	}
	if len(p.Parts) > 0 {
		text += fmt.Sprintf(", in %d parts", len(p.Parts))
	}
	if p.PriceCoreHours > 0 {
		text += fmt.Sprintf(" for %s core-hours", price(p.PriceCoreHours))
	}
	if p.State != "promised" {
		text += ", " + strings.ReplaceAll(p.State, "_", " ")
	}
	return text + strings.TrimSuffix(" on "+strings.Join(grouped(p.Nodes), ","), " on ")
}
