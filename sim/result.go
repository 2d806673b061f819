package sim

import (
	"aliquot/cluster"
	"aliquot/workload"
)

// Result is what became of a stream.
type Result struct {
	Jobs []Outcome // in the order in which they ended
}

// Outcome is what became of a job.
type Outcome struct {
	workload.Job
	Started     cluster.Time
	Ended       cluster.Time
	Preemptions int // times that it was paused
	Migrations  int // times that it went on elsewhere without a gap
}

// threshold bounds stretches: shorter times count as this long, so that jobs that fail at
// once do not dominate.
const threshold = 10 * cluster.Second

// Turnaround is the time from submission to end.
func (o Outcome) Turnaround() cluster.Time { return o.Ended - o.Submit }

// Stretch is the turn-around time over the processing time.
func (o Outcome) Stretch() float64 { return o.Turnaround().Seconds() / o.Runtime.Seconds() }

// BoundedStretch is the stretch with times below 10 s counted as 10 s.
func (o Outcome) BoundedStretch() float64 {
	return max(o.Turnaround(), threshold).Seconds() / max(o.Runtime, threshold).Seconds()
}

// Summary is a stream's outcome in a few numbers; rates are per job.
type Summary struct {
	Jobs              int     `json:"jobs"`
	MaxStretch        float64 `json:"max_stretch"`
	AvgStretch        float64 `json:"avg_stretch"`
	MaxBoundedStretch float64 `json:"max_bounded_stretch"`
	AvgBoundedStretch float64 `json:"avg_bounded_stretch"`
	AvgTurnaround     float64 `json:"avg_turnaround_seconds"`
	PreemptionsPerJob float64 `json:"preemptions_per_job"`
	MigrationsPerJob  float64 `json:"migrations_per_job"`
	Makespan          float64 `json:"makespan_seconds"` // from the first submission to the last end
}

// Summary sums the jobs up; that of no jobs is zero.
func (r Result) Summary() Summary {
	s := Summary{Jobs: len(r.Jobs)}
	first, last := never, cluster.Time(0)
	for _, o := range r.Jobs {
		s.MaxStretch = max(s.MaxStretch, o.Stretch())
		s.MaxBoundedStretch = max(s.MaxBoundedStretch, o.BoundedStretch())
		s.AvgStretch += o.Stretch()
		s.AvgBoundedStretch += o.BoundedStretch()
		s.AvgTurnaround += o.Turnaround().Seconds()
		s.PreemptionsPerJob += float64(o.Preemptions)
		s.MigrationsPerJob += float64(o.Migrations)
		first, last = min(first, o.Submit), max(last, o.Ended)
	}
	if s.Jobs > 0 {
		for _, sum := range []*float64{&s.AvgStretch, &s.AvgBoundedStretch, &s.AvgTurnaround, &s.PreemptionsPerJob, &s.MigrationsPerJob} {
			*sum /= float64(s.Jobs)
		}
		s.Makespan = (last - first).Seconds()
	}
	return s
}
