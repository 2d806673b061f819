package main

import (
	"context"
	"fmt"

	"aliquot/internal/wording"
	"aliquot/sim/reproduce"
	"aliquot/workload"
	"aliquot/workload/gen"
	"aliquot/workload/prepare"
)

// shelf is where the traces of the report come from: the log as it was read, and the generator.
type shelf struct {
	whole []workload.Job
	weeks []workload.Segment
}

// read prepares the log by the report's rules and says what was repaired or skipped.
func (s *shelf) read(ctx context.Context, a *app, path string) error {
	log, err := a.readStream(ctx, path, &logRules{name: "hpc2n"})
	if err != nil {
		return err
	}
	a.explain(log)
	if log.tally == nil || len(log.jobs) == 0 {
		return usagef("%s is no log in the Standard Workload Format with jobs that ran", path)
	}
	s.whole, s.weeks = log.jobs, workload.Split(log.jobs, prepare.Week)
	if n := len(s.whole); n != reproduce.LogJobs {
		fmt.Fprintf(a.err, "%s has %s that ran, where the HPC2N log, version 2.2-cln, has %d: the report's numbers are of another log\n", path, wording.Count(n, "job"), reproduce.LogJobs)
	}
	return nil
}

// jobsOf finds or draws the jobs of a trace.
func (s *shelf) jobsOf(t reproduce.Trace) ([]workload.Job, error) {
	switch {
	case t.Whole:
		return s.whole, nil
	case t.Real:
		for _, w := range s.weeks {
			if w.Number == t.Index {
				return w.Jobs, nil
			}
		}
		return nil, fmt.Errorf("the log has no week %d", t.Index)
	}
	dice := gen.NewDice(reproduce.Seed, t.Index)
	jobs := gen.Augment(dice, gen.Lublin(dice, t.Nodes(), reproduce.SyntheticJobs))
	if t.Tenth == 0 {
		return jobs, nil
	}
	return workload.Scale(jobs, t.Nodes(), t.Load())
}

func (s *shelf) source(t reproduce.Trace) *traceSource {
	return &traceSource{name: t.Name(), kind: kindOf(t), load: func() ([]workload.Job, error) { return s.jobsOf(t) }}
}

// kindOf tells traces apart on which a policy takes its time differently.
func kindOf(t reproduce.Trace) string {
	switch {
	case t.Whole:
		return unsplit
	case t.Real:
		return "week"
	case t.Tenth > 0:
		return fmt.Sprintf("load 0.%d", t.Tenth)
	}
	return "unscaled"
}
