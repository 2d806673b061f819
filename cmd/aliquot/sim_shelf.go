package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"aliquot/sim/reproduce"
	"aliquot/workload"
	"aliquot/workload/gen"
	"aliquot/workload/prepare"
	"aliquot/workload/swf"
)

// shelf is where the traces of the report come from: the log as it was read, and the generator.
type shelf struct {
	whole []workload.Job
	weeks []workload.Segment
}

// read prepares the log and says what was repaired or skipped.
func (s *shelf) read(path string, out io.Writer) error {
	file, err := os.Open(path)
	if err != nil {
		return usage{fmt.Errorf("open the log: %w", err)}
	}
	defer file.Close()
	log, err := swf.NewReader(file)
	if err != nil {
		return usage{fmt.Errorf("%s: %w", path, err)}
	}
	jobs, tally, err := prepare.Jobs(log, prepare.HPC2N())
	if err != nil {
		return usage{fmt.Errorf("%s: %w", path, err)}
	}
	fmt.Fprintf(out, "%s: %d jobs\n", path, len(jobs))
	for _, note := range tally.Notes {
		fmt.Fprintln(out, " ", note)
	}
	s.whole, s.weeks = jobs, workload.Split(jobs, prepare.Week)
	if len(s.weeks) == 0 {
		return usage{fmt.Errorf("%s: %w", path, errors.New("no job could be made of the log"))}
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

func (s *shelf) source(t reproduce.Trace) *source {
	return &source{name: t.Name(), load: func() ([]workload.Job, error) { return s.jobsOf(t) }}
}
