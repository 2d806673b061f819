package main

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"aliquot/sim"
	"aliquot/sim/sweep"
	"aliquot/workload"
)

// traceSource is a trace that is loaded when its first trial begins, and dropped with its last.
type traceSource struct {
	name   string
	kind   string // of traces on which a policy takes about as long for each job
	load   func() ([]workload.Job, error)
	digest string
	count  int // of its jobs

	mu    sync.Mutex
	users int // trials still to come
	jobs  []workload.Job
	limit *sweep.Bottleneck
}

// job is a trial to be run, with its trace.
type job struct {
	sweep.Trial
	*traceSource
	known *sweep.Result // only its bound is missing
}

// crew runs trials on some workers and keeps every result as it comes.
type crew struct {
	results *resultFile
	workers int
	bound   bool // wanted beside each result
	timed   bool
	verify  bool // every schedule independently
	tally   tally
	losses  []loss
}

// missing are the trials whose results are not there yet, or lack the wanted bound.
func (c *crew) missing(all []job) (missing []job) {
	listed := map[string]bool{}
	for _, j := range all {
		if listed[j.Key()] {
			continue
		}
		listed[j.Key()] = true
		r, ok := c.results.Get(j.Trial)
		verified := r.Checked || !c.verify
		if ok && verified && (r.Bound > 0 || !c.bound) {
			continue
		}
		if ok && verified {
			j.known = &r
		}
		if limit, ok := c.results.Bottleneck(j.Trial); ok {
			j.limit = &limit
		}
		missing = append(missing, j)
	}
	return missing
}

// most is the number of jobs of the longest trace.
func most(all []job) (count int) {
	for _, j := range all {
		count = max(count, j.count)
	}
	return count
}

// run runs the trials that are missing. An interruption stops it soon and is its error; a trial that fails is noted and
// stops no other.
func (c *crew) run(ctx context.Context, all []job) error {
	todo := c.missing(all)
	c.losses = nil // what failed is missing, and so is tried again
	for _, j := range todo {
		j.users++ // nobody works yet
	}
	c.tally.begin(len(all), todo)
	defer c.tally.end()
	queue, done := make(chan job), make(chan outcomeOf)
	var workers sync.WaitGroup
	for range max(1, c.workers) {
		workers.Go(func() {
			for j := range queue {
				begin := time.Now()
				r, err := c.one(ctx, j)
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
	return c.gather(ctx, done)
}

// outcomeOf is what became of a trial.
type outcomeOf struct {
	job
	result sweep.Result
	took   time.Duration
	err    error
}

// gather keeps what comes until nobody works any more.
func (c *crew) gather(ctx context.Context, done <-chan outcomeOf) error {
	for o := range done {
		switch {
		case o.err == nil:
			o.err = c.results.keep(o.result)
		case ctx.Err() != nil:
			continue
		}
		if o.err != nil {
			c.losses = append(c.losses, loss{o.Trial, o.err})
		}
		c.tally.step(o.job, o.took)
	}
	return ctx.Err()
}

// one runs a trial, or gets only the bound if the rest is known.
func (c *crew) one(ctx context.Context, j job) (r sweep.Result, err error) {
	jobs, err := j.borrow()
	if err != nil {
		return r, err
	}
	defer j.release()
	if j.known != nil {
		r = *j.known
	} else if r, err = j.Run(c.bench(ctx, j), jobs); err != nil {
		return r, err
	}
	switch {
	case !c.bound || ctx.Err() != nil:
	case len(r.Skipped) > 0:
		r.Bottleneck, err = unlessStopped(ctx, func() (sweep.Bottleneck, error) { return sweep.Bound(j.Nodes, sweep.Without(jobs, r.Skipped)) })
	default:
		r.Bottleneck, err = j.bottleneck(ctx, j.Nodes)
	}
	return r, cmp.Or(err, ctx.Err())
}

func (c *crew) bench(ctx context.Context, j job) sweep.Bench {
	begin := time.Now()
	watch := func(p sim.Progress) error {
		c.tally.inside(j, p, time.Since(begin))
		return ctx.Err()
	}
	bench := sweep.Bench{Watch: watch, Check: c.verify}
	if c.timed {
		bench.Clock = func() time.Duration { return time.Since(begin) }
	}
	return bench
}

// identify reads the trace once for its digest and the number of its jobs.
func (s *traceSource) identify() (digest string, err error) {
	if s.digest == "" {
		jobs, err := s.load()
		if err != nil {
			return "", err
		}
		s.digest, s.count = sweep.Digest(jobs), len(jobs)
	}
	return s.digest, nil
}

// borrow returns the trace's jobs, loading them for the first who asks.
func (s *traceSource) borrow() ([]workload.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs == nil {
		jobs, err := s.load()
		if err != nil {
			return nil, err
		}
		s.jobs = jobs
	}
	return s.jobs, nil
}

// release gives the jobs back; the last one drops them.
func (s *traceSource) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users == 0 {
		s.jobs = nil
	}
}

// bottleneck is the bound of the trace, computed for the first who asks.
func (s *traceSource) bottleneck(ctx context.Context, nodes int) (sweep.Bottleneck, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit == nil {
		jobs := s.jobs
		limit, err := unlessStopped(ctx, func() (sweep.Bottleneck, error) { return sweep.Bound(nodes, jobs) })
		if err != nil {
			return limit, fmt.Errorf("bound of %s: %w", s.name, err)
		}
		s.limit = &limit
	}
	return *s.limit, nil
}
