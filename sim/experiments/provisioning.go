package experiments

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"aliquot/sim/reproduce/provisioning"
)

// RunProvisioning runs the experiments on workflows and slots, which take seconds each, and tells how many are done.
func RunProvisioning(ctx context.Context, experiments []provisioning.Experiment, workers int,
	tell func(done int)) ([]provisioning.Finding, error) {
	begin := time.Now()
	clock := func() time.Duration { return time.Since(begin) }
	found := make([]provisioning.Finding, len(experiments))
	var done atomic.Int64
	var group errgroup.Group
	group.SetLimit(workers)
	for i, e := range experiments {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			r, err := provisioning.Run(e, clock)
			found[i] = provisioning.Finding{Experiment: e, Result: r}
			tell(int(done.Add(1)))
			return err
		})
	}
	return found, group.Wait()
}
