package sim

import (
	"time"

	"aliquot/cluster"
	"aliquot/workload"
)

// Result is the result of simulating a stream.
type Result struct {
	Jobs      []Outcome // in the order in which they ended
	Stopped   []Stopped // jobs that ended before their work was done, in the order in which they ended
	Skipped   []Skipped // in the order of submission
	Instants  int       // number of times at which something happened
	Decisions int       // number of the policy's decisions
	Timing    Timing

	nodes    int
	capacity cluster.CPU // of all nodes
	wanted   float64     // ∫min(|P|, D) dt, in millicore-seconds
	stood    float64     // CPU held by jobs that paid, in millicore-seconds
	resumed  float64     // memory of resumed tasks, in GB
	moved    float64     // memory of tasks that moved without a gap, in GB
}

// Outcome is the result of one job.
type Outcome struct {
	workload.Job
	Eligible    cluster.Time // when the last job that it waited for ended; before Submit: it did not wait
	Started     cluster.Time
	Ended       cluster.Time
	Preemptions int          // number of resumptions after a gap, on any nodes
	Migrations  int          // number of migrations without a gap
	Moved       int          // number of tasks that left their nodes in its migrations
	Kills       int          // number of times that its work began anew: a node failed, or the policy gave it up
	Swaps       int          // number of changes of the tier without another move
	Foreground  cluster.Time // when it last entered the foreground; never: it did not
	Tier        cluster.Tier // its last tier
}

// Stopped is a job that ended before its work was done.
type Stopped struct {
	Outcome
	Why cluster.Outcome // Cancelled, or Failed if it fails on loss, was lost too often, or Cut
	Cut bool            // it was promised nodes, and its interval was over first, or a node did not take it
}

// Skipped is a job that could never run, or that the policy refuses.
type Skipped struct {
	workload.Job
	Why     string
	Refused bool // refused by the policy; false: no policy could place it
	// Declined: it could run, but the policy had no room for it until its deadline. The run goes on without it.
	Declined bool
}

// Timing is the time that decisions took, for few jobs and for many (RR-7659, section 6.2).
type Timing struct {
	Few, Many Stopwatch
}

// few is the largest number of jobs that counts as few.
const few = 10

func (t *Timing) add(jobs int, took time.Duration) {
	if jobs <= few {
		t.Few.add(took)
	} else {
		t.Many.add(took)
	}
}

// Stopwatch adds up durations.
type Stopwatch struct {
	Count      int
	Total, Max time.Duration
}

func (s *Stopwatch) add(took time.Duration) {
	s.Count++
	s.Total += took
	s.Max = max(s.Max, took)
}

// Mean returns the average; zero if there is none.
func (s Stopwatch) Mean() time.Duration {
	if s.Count == 0 {
		return 0
	}
	return s.Total / time.Duration(s.Count)
}

// Late reports whether the job ended after its deadline.
func (o Outcome) Late() bool { return o.Deadline != 0 && o.Ended > o.Deadline }

// Missed reports whether the job counts as one that was not done at its deadline.
func (s Stopped) Missed() bool { return s.Cut || s.Late() }

// Turnaround returns the time from submission, or from when it need not wait for other jobs any more, to its end.
func (o Outcome) Turnaround() cluster.Time { return o.Ended - o.Since() }

// Since returns the time from which the job may run: its submission, or the end of the last job that it waited for.
func (o Outcome) Since() cluster.Time { return max(o.Submit, o.Eligible) }

// Stretch returns the turn-around time divided by the processing time.
func (o Outcome) Stretch() float64 { return o.Turnaround().Seconds() / o.Runtime.Seconds() }

// BoundedStretch returns the stretch with times below 10 s counted as 10 s.
func (o Outcome) BoundedStretch() float64 {
	return max(o.Turnaround(), workload.ShortTime).Seconds() / max(o.Runtime, workload.ShortTime).Seconds()
}

// Work returns the CPU time that the job needs, in millicore-seconds.
func (o Outcome) Work() float64 { return float64(o.Tasks) * float64(o.Need) * o.Runtime.Seconds() }
