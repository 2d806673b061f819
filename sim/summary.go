package sim

import (
	"math"
	"slices"

	"aliquot/cluster"
)

// Summary is a stream's result in a few numbers. Times are in seconds. Demand and utilization are averages from the
// first submission to the last end, as fractions of all CPU. Amounts of memory are those of the resumed and moved
// tasks, each counted once; a node has 8 GB.
type Summary struct {
	Jobs              int     `json:"jobs"`
	Skipped           int     `json:"skipped"`
	MaxStretch        float64 `json:"max_stretch"`
	AvgStretch        float64 `json:"avg_stretch"`
	MaxBoundedStretch float64 `json:"max_bounded_stretch"`
	AvgBoundedStretch float64 `json:"avg_bounded_stretch"`
	P50BoundedStretch float64 `json:"p50_bounded_stretch"`
	P90BoundedStretch float64 `json:"p90_bounded_stretch"`
	P99BoundedStretch float64 `json:"p99_bounded_stretch"`
	MaxTurnaround     float64 `json:"max_turnaround_seconds"`
	AvgTurnaround     float64 `json:"avg_turnaround_seconds"`
	P50Turnaround     float64 `json:"p50_turnaround_seconds"`
	P90Turnaround     float64 `json:"p90_turnaround_seconds"`
	P99Turnaround     float64 `json:"p99_turnaround_seconds"`

	Demand                     float64 `json:"demand"`
	Utilization                float64 `json:"utilization"`
	NormalizedUnderutilization float64 `json:"normalized_underutilization"`
	PenaltyUnderutilization    float64 `json:"penalty_underutilization"` // the part of it that jobs held while they paid

	PreemptionsPerJob     float64 `json:"preemptions_per_job"`
	MigrationsPerJob      float64 `json:"migrations_per_job"`
	PreemptionsPerHour    float64 `json:"preemptions_per_hour"`
	MigrationsPerHour     float64 `json:"migrations_per_hour"`
	PreemptionGBPerSecond float64 `json:"preemption_gb_per_second"`
	MigrationGBPerSecond  float64 `json:"migration_gb_per_second"`

	Makespan  float64 `json:"makespan_seconds"` // from the first submission to the last end
	Instants  int     `json:"instants"`
	Decisions int     `json:"decisions"`

	Stopped int `json:"stopped,omitempty"` // number of jobs that ended before their work was done
	Kills   int `json:"kills,omitempty"`   // number of times that jobs lost their work

	Reservations *Reservations `json:"reservations,omitempty"` // nil: no job has a deadline
}

// Summary summarises the jobs; without jobs it is zero.
func (r Result) Summary() Summary {
	s := Summary{
		Jobs: len(r.Jobs), Skipped: len(r.Skipped), Stopped: len(r.Stopped), Instants: r.Instants, Decisions: r.Decisions,
	}
	s.Reservations = r.reservations()
	if s.Jobs == 0 {
		return s
	}
	first, last := never, cluster.Time(0)
	bounded, turnaround := make([]float64, s.Jobs), make([]float64, s.Jobs)
	preemptions, migrations, work := 0, 0, 0.0
	for i, o := range r.Jobs {
		s.MaxStretch = max(s.MaxStretch, o.Stretch())
		s.AvgStretch += o.Stretch() / float64(s.Jobs)
		bounded[i], turnaround[i] = o.BoundedStretch(), o.Turnaround().Seconds()
		preemptions += o.Preemptions
		migrations += o.Migrations
		work += o.Work()
		first, last = min(first, o.Submit), max(last, o.Ended)
		s.Kills += o.Kills
	}
	for _, o := range r.Stopped {
		first, last = min(first, o.Submit), max(last, o.Ended)
		s.Kills += o.Kills
	}
	s.AvgBoundedStretch, s.P50BoundedStretch, s.P90BoundedStretch, s.P99BoundedStretch, s.MaxBoundedStretch = distribution(
		bounded)
	s.AvgTurnaround, s.P50Turnaround, s.P90Turnaround, s.P99Turnaround, s.MaxTurnaround = distribution(turnaround)
	s.Makespan = (last - first).Seconds()
	s.Demand = r.wanted / (float64(r.capacity) * s.Makespan)
	s.Utilization = work / (float64(r.capacity) * s.Makespan)
	s.NormalizedUnderutilization, s.PenaltyUnderutilization = r.wanted/work-1, r.stood/work
	s.PreemptionsPerJob, s.PreemptionsPerHour = float64(preemptions)/float64(s.Jobs), float64(preemptions)/s.Makespan*3600
	s.MigrationsPerJob, s.MigrationsPerHour = float64(migrations)/float64(s.Jobs), float64(migrations)/s.Makespan*3600
	s.PreemptionGBPerSecond, s.MigrationGBPerSecond = r.resumed/s.Makespan, r.moved/s.Makespan
	return s
}

// distribution sorts and describes the values, of which there must be at least one.
func distribution(values []float64) (mean, p50, p90, p99, most float64) {
	slices.Sort(values)
	for _, v := range values {
		mean += v / float64(len(values))
	}
	return mean, percentile(values, 0.5), percentile(values, 0.9), percentile(values, 0.99), values[len(values)-1]
}

// percentile returns the least sorted value that is not below the given part of the values.
func percentile(sorted []float64, part float64) float64 {
	return sorted[max(0, int(math.Ceil(part*float64(len(sorted))))-1)]
}
