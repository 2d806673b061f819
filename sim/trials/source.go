package trials

import (
	"context"
	"fmt"
	"sync"

	"aliquot/internal/stop"
	"aliquot/sim/sweep"
	"aliquot/workload"
)

// A Source loads a trace when its first trial begins and drops it after its last.
type Source struct {
	Name string
	Kind string // a policy takes about the same time per job of traces of one kind; Unforetold: run times are not forecast
	Load func() ([]workload.Job, error)

	digest string
	count  int // number of its jobs

	mu    sync.Mutex
	users int // trials still to come
	jobs  []workload.Job
	limit *sweep.Bottleneck
}

// Identify reads the trace, once, for its digest and the number of its jobs.
func (s *Source) Identify() (digest string, err error) {
	if s.digest == "" {
		jobs, err := s.Load()
		if err != nil {
			return "", err
		}
		s.digest, s.count = sweep.Digest(jobs), len(jobs)
	}
	return s.digest, nil
}

// borrow returns the jobs of the trace and loads them if necessary.
func (s *Source) borrow() ([]workload.Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.jobs == nil {
		jobs, err := s.Load()
		if err != nil {
			return nil, err
		}
		s.jobs = jobs
	}
	return s.jobs, nil
}

// release ends a use of the jobs; the last one drops them.
func (s *Source) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users == 0 {
		s.jobs = nil
	}
}

// bottleneck returns the bound of the trace, computed once.
func (s *Source) bottleneck(ctx context.Context, nodes int) (sweep.Bottleneck, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.limit == nil {
		jobs := s.jobs
		limit, err := stop.Unless(ctx, func() (sweep.Bottleneck, error) { return sweep.Bound(nodes, jobs) })
		if err != nil {
			return limit, fmt.Errorf("bound of %s: %w", s.Name, err)
		}
		s.limit = &limit
	}
	return *s.limit, nil
}
