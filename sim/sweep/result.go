package sweep

import (
	"aliquot/sim"
	"aliquot/sim/timeline"
)

// Result is what a trial came to. Times measured with a clock are zero if there was none.
type Result struct {
	Trial
	sim.Summary
	Skipped []int64 `json:"skipped_jobs,omitempty"` // ids of those that could never run; they are not among Jobs, nor in the bound
	Checked bool    `json:"checked,omitempty"`      // the schedule was verified
	Bottleneck
	Worst    Worst    `json:"worst"`
	Thinking Thinking `json:"decisions"`    // in place of the summary's number
	Seconds  float64  `json:"wall_seconds"` // that the simulation took
}

// Bottleneck is the bound on the maximum stretch of any schedule of a trace, with what makes it: jobs that need all
// nodes, all the time that they compete for them, to keep that stretch. Times are in seconds.
type Bottleneck struct {
	Bound    float64 `json:"bound"`      // 0: not asked for
	Critical int     `json:"bound_jobs"` // how many jobs; none if the bound is 1
	From     float64 `json:"bound_from"` // first moment of competition
	To       float64 `json:"bound_to"`   // last moment
	Busy     float64 `json:"bound_busy"` // time of competition between them
}

// Worst is the fate of the job with the greatest bounded stretch, and how full the system was when it came.
type Worst struct {
	timeline.Fate
	Waiting int     `json:"waiting"` // jobs that waited for their start when it was submitted
	Load    float64 `json:"load"`    // summed need of the jobs in the system then, itself included, in clusters
}

// Thinking is how long the policy thought, apart for at most ten jobs in the system and for more, as in section 6.2
// of the report. Times are in seconds.
type Thinking struct {
	Few        int     `json:"few"`
	FewLongest float64 `json:"few_longest"`
	Many       int     `json:"many"`
	ManyTotal  float64 `json:"many_total"`
	Longest    float64 `json:"longest"` // of all
	MostJobs   int     `json:"most_jobs"`
}

// Add merges the times of another trial into d.
func (d *Thinking) Add(o Thinking) {
	d.Few, d.Many, d.ManyTotal = d.Few+o.Few, d.Many+o.Many, d.ManyTotal+o.ManyTotal
	d.FewLongest, d.Longest, d.MostJobs = max(d.FewLongest, o.FewLongest), max(d.Longest, o.Longest), max(d.MostJobs, o.MostJobs)
}

// Measure is one number of a result, with what it is called and in what unit.
type Measure struct {
	Name  string // as in CSV and JSON
	Title string
	About Topic
	Log   bool // differs by orders of magnitude between policies
	Of    func(Result) (value float64, known bool)
}

// Topic is what a measure is about, and so what explains its value.
type Topic uint8

// The topics.
const (
	Waiting      Topic = iota // how long jobs take: explained by the worst-off job
	Use                       // of the nodes
	Rescheduling              // of jobs
)

// Degradation is the maximum stretch over the bound; unknown without a bound.
func Degradation(r Result) (float64, bool) {
	if r.Bound == 0 {
		return 0, false
	}
	return r.MaxBoundedStretch / r.Bound, true
}

func always(of func(sim.Summary) float64) func(Result) (float64, bool) {
	return func(r Result) (float64, bool) { return of(r.Summary), true }
}

// Measures lists what results are compared by.
var Measures = []Measure{
	{"degradation", "degradation from bound", Waiting, true, Degradation},
	{"max_bounded_stretch", "maximum bounded stretch", Waiting, true, always(func(s sim.Summary) float64 { return s.MaxBoundedStretch })},
	{"avg_bounded_stretch", "average bounded stretch", Waiting, true, always(func(s sim.Summary) float64 { return s.AvgBoundedStretch })},
	{"p50_bounded_stretch", "median of the jobs' bounded stretches", Waiting, true, always(func(s sim.Summary) float64 { return s.P50BoundedStretch })},
	{"p90_bounded_stretch", "bounded stretch that 90% of the jobs keep", Waiting, true, always(func(s sim.Summary) float64 { return s.P90BoundedStretch })},
	{"p99_bounded_stretch", "bounded stretch that 99% of the jobs keep", Waiting, true, always(func(s sim.Summary) float64 { return s.P99BoundedStretch })},
	{"avg_turnaround_seconds", "average turn-around, seconds", Waiting, true, always(func(s sim.Summary) float64 { return s.AvgTurnaround })},
	{"p50_turnaround_seconds", "median of the jobs' turn-around, seconds", Waiting, true, always(func(s sim.Summary) float64 { return s.P50Turnaround })},
	{"p90_turnaround_seconds", "turn-around that 90% of the jobs keep, seconds", Waiting, true, always(func(s sim.Summary) float64 { return s.P90Turnaround })},
	{"p99_turnaround_seconds", "turn-around that 99% of the jobs keep, seconds", Waiting, true, always(func(s sim.Summary) float64 { return s.P99Turnaround })},
	{"demand", "demand, as part of the cluster", Use, false, always(func(s sim.Summary) float64 { return s.Demand })},
	{"utilization", "utilization", Use, false, always(func(s sim.Summary) float64 { return s.Utilization })},
	{"normalized_underutilization", "normalized underutilization", Use, false, always(func(s sim.Summary) float64 { return s.NormalizedUnderutilization })},
	{"penalty_underutilization", "normalized underutilization by jobs that paid penalties", Use, false, always(func(s sim.Summary) float64 { return s.PenaltyUnderutilization })},
	{"preemptions_per_hour", "preemptions per hour", Rescheduling, false, always(func(s sim.Summary) float64 { return s.PreemptionsPerHour })},
	{"migrations_per_hour", "migrations per hour", Rescheduling, false, always(func(s sim.Summary) float64 { return s.MigrationsPerHour })},
	{"preemptions_per_job", "preemptions per job", Rescheduling, false, always(func(s sim.Summary) float64 { return s.PreemptionsPerJob })},
	{"migrations_per_job", "migrations per job", Rescheduling, false, always(func(s sim.Summary) float64 { return s.MigrationsPerJob })},
	{"preemption_gb_per_second", "bandwidth of preemptions, GB/s", Rescheduling, false, always(func(s sim.Summary) float64 { return s.PreemptionGBPerSecond })},
	{"migration_gb_per_second", "bandwidth of migrations, GB/s", Rescheduling, false, always(func(s sim.Summary) float64 { return s.MigrationGBPerSecond })},
}

// Named returns the measure of that name, nil if there is none.
func Named(name string) *Measure {
	for i := range Measures {
		if Measures[i].Name == name {
			return &Measures[i]
		}
	}
	return nil
}
