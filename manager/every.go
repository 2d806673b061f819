package manager

import (
	"context"
	"time"
)

// every calls do once per period until ctx ends. A call that takes longer than the period delays the next.
func every(ctx context.Context, period time.Duration, do func()) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}
