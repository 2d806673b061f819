package cluster

import "slices"

// Limits on the starts that are measured.
const (
	maxStarts  = 50 // the latest of them are kept
	fewStarts  = 10 // fewer say nothing
	leastStart = 5 * Second
)

// startTime returns the time that a VM is given to start: nine in ten of the latest starts and restores took no longer.
func (s *State) startTime() Time {
	if len(s.starts) < fewStarts {
		return bootTime
	}
	sorted := slices.Sorted(slices.Values(s.starts))
	took := sorted[(len(sorted)*9+9)/10-1]
	return max(leastStart, (took+Second-1)/Second*Second)
}

// measureStart notes that a VM runs whose start or restore was ordered at a time; 0: that is not known.
func (t *transaction) measureStart(ordered Time) {
	if t.Format >= measures && ordered > 0 {
		took := min(maxLead, max(0, t.Now-ordered))
		t.starts = append(slices.Clone(t.starts[max(0, len(t.starts)-maxStarts+1):]), took)
	}
}
