package reproduce

import (
	"fmt"
	"slices"

	"aliquot/workload"
	"aliquot/workload/gen"
)

// HPC2N holds the jobs of the log of that name, prepared by the rules of the report. The zero value has none.
type HPC2N struct {
	Whole []workload.Job
	Weeks []workload.Segment // weeks that have jobs
}

// Jobs returns the jobs of a trace: it finds them in the log or draws them.
func (l HPC2N) Jobs(t Trace) ([]workload.Job, error) {
	switch {
	case t.Whole:
		return l.Whole, nil
	case t.Real:
		for _, w := range l.Weeks {
			if w.Number == t.Index {
				return w.Jobs, nil
			}
		}
		return nil, fmt.Errorf("the log has no week %d", t.Index)
	}
	dice := gen.NewDice(Seed, t.Index)
	jobs := gen.Augment(dice, gen.Lublin(dice, t.Nodes(), SyntheticJobs))
	if t.Tenth == 0 {
		return jobs, nil
	}
	return workload.Scale(jobs, t.Nodes(), t.Load())
}

// Numbers lists the weeks in which jobs were submitted.
func (l HPC2N) Numbers() (numbers []int) {
	for _, w := range l.Weeks {
		numbers = append(numbers, w.Number)
	}
	return slices.Clip(numbers)
}
