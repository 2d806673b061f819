package site

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"aliquot/policy/hetero"
)

// Check judges fates without the code that made them: every job ran after its submission, where it is allowed, for its
// true time unless it was suspended, and no two jobs shared a machine.
func (s *Site) Check(fates []Fate) error {
	var faults []error
	busy := make([][]Fate, len(s.Machines))
	for _, f := range fates {
		if f.Skipped {
			continue
		}
		times, machines := s.Times.Sequential, []int{f.Resource}
		if f.Parallel {
			times, machines = s.Times.Parallel, s.Up(f.Resource)
		}
		switch t := times[f.Type][f.Resource]; {
		case t >= hetero.Never:
			faults = append(faults, fmt.Errorf("job %s ran where its type is not allowed", f.ID))
		case f.Start < f.Submit:
			faults = append(faults, fmt.Errorf("job %s began %d ms before its submission", f.ID, f.Submit-f.Start))
		case f.Preemptions == f.Kills && f.End-f.Start != t: // not suspended
			faults = append(faults, fmt.Errorf("job %s took %d ms in place of %d", f.ID, f.End-f.Start, t))
		case f.Level != hetero.Low && f.Preemptions+f.Bumps > 0:
			faults = append(faults, fmt.Errorf("job %s of level %v lost its place", f.ID, f.Level))
		}
		for _, m := range machines {
			busy[m] = append(busy[m], f)
		}
	}
	for m, runs := range busy {
		slices.SortFunc(runs, func(a, b Fate) int { return cmp.Compare(a.Start, b.Start) })
		for i := 1; i < len(runs); i++ {
			if runs[i].Start < runs[i-1].End {
				faults = append(faults, fmt.Errorf("jobs %s and %s were both on machine %s", runs[i-1].ID, runs[i].ID,
					s.Machines[m].Name))
			}
		}
	}
	return errors.Join(faults...)
}
