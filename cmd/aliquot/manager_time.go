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
		Long: `Set the time that all managers agree on to TIME, as in 2026-11-24T16:30:00Z, or to that of
this machine's clock if TIME is now. It is needed only where the time was wrong: each
manager's health tells how far its machine's clock is from the cluster's. No job makes
progress by it, and what is due later stays as far away as it was.`,
		Example: "  aliquot manager set-time now",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			to, err := timeOf(args[0])
			if err != nil {
				return err
			}
			_, err = c.SetTime(ctx, to)
			return err
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
		return at, usagef("%q is no time; write now, or a time like 2026-11-24T16:30:00Z", text)
	}
	return at, nil
}
