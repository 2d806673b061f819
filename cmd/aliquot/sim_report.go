package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
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
	Workflows     []simFlow    `json:"workflows,omitempty"`

	ends map[int64]cluster.Time // of the jobs that have succeeded, by the stream's ids
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
		if !m.rare || slices.ContainsFunc(row[1:], func(cell string) bool { return cell != "0" && cell != "-" }) {
			rows = append(rows, row)
		}
	}
	table(w, rows)
	flowTable(w, reports)
	for _, r := range reports {
		showSkipped(w, r.Policy+": ", r.SkippedJobs)
	}
}

func skippedJobs(skipped []sim.Skipped) (jobs []simSkipped) {
	for _, s := range skipped {
		if !s.Declined { // the usual answer to a reservation that finds no room; --jobs lists all
			jobs = append(jobs, simSkipped{s.ID, s.Why})
		}
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

// measure is a row of the table.
type measure struct {
	name  string
	value func(simReport) any
	rare  bool // omitted where it is 0 or there is none under all policies
}

var simMeasures = []measure{
	{name: "jobs", value: func(r simReport) any { return r.Jobs }},
	{name: "skipped", value: func(r simReport) any { return r.Skipped }},
	{name: "stopped", value: func(r simReport) any { return r.Stopped }, rare: true},
	{name: "kills", value: func(r simReport) any { return r.Kills }, rare: true},
	reservation("accepted", func(r *sim.Reservations) any { return r.Accepted }),
	reservation("accepted_work", func(r *sim.Reservations) any { return r.AcceptedWork }),
	reservation("accepted_wide", func(r *sim.Reservations) any { return r.AcceptedWide }),
	reservation("missed", func(r *sim.Reservations) any { return r.Missed }),
	reservation("avg_slowdown", func(r *sim.Reservations) any { return r.AvgSlowdown }),
	{name: "max_stretch", value: func(r simReport) any { return r.MaxStretch }},
	{name: "avg_stretch", value: func(r simReport) any { return r.AvgStretch }},
	{name: "max_bounded_stretch", value: func(r simReport) any { return r.MaxBoundedStretch }},
	{name: "avg_bounded_stretch", value: func(r simReport) any { return r.AvgBoundedStretch }},
	{name: "p50_bounded_stretch", value: func(r simReport) any { return r.P50BoundedStretch }},
	{name: "p90_bounded_stretch", value: func(r simReport) any { return r.P90BoundedStretch }},
	{name: "p99_bounded_stretch", value: func(r simReport) any { return r.P99BoundedStretch }},
	{name: "max_turnaround_seconds", value: func(r simReport) any { return r.MaxTurnaround }},
	{name: "avg_turnaround_seconds", value: func(r simReport) any { return r.AvgTurnaround }},
	{name: "p50_turnaround_seconds", value: func(r simReport) any { return r.P50Turnaround }},
	{name: "p90_turnaround_seconds", value: func(r simReport) any { return r.P90Turnaround }},
	{name: "p99_turnaround_seconds", value: func(r simReport) any { return r.P99Turnaround }},
	{name: "demand", value: func(r simReport) any { return r.Demand }},
	{name: "utilization", value: func(r simReport) any { return r.Utilization }},
	{name: "normalized_underutilization", value: func(r simReport) any { return r.NormalizedUnderutilization }},
	{name: "penalty_underutilization", value: func(r simReport) any { return r.PenaltyUnderutilization }},
	{name: "preemptions_per_job", value: func(r simReport) any { return r.PreemptionsPerJob }},
	{name: "migrations_per_job", value: func(r simReport) any { return r.MigrationsPerJob }},
	{name: "preemptions_per_hour", value: func(r simReport) any { return r.PreemptionsPerHour }},
	{name: "migrations_per_hour", value: func(r simReport) any { return r.MigrationsPerHour }},
	{name: "preemption_gb_per_second", value: func(r simReport) any { return r.PreemptionGBPerSecond }},
	{name: "migration_gb_per_second", value: func(r simReport) any { return r.MigrationGBPerSecond }},
	{name: "makespan_seconds", value: func(r simReport) any { return r.Makespan }},
	{name: "instants", value: func(r simReport) any { return r.Instants }},
	{name: "decisions", value: func(r simReport) any { return r.Decisions }},
	{name: "wall_seconds", value: func(r simReport) any { return r.WallSeconds }},
}

// reservation is a row about jobs with deadlines, omitted where there are none.
func reservation(name string, of func(*sim.Reservations) any) measure {
	return measure{name: name, rare: true, value: func(r simReport) any {
		if r.Reservations == nil {
			return nil
		}
		return of(r.Reservations)
	}}
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
