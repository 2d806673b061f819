package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

// weekFlags say when the occurrences of a standing reservation begin.
type weekFlags struct{ days, zone, until string }

func (f *weekFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.days, "weekly", "",
		"reserve again on these days of every week, like mon-fri or mon,thu; --start is then a time of the day, like 09:00")
	c.Flags().StringVar(&f.zone, "zone", "", "with --weekly: time zone of --start, like Europe/Paris; left out: UTC")
	c.Flags().StringVar(&f.until, "until", "", "with --weekly: the last day, like 2027-06-30; left out: two years from now")
}

// complete refuses flags that only mean something with days.
func (f *weekFlags) complete() error {
	if f.days == "" && (f.zone != "" || f.until != "") {
		return usagef("--zone and --until need --weekly")
	}
	return nil
}

// stand makes the standing reservation that the flags describe.
func (a *app) stand(ctx context.Context, c *client.Client, f *jobFlags, w weekFlags, key string,
	command []string) error {
	spec, err := a.standing(ctx, f, w, command)
	if err != nil {
		return err
	}
	made, err := c.Stand(ctx, *spec, key)
	if err != nil {
		return err
	}
	return a.show(made, func(w io.Writer) { fmt.Fprintln(w, made.Standing) })
}

// standing reads the standing reservation that the flags describe.
func (a *app) standing(ctx context.Context, f *jobFlags, w weekFlags, command []string) (*api.StandingSpec, error) {
	days, err := weekdays(w.days)
	if err != nil {
		return nil, usage{err}
	}
	start := slices.IndexFunc(f.flags, func(flag *jobFlag) bool { return flag.name == "start" })
	given := f.flags[start].given
	if len(given) == 0 || !clockTime(given[len(given)-1]) {
		return nil, usagef("--weekly needs --start with a time of the day, like 09:00, and --for")
	}
	jobs, err := f.jobs(ctx, a, command)
	if err != nil {
		return nil, err
	}
	if len(jobs) > 1 || jobs[0].Reserve.Duration == "" || jobs[0].Deadline != nil {
		return nil, usagef("--weekly is for one job, with --start and --for")
	}
	spec := &api.StandingSpec{Days: days, Start: given[len(given)-1], Duration: jobs[0].Reserve.Duration, Zone: w.zone,
		Until: w.until, Job: jobs[0]}
	spec.Job.Reserve = nil
	return spec, nil
}

// clockTime reports whether the text is a time of the day.
func clockTime(text string) bool {
	_, err := time.Parse("15:04", text)
	return err == nil
}

var dayNames = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// weekdays reads days of the week and ranges of them, which may run over Sunday.
func weekdays(text string) (days []string, err error) {
	chosen := map[string]bool{}
	for _, part := range strings.Split(strings.ToLower(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, to := slices.Index(dayNames, first), slices.Index(dayNames, last)
		if from < 0 || to < 0 {
			return nil, fmt.Errorf("--weekly has %q, must be days like mon-fri or mon,thu", part)
		}
		for day := from; ; day = (day + 1) % len(dayNames) {
			if chosen[dayNames[day]] = true; day == to {
				break
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(dayNames), func(day string) bool { return !chosen[day] }), nil
}

func (a *app) reservationStandingCommand() *cobra.Command {
	return &cobra.Command{
		Use: "standing", Short: "List standing reservations, which are made again every week", Args: takes(),
		Long: `List standing reservations. JOBS are their occurrences that are promised something now: each is
submitted two weeks before it begins. NEXT is the start of the next one, of these or of those that
are not submitted yet. MISSING counts those that have found no room so far; they are tried again
until they begin.
` + "`aliquot reservation cancel s3`" + ` ends one and cancels its jobs that have not begun.`,
		Example: "  aliquot reservation standing",
		RunE: a.act(func(ctx context.Context, c *client.Client, _ []string) error {
			list, err := c.Standing(ctx)
			if err != nil {
				return err
			}
			return a.show(api.StandingList{Standing: list}, func(w io.Writer) { standingTable(w, list) })
		}),
	}
}

func standingTable(w io.Writer, list []api.Standing) {
	if len(list) == 0 {
		fmt.Fprintln(w, "Nothing is reserved every week. Make a standing reservation: "+
			"aliquot reservation create --weekly mon-fri --start 09:00 --for 8h --cpu 500m --memory 96Mi -- /bin/echo hello")
		return
	}
	rows := [][]string{{"STANDING", "NAME", "OWNER", "DAYS", "START", "FOR", "ZONE", "UNTIL", "TASKS", "CPU", "MEMORY",
		"JOBS", "NEXT", "MISSING"}}
	for _, r := range list {
		rows = append(rows, []string{r.Standing, dash(r.Name), r.Owner, strings.Join(r.Days, ","), r.Start,
			r.Duration, r.Zone, when(r.Until), fmt.Sprint(r.Tasks), milli(r.CPUMillicores), size(r.MemoryBytes),
			fmt.Sprint(len(r.Jobs)), due(r.NextStart), fmt.Sprint(len(r.Missing))})
	}
	table(w, rows)
}

// cancelStanding ends a standing reservation.
func cancelStanding(ctx context.Context, c *client.Client, id string) (string, error) {
	_, err := c.CancelStanding(ctx, id)
	return id + " is cancelled, and so are its jobs that have not begun.", err
}
