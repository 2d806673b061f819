package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/wording"
)

// reservationCreateCommand submits a job that asks for a promise.
func (a *app) reservationCreateCommand() *cobra.Command {
	f, week, key, hold := &jobFlags{}, weekFlags{}, "", ""
	c := &cobra.Command{
		Use: "create [flags] [-- COMMAND [ARG...]]", Short: "Submit a job that is promised an interval or its end",
		Long: `Submit a job that is promised an interval (--start and --for) or its end (--deadline, and --for
or --work), and print its id. It is described as for ` + "`aliquot job submit`" + `, which does the same. With
--weekly it is promised the interval on some days of every week: each occurrence is a job of its
own, submitted two weeks before it begins, and those of the first two weeks at once or not at all.`,
		Example: "  aliquot reservation create --start 14:00 --for 2h --cpu 1 --memory 256Mi -n 10 -- /bin/render\n" +
			"  aliquot reservation create --deadline 18:00 --work 8h --cpu 1 --memory 256Mi -n 4 -- /bin/render\n" +
			"  aliquot reservation create --weekly mon-fri --start 09:00 --for 8h --zone Europe/Paris --until 2027-06-30 \\\n" +
			"    --cpu 1 --memory 256Mi -- /bin/render",
	}
	c.RunE = a.act(func(ctx context.Context, server *client.Client, args []string) error {
		if week.days != "" && hold != "" {
			return usagef("--hold is for offers, and nothing is offered instead of what would be --weekly")
		}
		if week.days != "" {
			return a.stand(ctx, server, f, week, key, args)
		}
		if err := week.complete(); err != nil {
			return err
		}
		jobs, err := f.jobs(ctx, a, args)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(jobs, func(j api.JobSpec) bool { return j.Reserve == nil && j.Deadline == nil }) {
			return usagef("a reservation needs --start and --for, or --deadline and --for or --work")
		}
		if key != "" && len(jobs) > 1 {
			return usagef("--key names one submission, and the file holds %d jobs", len(jobs))
		}
		if err := checkAll(ctx, server, jobs, 1); err != nil {
			return err
		}
		return a.submit(ctx, server, jobs, sending{1, key, hold})
	})
	f.add(c.Flags())
	week.add(c)
	addHold(c, &hold)
	c.Flags().StringVar(&key, "key", "", "name this submission: the same key again submits nothing new")
	return c
}

func (a *app) reservationShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show JOB", Short: "Show what is promised to a job, and how safe it is", Args: takes("JOB"),
		ValidArgsFunction: a.completeJobs,
		Long: `Show what is promised to a job. Of a job with a deadline, LACKS is the running time with all
of its CPU that it has yet to get of what it declared, and SLACK how long it could stand still
before others make way for it. If its work is promised in several parts, FROM and UNTIL are those
of the first one that is not over. Of a promise that is over it says what became of it, with exit
code 1.`,
		Example: "  aliquot reservation show j17",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			r, err := reservationOf(ctx, c, args[0])
			if err != nil {
				return err
			}
			return a.show(r, func(w io.Writer) { reservationPage(w, &r) })
		}),
	}
}

// reservationOf returns what is promised to the job.
func reservationOf(ctx context.Context, c *client.Client, job string) (api.Reservation, error) {
	list, err := c.Reservations(ctx)
	if err != nil {
		return api.Reservation{}, err
	}
	all := list.Reservations
	if i := slices.IndexFunc(all, func(r api.Reservation) bool { return r.Job == job }); i >= 0 {
		return all[i], nil
	}
	j, err := c.Job(ctx, job)
	if err != nil {
		return api.Reservation{}, err
	}
	return api.Reservation{}, unpromised(ctx, c, &j)
}

func reservationPage(w io.Writer, r *api.Reservation) {
	rows := [][]string{
		{"Job:", strings.TrimSpace(r.Job + " " + r.Name)},
		{"Owner:", r.Owner + ", project " + r.Project},
		{"State:", r.State},
		{"Promised:", fmt.Sprintf("%d × %s CPU, %s memory", r.Tasks, milli(r.CPUMillicores), size(r.MemoryBytes))},
		{"Deadline:", due(r.Deadline)},
		{"Not before:", due(r.Ready)},
		{"From:", when(r.From)},
		{"Until:", when(r.Until)},
		{"Others make way:", when(r.Due)},
		{"Lacks:", spanOf(r.LeftSeconds)},
		{"Slack:", spanOf(r.SlackSeconds)},
		{"Too little by:", spanOf(r.ShortSeconds)},
		{"Price:", price(r.PriceCoreHours)},
		{"Nodes:", dash(strings.Join(grouped(r.Nodes), ","))},
	}
	for i, part := range r.Parts {
		rows = append(rows, []string{fmt.Sprintf("Part %d:", i+1),
			fmt.Sprintf("%s to %s on %s", when(part.From), when(part.Until), strings.Join(grouped(part.Nodes), ","))})
	}
	table(w, slices.DeleteFunc(rows, func(row []string) bool { return row[1] == dash("") }))
}

// spanOf formats a number of seconds, "-" for none.
func spanOf(seconds *float64) string {
	if seconds == nil {
		return dash("")
	}
	return wording.Span(*seconds)
}

// reservationCancelCommand cancels the jobs of promises. A job that is promised nothing is not cancelled.
func (a *app) reservationCancelCommand() *cobra.Command {
	return &cobra.Command{
		Use: "cancel JOB|STANDING...", Short: "Give promises back and cancel their jobs", Args: takes("JOB|STANDING..."),
		ValidArgsFunction: a.completeJobs,
		Long: `Cancel jobs that are promised something; what was promised is free at once. The work that they
have done is lost. A job that is promised nothing is left alone. A standing reservation,
like s3, makes no further occurrences, and those that have not begun are cancelled.`,
		Example: "  aliquot reservation cancel j17\n  aliquot reservation cancel s3",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			return a.each(args, func(id string) (string, error) {
				if strings.HasPrefix(id, "s") {
					return cancelStanding(ctx, c, id)
				}
				if _, err := reservationOf(ctx, c, id); err != nil {
					return "", err
				}
				_, err := c.Cancel(ctx, id, "")
				return id + " is cancelled, and its promise given back.", err
			})
		}),
	}
}
