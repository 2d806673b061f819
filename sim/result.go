package sim

import (
	"time"

	"aliquot/cluster"
	"aliquot/workload"
)

// Result is what became of a stream.
type Result struct {
	Jobs      []Outcome // in the order in which they ended
	Stopped   []Stopped // that ended without their work being done, in the order in which they did
	Skipped   []Skipped // in the order of submission
	Instants  int       // times at which something happened
	Decisions int       // that the policy made
	Timing    Timing

	capacity cluster.CPU // of all nodes
	wanted   float64     // ∫min(|P|, D) dt, in millicore-seconds
	stood    float64     // held by jobs that paid, in millicore-seconds
	resumed  float64     // memory of tasks that were resumed, in GB
	moved    float64     // memory of tasks that were moved without a gap, in GB
}

// Outcome is what became of a job.
type Outcome struct {
	workload.Job
	Started     cluster.Time
	Ended       cluster.Time
	Preemptions int          // times that it was resumed after a gap, on whatever nodes
	Migrations  int          // times that it went on elsewhere without a gap
	Moved       int          // tasks that left their nodes in its migrations
	Kills       int          // times that a node failed under it, so that its work began anew
	Tier        cluster.Tier // that it had last
}

// Stopped is a job that ended without its work being done.
type Stopped struct {
	Outcome
	Why cluster.Outcome // Cancelled, or Failed if it fails on loss or was lost too often
}

// Skipped is a job that could never run, or that the policy refuses.
type Skipped struct {
	workload.Job
	Why     string
	Refused bool // by the policy; false: no policy could place it
}

// Timing is how long decisions took, for few jobs and for many (RR-7659, section 6.2).
type Timing struct {
	Few, Many Stopwatch
}

// few is up to how many jobs are few.
const few = 10

func (t *Timing) add(jobs int, took time.Duration) {
	if jobs <= few {
		t.Few.add(took)
	} else {
		t.Many.add(took)
	}
}

// Stopwatch sums times up.
type Stopwatch struct {
	Count      int
	Total, Max time.Duration
}

func (s *Stopwatch) add(took time.Duration) {
	s.Count++
	s.Total += took
	s.Max = max(s.Max, took)
}

// Mean is the average; that of none is zero.
func (s Stopwatch) Mean() time.Duration {
	if s.Count == 0 {
		return 0
	}
	return s.Total / time.Duration(s.Count)
}

// Turnaround is the time from submission to end.
func (o Outcome) Turnaround() cluster.Time { return o.Ended - o.Submit }

// Stretch is the turn-around time over the processing time.
func (o Outcome) Stretch() float64 { return o.Turnaround().Seconds() / o.Runtime.Seconds() }

// BoundedStretch is the stretch with times below 10 s counted as 10 s.
func (o Outcome) BoundedStretch() float64 {
	return max(o.Turnaround(), workload.ShortTime).Seconds() / max(o.Runtime, workload.ShortTime).Seconds()
}

// Work is the CPU time that the job takes, in millicore-seconds.
func (o Outcome) Work() float64 { return float64(o.Tasks) * float64(o.Need) * o.Runtime.Seconds() }
