package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"aliquot/sim"
)

// simReport is the result of a simulation, with its run time.
type simReport struct {
	Policy string `json:"policy"`
	Nodes  int    `json:"nodes"`
	sim.Summary
	SkippedJobs   []simSkipped `json:"skipped_jobs,omitempty"`
	Checked       bool         `json:"checked"`
	DecisionTimes *simTimes    `json:"decision_times,omitempty"`
	WallSeconds   *float64     `json:"wall_seconds,omitempty"`
}

type simSkipped struct {
	Job int64  `json:"job"`
	Why string `json:"why"`
}

// simTimes are the times of decisions, with up to ten jobs in the system and with more.
type simTimes struct {
	Few  simTime `json:"up_to_10_jobs"`
	Many simTime `json:"more_jobs"`
}

type simTime struct {
	Count int     `json:"count"`
	Avg   float64 `json:"avg_seconds"`
	Max   float64 `json:"max_seconds"`
}

func timesOf(s sim.Stopwatch) simTime { return simTime{s.Count, s.Mean().Seconds(), s.Max.Seconds()} }

// simTable prints a column for each policy, with the names of the JSON.
func simTable(w io.Writer, reports []simReport) {
	heading := []string{"MEASURE"}
	for _, r := range reports {
		heading = append(heading, r.Policy)
	}
	rows := [][]string{heading}
	for _, m := range simMeasures {
		row := []string{m.name}
		for _, r := range reports {
			row = append(row, simCell(m.value(r)))
		}
		rows = append(rows, row)
	}
	table(w, rows)
	for _, r := range reports {
		showSkipped(w, r.Policy+": ", r.SkippedJobs)
	}
}

func skippedJobs(skipped []sim.Skipped) (jobs []simSkipped) {
	for _, s := range skipped {
		jobs = append(jobs, simSkipped{s.ID, s.Why})
	}
	return jobs
}

// showSkipped lists the first ten skipped jobs with their reasons, each line with a prefix.
func showSkipped(w io.Writer, prefix string, skipped []simSkipped) {
	for i, j := range skipped {
		if i == 10 {
			fmt.Fprintf(w, "%s… and %d more\n", prefix, len(skipped)-i)
			break
		}
		fmt.Fprintf(w, "%sjob %d was skipped: %s\n", prefix, j.Job, j.Why)
	}
}

var simMeasures = []struct {
	name  string
	value func(simReport) any
}{
	{"jobs", func(r simReport) any { return r.Jobs }},
	{"skipped", func(r simReport) any { return r.Skipped }},
	{"max_stretch", func(r simReport) any { return r.MaxStretch }},
	{"avg_stretch", func(r simReport) any { return r.AvgStretch }},
	{"max_bounded_stretch", func(r simReport) any { return r.MaxBoundedStretch }},
	{"avg_bounded_stretch", func(r simReport) any { return r.AvgBoundedStretch }},
	{"p50_bounded_stretch", func(r simReport) any { return r.P50BoundedStretch }},
	{"p90_bounded_stretch", func(r simReport) any { return r.P90BoundedStretch }},
	{"p99_bounded_stretch", func(r simReport) any { return r.P99BoundedStretch }},
	{"max_turnaround_seconds", func(r simReport) any { return r.MaxTurnaround }},
	{"avg_turnaround_seconds", func(r simReport) any { return r.AvgTurnaround }},
	{"p50_turnaround_seconds", func(r simReport) any { return r.P50Turnaround }},
	{"p90_turnaround_seconds", func(r simReport) any { return r.P90Turnaround }},
	{"p99_turnaround_seconds", func(r simReport) any { return r.P99Turnaround }},
	{"demand", func(r simReport) any { return r.Demand }},
	{"utilization", func(r simReport) any { return r.Utilization }},
	{"normalized_underutilization", func(r simReport) any { return r.NormalizedUnderutilization }},
	{"penalty_underutilization", func(r simReport) any { return r.PenaltyUnderutilization }},
	{"preemptions_per_job", func(r simReport) any { return r.PreemptionsPerJob }},
	{"migrations_per_job", func(r simReport) any { return r.MigrationsPerJob }},
	{"preemptions_per_hour", func(r simReport) any { return r.PreemptionsPerHour }},
	{"migrations_per_hour", func(r simReport) any { return r.MigrationsPerHour }},
	{"preemption_gb_per_second", func(r simReport) any { return r.PreemptionGBPerSecond }},
	{"migration_gb_per_second", func(r simReport) any { return r.MigrationGBPerSecond }},
	{"makespan_seconds", func(r simReport) any { return r.Makespan }},
	{"instants", func(r simReport) any { return r.Instants }},
	{"decisions", func(r simReport) any { return r.Decisions }},
	{"wall_seconds", func(r simReport) any { return r.WallSeconds }},
}

// simCell formats a number; a dash if there is none.
func simCell(value any) string {
	switch x := value.(type) {
	case int:
		return strconv.Itoa(x)
	case float64:
		return strings.Replace(strconv.FormatFloat(x, 'f', 3, 64), "-0.000", "0.000", 1)
	case *float64:
		if x != nil {
			return simCell(*x)
		}
	}
	return "-"
}
