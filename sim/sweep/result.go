package sweep

import (
	"slices"

	"aliquot/sim"
	"aliquot/sim/timeline"
)

// Result is the result of a trial. Times measured with a clock are zero if there was none.
type Result struct {
	Trial
	sim.Summary
	Skipped []int64 `json:"skipped_jobs,omitempty"` // ids of jobs that could never run; Jobs and the bound exclude them
	Checked bool    `json:"checked,omitempty"`      // the schedule was verified

	// Unfinished are ids of jobs that ended without their work being done; Jobs and the bound exclude them.
	Unfinished []int64 `json:"stopped_jobs,omitempty"`
	Bottleneck
	Worst    Worst    `json:"worst"`
	Thinking Thinking `json:"decisions"`    // replaces the number of the summary
	Seconds  float64  `json:"wall_seconds"` // run time of the simulation
}

// Excluded returns the ids of the jobs that Jobs and the bound exclude.
func (r Result) Excluded() []int64 { return slices.Concat(r.Skipped, r.Unfinished) }

// Bottleneck is a lower bound on the maximum stretch of every schedule of a trace, with its proof: jobs that need all
// nodes, for the whole time of their competition, to keep that stretch. Times are in seconds.
type Bottleneck struct {
	Bound    float64 `json:"bound"`      // 0: not computed
	Critical int     `json:"bound_jobs"` // number of the jobs that prove it; none if the bound is 1
	From     float64 `json:"bound_from"` // begin of competition
	To       float64 `json:"bound_to"`   // end of competition
	Busy     float64 `json:"bound_busy"` // time of competition between them
}

// Worst is the fate of the job with the greatest bounded stretch, and the load of the system at its submission.
type Worst struct {
	timeline.Fate
	Waiting int     `json:"waiting"` // jobs that waited for their start when it was submitted
	Load    float64 `json:"load"`    // sum of the needs of the jobs in the system then, itself included, in clusters
}

// Thinking is the time that the policy took to decide, separately for at most ten jobs in the system and for more, as
// in section 6.2 of the report. Times are in seconds.
type Thinking struct {
	Few        int     `json:"few"`
	FewLongest float64 `json:"few_longest"`
	Many       int     `json:"many"`
	ManyTotal  float64 `json:"many_total"`
	Longest    float64 `json:"longest"` // of all decisions
	MostJobs   int     `json:"most_jobs"`
}

// Add merges the times of another trial into d.
func (d *Thinking) Add(o Thinking) {
	d.Few, d.Many, d.ManyTotal = d.Few+o.Few, d.Many+o.Many, d.ManyTotal+o.ManyTotal
	d.FewLongest, d.Longest, d.MostJobs = max(d.FewLongest, o.FewLongest), max(d.Longest, o.Longest),
		max(d.MostJobs, o.MostJobs)
}

// Measure is one number of a result, with its name and unit.
type Measure struct {
	Name  string // name in CSV and JSON
	Title string
	About Topic
	Log   bool // differs by orders of magnitude between policies
	Of    func(Result) (value float64, known bool)
}

// Topic is the subject of a measure. It selects the explanation of a value.
type Topic uint8

// The topics.
const (
	Waiting      Topic = iota // how long jobs take: explained by the worst-off job
	Use                       // of the nodes
	Rescheduling              // of jobs
)

// Degradation returns the maximum stretch over the bound; false without a bound.
func Degradation(r Result) (float64, bool) {
	if r.Bound == 0 {
		return 0, false
	}
	return r.MaxBoundedStretch / r.Bound, true
}

func always(of func(sim.Summary) float64) func(Result) (float64, bool) {
	return func(r Result) (float64, bool) { return of(r.Summary), true }
}

// Measures lists the measures for comparing results.
var Measures = []Measure{
	{"degradation", "degradation from bound", Waiting, true, Degradation},
	{"max_bounded_stretch", "maximum bounded stretch", Waiting, true, always(func(s sim.Summary) float64 {
		return s.MaxBoundedStretch
	})},
	{"avg_bounded_stretch", "average bounded stretch", Waiting, true, always(func(s sim.Summary) float64 {
		return s.AvgBoundedStretch
	})},
	{"p50_bounded_stretch", "median of the jobs' bounded stretches", Waiting, true, always(func(s sim.Summary) float64 {
		return s.P50BoundedStretch
	})},
	{"p90_bounded_stretch", "bounded stretch that 90% of the jobs keep", Waiting, true,
		always(func(s sim.Summary) float64 { return s.P90BoundedStretch })},
	{"p99_bounded_stretch", "bounded stretch that 99% of the jobs keep", Waiting, true,
		always(func(s sim.Summary) float64 { return s.P99BoundedStretch })},
	{"avg_turnaround_seconds", "average turn-around, seconds", Waiting, true, always(func(s sim.Summary) float64 {
		return s.AvgTurnaround
	})},
	{"p50_turnaround_seconds", "median of the jobs' turn-around, seconds", Waiting, true,
		always(func(s sim.Summary) float64 { return s.P50Turnaround })},
	{"p90_turnaround_seconds", "turn-around that 90% of the jobs keep, seconds", Waiting, true,
		always(func(s sim.Summary) float64 { return s.P90Turnaround })},
	{"p99_turnaround_seconds", "turn-around that 99% of the jobs keep, seconds", Waiting, true,
		always(func(s sim.Summary) float64 { return s.P99Turnaround })},
	{"demand", "demand, as part of the cluster", Use, false, always(func(s sim.Summary) float64 { return s.Demand })},
	{"utilization", "utilization", Use, false, always(func(s sim.Summary) float64 { return s.Utilization })},
	{"normalized_underutilization", "normalized underutilization", Use, false, always(func(s sim.Summary) float64 {
		return s.NormalizedUnderutilization
	})},
	{"penalty_underutilization", "normalized underutilization by jobs that paid penalties", Use, false,
		always(func(s sim.Summary) float64 { return s.PenaltyUnderutilization })},
	{"preemptions_per_hour", "preemptions per hour", Rescheduling, false, always(func(s sim.Summary) float64 {
		return s.PreemptionsPerHour
	})},
	{"migrations_per_hour", "migrations per hour", Rescheduling, false, always(func(s sim.Summary) float64 {
		return s.MigrationsPerHour
	})},
	{"preemptions_per_job", "preemptions per job", Rescheduling, false, always(func(s sim.Summary) float64 {
		return s.PreemptionsPerJob
	})},
	{"migrations_per_job", "migrations per job", Rescheduling, false, always(func(s sim.Summary) float64 {
		return s.MigrationsPerJob
	})},
	{"preemption_gb_per_second", "bandwidth of preemptions, GB/s", Rescheduling, false,
		always(func(s sim.Summary) float64 { return s.PreemptionGBPerSecond })},
	{"migration_gb_per_second", "bandwidth of migrations, GB/s", Rescheduling, false, always(func(s sim.Summary) float64 {
		return s.MigrationGBPerSecond
	})},
}

// Named returns the measure of that name, or nil.
func Named(name string) *Measure {
	for i := range Measures {
		if Measures[i].Name == name {
			return &Measures[i]
		}
	}
	return nil
}
