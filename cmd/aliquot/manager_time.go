package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"aliquot/client"
)

func (a *app) managerSetTimeCommand() *cobra.Command {
	return &cobra.Command{
		Use: "set-time TIME", Short: "Set the cluster's time", Args: takes("TIME"),
		Long: `Set the time that all managers agree on to TIME, like 2026-11-24T16:30:00Z, or, if TIME is
now, to the time of this machine's clock. This is needed only if the cluster's time is wrong:
each manager's health shows the difference between its machine's clock and the cluster's time.
Jobs make no progress by the change, and later alarms stay as far away as they were.`,
		Example: "  aliquot manager set-time now",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			to, err := timeOf(args[0])
			if err != nil {
				return err
			}
			if _, err = c.SetTime(ctx, to); err != nil {
				return err
			}
			a.did("The cluster's time is set to %s.", when(to))
			return nil
		}),
	}
}

// timeOf reads a time, or now.
func timeOf(text string) (time.Time, error) {
	if text == "now" {
		return time.Now(), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, usagef("%q is not a time; write now, or a time like 2026-11-24T16:30:00Z", text)
	}
	return at, nil
}
