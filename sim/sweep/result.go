package sweep

import "aliquot/sim/timeline"

// Result is what a trial came to. Times measured with a clock are zero if there was none.
type Result struct {
	Trial
	Jobs       int     `json:"jobs"`
	Skipped    []int64 `json:"skipped_jobs,omitempty"` // ids of those that could never run; they are not among Jobs, nor in the bound
	Checked    bool    `json:"checked,omitempty"`      // the schedule was verified
	MaxStretch float64 `json:"max_bounded_stretch"`
	AvgStretch float64 `json:"avg_bounded_stretch"`
	Bottleneck
	Underutilization    float64   `json:"normalized_underutilization"`
	PreemptionsPerHour  float64   `json:"preemptions_per_hour"`
	MigrationsPerHour   float64   `json:"migrations_per_hour"`
	PreemptionsPerJob   float64   `json:"preemptions_per_job"`
	MigrationsPerJob    float64   `json:"migrations_per_job"`
	PreemptionBandwidth float64   `json:"preemption_gb_per_second"`
	MigrationBandwidth  float64   `json:"migration_gb_per_second"`
	Worst               Worst     `json:"worst"`
	Decisions           Decisions `json:"decisions"`
	Seconds             float64   `json:"wall_seconds"` // that the simulation took
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

// Decisions is how long the policy thought, apart for at most ten jobs in the system and for more, as in section 6.2
// of the report. Times are in seconds.
type Decisions struct {
	Few        int     `json:"few"`
	FewLongest float64 `json:"few_longest"`
	Many       int     `json:"many"`
	ManyTotal  float64 `json:"many_total"`
	Longest    float64 `json:"longest"` // of all
	MostJobs   int     `json:"most_jobs"`
}

// Add merges the decisions of another trial into d.
func (d *Decisions) Add(o Decisions) {
	d.Few, d.Many, d.ManyTotal = d.Few+o.Few, d.Many+o.Many, d.ManyTotal+o.ManyTotal
	d.FewLongest, d.Longest, d.MostJobs = max(d.FewLongest, o.FewLongest), max(d.Longest, o.Longest), max(d.MostJobs, o.MostJobs)
}

// Measure is one number of a result, with what it is called and in what unit.
type Measure struct {
	Name  string // as in CSV and JSON
	Title string
	Log   bool // differs by orders of magnitude between policies
	Of    func(Result) (value float64, known bool)
}

// Degradation is the maximum stretch over the bound; unknown without a bound.
func Degradation(r Result) (float64, bool) {
	if r.Bound == 0 {
		return 0, false
	}
	return r.MaxStretch / r.Bound, true
}

func always(of func(Result) float64) func(Result) (float64, bool) {
	return func(r Result) (float64, bool) { return of(r), true }
}

// Measures lists what results are compared by.
var Measures = []Measure{
	{"degradation", "degradation from bound", true, Degradation},
	{"max_bounded_stretch", "maximum bounded stretch", true, always(func(r Result) float64 { return r.MaxStretch })},
	{"avg_bounded_stretch", "average bounded stretch", true, always(func(r Result) float64 { return r.AvgStretch })},
	{"normalized_underutilization", "normalized underutilization", false, always(func(r Result) float64 { return r.Underutilization })},
	{"preemptions_per_hour", "preemptions per hour", false, always(func(r Result) float64 { return r.PreemptionsPerHour })},
	{"migrations_per_hour", "migrations per hour", false, always(func(r Result) float64 { return r.MigrationsPerHour })},
	{"preemptions_per_job", "preemptions per job", false, always(func(r Result) float64 { return r.PreemptionsPerJob })},
	{"migrations_per_job", "migrations per job", false, always(func(r Result) float64 { return r.MigrationsPerJob })},
	{"preemption_gb_per_second", "bandwidth of preemptions, GB/s", false, always(func(r Result) float64 { return r.PreemptionBandwidth })},
	{"migration_gb_per_second", "bandwidth of migrations, GB/s", false, always(func(r Result) float64 { return r.MigrationBandwidth })},
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
