package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/internal/stop"
	"aliquot/web/api"
)

func (a *app) offerCommand() *cobra.Command {
	return group("offer", "Show, accept and decline what is offered instead of a refused promise",
		"Show, accept and decline what is offered instead of a refused promise. A job that cannot be\n"+
			"promised its interval or its end is refused with up to three offers. Each is held until it\n"+
			"expires, a minute after the submission unless that asked for something else with --hold.",
		tabular(a.offerListCommand()), a.offerAcceptCommand(), a.offerDeclineCommand())
}

func (a *app) offerListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the offers that can be accepted", Args: takes(),
		Long: `List the offers that can be accepted. ANSWER is the first offer of those that answer the same
submission: accepting one gives the others back. The job is promised CPU and MEMORY for each
of its TASKS from FROM to UNTIL; one with a DEADLINE has had its work by then. An offer in
several PARTS is for a job that may be paused: accepting it makes the job pausable. PRICE is in
core-hours, and stays as it is until the offer is accepted.`,
		Example: "  aliquot offer list",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			list, err := c.Offers(ctx)
			if err != nil {
				return err
			}
			return a.show(api.OfferList{Offers: list}, func(w io.Writer) { offerTable(w, list) })
		}),
	}
}

func offerTable(w io.Writer, list []api.Offer) {
	if len(list) == 0 {
		fmt.Fprintln(w, "Nothing is offered: a job that cannot be promised what it asks for is refused with offers.")
		return
	}
	rows := [][]string{{"OFFER", "ANSWER", "NAME", "OWNER", "TASKS", "CPU", "MEMORY", "FROM", "UNTIL", "PARTS", "DEADLINE",
		"PRICE", "EXPIRES"}}
	for _, o := range list {
		rows = append(rows, []string{o.Offer, o.Answer, dash(o.Name), o.Owner, fmt.Sprint(o.Tasks), milli(o.CPUMillicores),
			size(o.MemoryBytes), when(o.From), when(o.Until), parts(o.Parts), due(o.Deadline), price(o.PriceCoreHours),
			when(o.Expires)})
	}
	table(w, rows)
}

func (a *app) offerAcceptCommand() *cobra.Command {
	return &cobra.Command{
		Use: "accept OFFER", Short: "Submit the job of an offer and print its id", Args: takes("OFFER"),
		ValidArgsFunction: a.completeOffers,
		Long: `Submit the job of an offer, which is promised what was held for it, and print its id. The other
offers of the same answer are given back. An offer that has expired is refused.`,
		Example: "  aliquot offer accept o17",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			accepted, err := c.AcceptOffer(ctx, args[0])
			if err != nil {
				return err
			}
			return a.show(accepted, func(w io.Writer) { fmt.Fprintln(w, accepted.Job) })
		}),
	}
}

func (a *app) offerDeclineCommand() *cobra.Command {
	return &cobra.Command{
		Use: "decline OFFER...", Short: "Give offers back", Args: takes("OFFER..."),
		ValidArgsFunction: a.completeOffers,
		Long:              "Give offers back, before they expire by themselves. Others of the same answer stay.",
		Example:           "  aliquot offer decline o17 o18",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(id string) (string, error) {
				_, err := c.DeclineOffer(ctx, id)
				return id + " is given back.", err
			})
		}),
	}
}

// completeOffers completes the ids of offers.
func (a *app) completeOffers(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.complete(command, func(ctx context.Context, c *client.Client) (ids []string, err error) {
		list, err := c.Offers(ctx)
		for _, o := range list {
			ids = append(ids, o.Offer)
		}
		return ids, err
	})
}

// negotiate shows what is offered instead of a refused job. A person at a terminal may accept one, unless a
// program reads the output; otherwise the refusal is returned.
func (a *app) negotiate(ctx context.Context, c *client.Client, refusal error) (api.Accepted, error) {
	p := new(client.Problem)
	if !errors.As(refusal, &p) {
		return api.Accepted{}, refusal
	}
	held := slices.DeleteFunc(slices.Clone(p.Alternatives), func(o api.Alternative) bool { return o.Offer == "" })
	if len(held) == 0 {
		return api.Accepted{}, refusal
	}
	rows := [][]string{{"TASKS", "START", "FOR", "DEADLINE", "PRICE", "HELD UNTIL", "ACCEPT IT WITH"}}
	for _, o := range held {
		lasts := o.Duration
		if len(o.Parts) > 0 {
			lasts += fmt.Sprintf(", in %d parts: it may be paused", len(o.Parts))
		}
		rows = append(rows, []string{fmt.Sprint(o.Tasks), when(o.Start), lasts, due(o.Deadline), price(o.PriceCoreHours),
			due(o.Expires), "aliquot offer accept " + o.Offer})
	}
	fmt.Fprintln(a.err, "It cannot be promised as asked. Offered instead:")
	table(a.err, rows)
	if slices.ContainsFunc(held, func(o api.Alternative) bool { return o.Deadline != nil }) {
		fmt.Fprintln(a.err, "For a deadline, FOR is the work and the margin that is kept for what VMs lose meanwhile.")
	}
	if !a.person || a.format != "table" {
		return api.Accepted{}, refusal
	}
	chosen, err := a.choose(ctx, held)
	if err != nil || chosen == "" {
		return api.Accepted{}, errors.Join(err, refusal)
	}
	return c.AcceptOffer(ctx, chosen)
}

// choose asks the person at the terminal for one of the offers, again after any other word; "": none.
func (a *app) choose(ctx context.Context, held []api.Alternative) (string, error) {
	ids := make([]string, len(held))
	for i, o := range held {
		ids[i] = o.Offer
	}
	in := bufio.NewReader(a.in)
	for {
		fmt.Fprintf(a.err, "Accept one? [%s, or Enter for none] ", strings.Join(ids, ", "))
		line, err := stop.Unless(ctx, func() (string, error) { return in.ReadString('\n') })
		if errors.Is(err, stop.Err) {
			return "", err
		}
		answer := strings.TrimSpace(line)
		if answer == "" || slices.Contains(ids, answer) {
			return answer, nil
		}
		fmt.Fprintf(a.err, "%s is none of them.\n", answer)
		if err != nil {
			return "", nil // there is no other answer
		}
	}
}
