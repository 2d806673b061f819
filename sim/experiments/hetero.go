package experiments

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"aliquot/sim/reproduce/hetero"
)

// RunHetero runs the experiments on unlike machines, which take a moment each, and tells how many are done. Those that
// measure decisions run alone, before the others.
func RunHetero(ctx context.Context, experiments []hetero.Experiment, workers int,
	tell func(done int)) ([]hetero.Finding, error) {
	begin := time.Now()
	clock := func() time.Duration { return time.Since(begin) }
	found := make([]hetero.Finding, len(experiments))
	var done atomic.Int64
	run := func(i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := hetero.Run(experiments[i], clock)
		found[i] = hetero.Finding{Experiment: experiments[i], Result: r}
		tell(int(done.Add(1)))
		return err
	}
	var group errgroup.Group
	group.SetLimit(workers)
	for i, e := range experiments {
		if e.Machines == 0 {
			continue
		}
		if err := run(i); err != nil {
			return nil, err
		}
	}
	for i, e := range experiments {
		if e.Machines == 0 {
			group.Go(func() error { return run(i) })
		}
	}
	return found, group.Wait()
}
