package trials

import (
	"cmp"
	"context"
	"sync"
	"time"

	"aliquot/internal/stop"
	"aliquot/internal/terminal"
	"aliquot/sim"
	"aliquot/sim/sweep"
	"aliquot/workload"
)

// An Entry is a trial of a list, with the source of its trace.
type Entry struct {
	sweep.Trial
	*Source
	known *sweep.Result // the result, if only its bound is missing
}

// A Pool runs trials on several workers and writes every result to a file as soon as it is known.
type Pool struct {
	Results *File
	Workers int
	Bound   bool // add to each result the stretch that no schedule can beat
	Timed   bool // measure times
	Verify  bool // check every schedule independently
	Display *terminal.Progress
	Events  []workload.Event // that happen in every trial

	tally  tally
	losses []loss
}

// missing lists each trial whose result is not in the file, was not verified as wanted, or lacks the wanted bound.
func (p *Pool) missing(all []Entry) (missing []Entry) {
	listed := map[string]bool{}
	for _, j := range all {
		if listed[j.Key()] {
			continue
		}
		listed[j.Key()] = true
		r, ok := p.Results.Get(j.Trial)
		verified := r.Checked || !p.Verify
		if ok && verified && (r.Bound > 0 || !p.Bound) {
			continue
		}
		if ok && verified {
			j.known = &r
		}
		if limit, ok := p.Results.Bottleneck(j.Trial); ok {
			j.limit = &limit
		}
		missing = append(missing, j)
	}
	return missing
}

// MostJobs returns the number of jobs of the longest trace. The sources must have been identified.
func MostJobs(all []Entry) (count int) {
	for _, j := range all {
		count = max(count, j.count)
	}
	return count
}

// begin restarts the count of trials.
func (p *Pool) begin(total int, todo []Entry) {
	p.tally.Progress, p.tally.workers = p.Display, p.Workers
	p.tally.begin(total, todo)
}

// Run runs the trials whose results are missing. It returns soon after ctx is done, with the error of ctx. A trial that
// fails is recorded (see Failures) and stops no other.
func (p *Pool) Run(ctx context.Context, all []Entry) error {
	todo := p.missing(all)
	p.losses = nil // failed trials are missing, so they are tried again
	for _, j := range todo {
		j.users++ // no worker has started, so no lock is needed
	}
	p.begin(len(all), todo)
	defer p.Display.End()
	queue, done := make(chan Entry), make(chan outcomeOf)
	var workers sync.WaitGroup
	for range max(1, p.Workers) {
		workers.Go(func() {
			for j := range queue {
				begin := time.Now()
				r, err := p.one(ctx, j)
				done <- outcomeOf{j, r, time.Since(begin), err}
			}
		})
	}
	go func() {
		defer close(done)
		defer workers.Wait()
		defer close(queue)
		for _, j := range todo {
			select {
			case queue <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	return p.gather(ctx, done)
}

// outcomeOf is the result of a trial, or its error.
type outcomeOf struct {
	Entry
	result sweep.Result
	took   time.Duration
	err    error
}

// gather keeps results until all workers have ended.
func (p *Pool) gather(ctx context.Context, done <-chan outcomeOf) error {
	for o := range done {
		switch {
		case o.err == nil:
			o.err = p.Results.Keep(o.result)
		case ctx.Err() != nil:
			continue
		}
		if o.err != nil {
			p.losses = append(p.losses, loss{o.Trial, o.err})
		}
		p.tally.step(o.Entry, o.took)
	}
	return ctx.Err()
}

// one runs a trial, or computes only the bound if the rest is known.
func (p *Pool) one(ctx context.Context, j Entry) (r sweep.Result, err error) {
	jobs, err := j.borrow()
	if err != nil {
		return r, err
	}
	defer j.release()
	if j.known != nil {
		r = *j.known
	} else if r, err = j.Run(p.bench(ctx, j), jobs); err != nil {
		return r, err
	}
	switch {
	case !p.Bound || ctx.Err() != nil:
	case len(r.Excluded()) > 0:
		r.Bottleneck, err = stop.Unless(ctx, func() (sweep.Bottleneck, error) {
			return sweep.Bound(j.Nodes, sweep.Without(jobs, r.Excluded()))
		})
	default:
		r.Bottleneck, err = j.bottleneck(ctx, j.Nodes)
	}
	return r, cmp.Or(err, ctx.Err())
}

// bench returns the watch, the clock and the check for a trial.
func (p *Pool) bench(ctx context.Context, j Entry) sweep.Bench {
	begin := time.Now()
	watch := func(at sim.Progress) error {
		p.tally.inside(j, at, time.Since(begin))
		return ctx.Err()
	}
	bench := sweep.Bench{Watch: watch, Check: p.Verify, Events: p.Events}
	if p.Timed {
		bench.Clock = func() time.Duration { return time.Since(begin) }
	}
	return bench
}
