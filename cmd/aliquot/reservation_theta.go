package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"aliquot/client"
	"aliquot/web/api"
)

func (a *app) reservationThetaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "theta [THETA]", Short: "Show or set the limit of the price of every promise", Args: cobra.MaximumNArgs(1),
		Long: `Show theta, or set it, which operators may. A promise is refused, although there is room, if its
price is above theta × the CPU of all nodes that are not down × one hour. The answer has the
price, the limit and cheaper alternatives. THETA is from 0.001 to 100; 0, the default, sets no
limit. Promises and offers that were made stay.

Theta trades work for numbers: the lower it is, the more small promises are kept instead of few
large ones. In simulations of the paper's workload, 0.2 kept 94% of the jobs instead of 80%,
and 52% of their work instead of 64%; 0.7 kept 88% of the jobs and 62% of their work.`,
		Example: "  aliquot reservation theta\n  aliquot reservation theta 0.2\n  aliquot reservation theta 0",
		RunE: a.act(func(ctx context.Context, c *client.Client, args []string) error {
			if len(args) == 1 {
				theta, err := strconv.ParseFloat(args[0], 64)
				if err != nil || math.IsNaN(theta) || math.IsInf(theta, 0) {
					return usagef("%q is not a number; write one like 0.2, or 0 for no limit", args[0])
				}
				if _, err := c.SetTheta(ctx, theta); err != nil {
					return err
				}
			}
			t, err := c.Theta(ctx)
			if err != nil {
				return err
			}
			return a.show(t, func(w io.Writer) { fmt.Fprintln(w, thetaLine(&t)) })
		}),
	}
}

// thetaLine says what theta is and what it allows.
func thetaLine(t *api.Theta) string {
	if t.LimitCoreHours == nil {
		return "Theta is 0: promises may cost anything."
	}
	return fmt.Sprintf("Theta is %g: a promise may cost up to %s core-hours.", t.Theta, price(*t.LimitCoreHours))
}
