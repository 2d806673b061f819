package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"aliquot/cluster"
	"aliquot/manager/past"
)

// Every manager counts what happens in the cluster, from its own start on.
var (
	jobsEnded = gauge("jobs_ended_total",
		"Jobs that ended since this manager's start, by outcome and first cause; every manager counts all jobs.",
		"outcome", "cause")
	movesDone   = gauge("moves_total", "Moves that were completed since this manager's start, by kind.", "kind")
	movesFailed = gauge("moves_failed_total",
		"Moves that failed since this manager's start, by kind and first cause.", "kind", "cause")
	runsLost = gauge("runs_lost_total", "Runs that were lost since this manager's start, by first cause.", "cause")

	pastDescriptors = []*prometheus.Desc{jobsEnded, movesDone, movesFailed, runsLost}
)

func collectPast(counts map[past.Counted]uint64, to chan<- prometheus.Metric) {
	count := func(d *prometheus.Desc, n uint64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	for c, n := range counts {
		switch c.Event {
		case cluster.JobEnding:
			count(jobsEnded, n, c.Of, string(c.Cause))
		case cluster.MoveFailed:
			count(movesFailed, n, c.Of, string(c.Cause))
		case cluster.TaskLost:
			count(runsLost, n, string(c.Cause))
		}
	}
	for _, kind := range moveKinds {
		count(movesDone, past.Completed(counts, kind), kind.String())
	}
}
