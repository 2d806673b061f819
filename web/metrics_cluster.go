package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"aliquot/cluster"
)

// clusterCollector computes metrics from the state on request.
type clusterCollector struct{ manager Manager }

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("aliquot_"+name, help, labels, nil)
}

var (
	jobsGauge  = gauge("jobs", "Jobs that have not ended, by state.", "state")
	tasksGauge = gauge("tasks", "Tasks of jobs that have not ended, by state.", "state")
	movesGauge = gauge("moves", "Moves in progress, by kind.", "kind")
	leastYield = gauge("yield_least",
		"Least yield of the standard jobs that may run, 0 for those without a share; absent if there is none.")
	meanYield      = gauge("yield_mean", "Mean yield of the same jobs; absent if there is none.")
	attentionGauge = gauge("attention", "Issues that need a person's attention, by severity.", "severity")
	storeFree      = gauge("store_free_bytes", "Free space of the store of saved images; absent if there is none.")
	revisionGauge  = gauge("revision", "Revision of this replica's state.")
	leadsGauge     = gauge("leads", "1 if this replica leads.")
	backoffGauge   = gauge("decision_backoff_seconds",
		"Time before the leader decides again on jobs whose decision could not be adopted; 0: none.")
	offersGauge   = gauge("offers", "Offers to jobs that are held and can be accepted.")
	standingGauge = gauge("standing_reservations", "Standing reservations, whose occurrences are submitted as time passes.")
	missingGauge  = gauge("standing_occurrences_missing",
		"Occurrences of standing reservations that have found no room so far.")
	promisesGauge = gauge("promises", "Reservations of jobs, by state: those that are broken are not kept.", "state")

	marginGauge = gauge("deadline_margin",
		"Part of the work of new promises with a deadline for whose length nodes are kept besides, as learnt.")
	thetaGauge = gauge("theta",
		"Limit of the price of every promise, in hours of the CPU of all nodes that are not down; 0: none.")

	clusterDescriptors = []*prometheus.Desc{jobsGauge, tasksGauge, movesGauge, leastYield, meanYield, attentionGauge,
		storeFree, revisionGauge, leadsGauge, backoffGauge, promisesGauge, offersGauge, standingGauge, missingGauge,
		thetaGauge, marginGauge}
)

// The states of jobs and tasks that have not ended, and the kinds of moves. Their metrics are present even if zero.
var (
	jobStates  = []string{"waiting", "dependent", "starting", "running", "pausing", "paused", "moving", "held", "stopping"}
	taskStates = []string{"waiting", "starting", "booting", "running", "frozen", "resizing", "pausing", "paused",
		"resuming", "moving", "stopping", "ended"}
	promiseStates = []string{"promised", "in_force", "over", "broken"}
	moveKinds     = []cluster.MoveKind{cluster.Start, cluster.Stop, cluster.Pause, cluster.Resume, cluster.Migrate,
		cluster.Resize}
)

// Describe sends the descriptions of all metrics.
func (clusterCollector) Describe(to chan<- *prometheus.Desc) {
	for _, list := range [][]*prometheus.Desc{clusterDescriptors, nodeDescriptors, ownerDescriptors, pastDescriptors,
		usageDescriptors} {
		for _, d := range list {
			to <- d
		}
	}
}

// setter sends the value of a gauge.
type setter func(d *prometheus.Desc, value float64, labels ...string)

// Collect computes all metrics from the newest state of this replica.
func (c clusterCollector) Collect(to chan<- prometheus.Metric) {
	v, h := c.manager.Latest(), c.manager.Health()
	set := func(d *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	set(revisionGauge, float64(v.Revision))
	set(leadsGauge, float64(bit(h.Leads)))
	set(backoffGauge, h.Backoff.Seconds())
	if room := v.StoreRoom(); room >= 0 {
		set(storeFree, float64(room))
	}
	collectAttention(v, c.manager, set)
	collectJobs(v, set)
	collectYields(v, set)
	collectPromises(v, set)
	used := c.used(v, h)
	collectNodes(v, c.manager, used, set)
	collectOwners(v, used, set)
	collectPast(c.manager.Tally(), to)
	collectUsage(c.manager.Totals(), to)
}

// used returns the latest samples of all runs; nil on a follower, which has none.
func (c clusterCollector) used(v *cluster.Snapshot, h Health) map[cluster.TaskID]Usage {
	if !h.Leads {
		return nil
	}
	used := map[cluster.TaskID]Usage{}
	for j := range v.Jobs() {
		for i := range j.Tasks {
			task := cluster.TaskID{Job: j.ID, Index: i}
			if u, ok := c.manager.Usage(cluster.RunID{Job: j.ID, Index: i, Number: j.Tasks[i].Run}); ok && j.Tasks[i].Node != 0 {
				used[task] = u
			}
		}
	}
	return used
}

func collectAttention(v *cluster.Snapshot, m Manager, set setter) {
	counts := zeros(severities)
	for _, a := range concerns(v, m) {
		counts[a.Severity]++
	}
	setAll(attentionGauge, counts, set)
}

func collectPromises(v *cluster.Snapshot, set setter) {
	counts := zeros(promiseStates)
	for p := range v.Promised() {
		counts[promiseState(p, v.At)]++
	}
	setAll(promisesGauge, counts, set)
	held := 0
	for range v.Offers() {
		held++
	}
	set(offersGauge, float64(held))
	standing, missing := 0, 0
	for o := range v.Standings() {
		standing, missing = standing+1, missing+len(o.Missing)
	}
	set(standingGauge, float64(standing))
	set(missingGauge, float64(missing))
	set(thetaGauge, v.Theta.Float())
	set(marginGauge, margin(v).Part)
}

func collectJobs(v *cluster.Snapshot, set setter) {
	jobs, tasks, moves := zeros(jobStates), zeros(taskStates), map[string]int{}
	for _, kind := range moveKinds {
		moves[kind.String()] = 0
	}
	for j := range v.Jobs() {
		jobs[stateOf(v, j)]++
		for i := range j.Tasks {
			tasks[taskState(&j.Tasks[i], v.Move(cluster.TaskID{Job: j.ID, Index: i}))]++
		}
	}
	for m := range v.Moves() {
		moves[m.Kind.String()]++
	}
	setAll(jobsGauge, jobs, set)
	setAll(tasksGauge, tasks, set)
	setAll(movesGauge, moves, set)
}

func zeros(labels []string) map[string]int {
	counts := make(map[string]int, len(labels))
	for _, label := range labels {
		counts[label] = 0
	}
	return counts
}

func setAll(d *prometheus.Desc, counts map[string]int, set setter) {
	for label, n := range counts {
		set(d, float64(n), label)
	}
}

func collectYields(v *cluster.Snapshot, set setter) {
	if y := yieldSummary(v); y != nil {
		set(leastYield, y.Least)
		set(meanYield, y.Mean)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
