package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"aliquot/manager/past"
)

// The leader counts usage, from its own start on; the sum over all managers is the cluster's.
var (
	usageCPU = gauge("usage_core_seconds_total",
		"CPU of the jobs of an owner since this manager's start, while it led: granted, and used by their VMs as measured. Owners beyond a thousand share *.",
		"owner", "what")
	usageWaited = gauge("usage_waited_job_seconds_total",
		"Time for which jobs of an owner that may run waited or were paused, since this manager's start, while it led.", "owner")

	usageDescriptors = []*prometheus.Desc{usageCPU, usageWaited}
)

func collectUsage(totals past.Total, to chan<- prometheus.Metric) {
	count := func(d *prometheus.Desc, x float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, x, labels...)
	}
	for owner, had := range totals {
		count(usageCPU, had.Granted, owner, "granted")
		count(usageCPU, had.Used, owner, "used")
		count(usageWaited, had.Waited, owner)
	}
}
