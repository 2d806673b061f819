package past

import (
	"slices"

	"aliquot/cluster"
)

// Loss is a run that the cluster lost.
type Loss struct {
	Task  cluster.TaskID
	At    cluster.Time
	Cause cluster.Cause
	Early bool // its guest had not begun, so that no work was lost
}

// maxLosses limits the losses that are kept.
const maxLosses = 1000

func (s *Spans) lose(e *cluster.Event) {
	t := s.open[e.Job][e.Task]
	s.lost = append(s.lost, Loss{Task: cluster.TaskID{Job: e.Job, Index: e.Task}, At: e.At, Cause: short(e.Cause),
		Early: t != nil && t.now.State == "starting"})
	if over := len(s.lost) - maxLosses; over > 0 {
		s.lost = slices.Delete(s.lost, 0, over)
	}
}

// Losses returns the kept losses since a time, the oldest first.
func (s *Spans) Losses(since cluster.Time) []Loss {
	first := len(s.lost)
	for first > 0 && s.lost[first-1].At >= since {
		first--
	}
	return slices.Clone(s.lost[first:])
}

// Waits returns since when each job that waits for a placement has waited.
func (s *Spans) Waits() map[cluster.JobID]cluster.Time {
	since := map[cluster.JobID]cluster.Time{}
	for id, tracks := range s.open {
		if t := tracks[-1]; t != nil && t.now.State == "waiting" {
			since[id] = t.now.From
		}
	}
	return since
}

// Starts returns since when each run that has not started has been starting, whatever became of its share meanwhile.
func (s *Spans) Starts() map[cluster.TaskID]cluster.Time {
	since := map[cluster.TaskID]cluster.Time{}
	for _, tracks := range s.open {
		for _, t := range tracks {
			if t.now.State == "starting" {
				since[t.now.Task] = t.starts
			}
		}
	}
	return since
}
