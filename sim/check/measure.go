package check

import (
	"cmp"
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// nodeGigabytes is the memory of a node when amounts of memory are in GB.
const nodeGigabytes = 8

// measures verifies the summary. It integrates over the jobs' dates and spans, whereas the simulation keeps running
// sums; it counts the values below a percentile, whereas the summary sorts.
func (c *checker) measures(result sim.Result, got sim.Summary, spans []sim.Span) {
	if got.Jobs != len(result.Jobs) || got.Skipped != len(result.Skipped) {
		c.fail("the summary counts %d jobs and %d skipped ones, but there are %d and %d", got.Jobs, got.Skipped,
			len(result.Jobs), len(result.Skipped))
	}
	if len(result.Jobs) == 0 {
		return
	}
	var capacity, work, stood float64
	for _, n := range c.setup.Nodes {
		capacity += float64(n.CPU)
	}
	tasks := map[int64]int{}
	first, last := result.Jobs[0].Submit, cluster.Time(0)
	present := slices.Clone(result.Jobs)
	for _, o := range result.Jobs {
		work += float64(o.Tasks) * float64(o.Need) * o.Runtime.Seconds()
	}
	for _, s := range result.Stopped {
		present = append(present, s.Outcome)
	}
	kills := 0
	for _, o := range present {
		tasks[o.ID] = o.Tasks
		first, last = min(first, o.Submit), max(last, o.Ended)
		kills += o.Kills
	}
	if got.Stopped != len(result.Stopped) || got.Kills != kills {
		c.fail("%d stopped jobs and %d kills are told, but there are %d and %d",
			got.Stopped, got.Kills, len(result.Stopped), kills)
	}
	for _, s := range spans {
		if s.Paying {
			stood += float64(tasks[s.Job]) * float64(s.Share) * (s.To - s.From).Seconds()
		}
	}
	whole, jobs, wanted := (last - first).Seconds(), float64(len(result.Jobs)), c.wanted(present)
	c.fates(result.Jobs, got)
	c.compare([]comparison{
		{"the time from the first submission to the last end", got.Makespan, whole},
		{"the demand", got.Demand, wanted / capacity / whole},
		{"the utilization", got.Utilization, work / capacity / whole},
		{"the normalized underutilization", got.NormalizedUnderutilization, (wanted - work) / work},
		{"the underutilization by penalties", got.PenaltyUnderutilization, stood / work},
		{"the number of preemptions per job", got.PreemptionsPerJob, float64(c.preemptions) / jobs},
		{"the number of migrations per job", got.MigrationsPerJob, float64(c.migrations) / jobs},
		{"the number of preemptions per hour", got.PreemptionsPerHour, float64(c.preemptions) / whole * 3600},
		{"the number of migrations per hour", got.MigrationsPerHour, float64(c.migrations) / whole * 3600},
		{"the bandwidth of preemptions", got.PreemptionGBPerSecond, c.resumed / whole},
		{"the bandwidth of migrations", got.MigrationGBPerSecond, c.moved / whole},
	})
}

// comparison is a measure with its value in the summary and its true value.
type comparison struct {
	name      string
	got, want float64
}

// near reports whether two sums are equal apart from the order of summation.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func (c *checker) compare(measures []comparison) {
	for _, m := range measures {
		if !near(m.got, m.want) {
			c.fail("%s is reported as %g, but is %g", m.name, m.got, m.want)
		}
	}
}

// wanted returns the CPU time that jobs could have used, in millicore-seconds. It counts the jobs in the system that
// are not held, and the nodes that are up and do not drain.
func (c *checker) wanted(jobs []sim.Outcome) (sum float64) {
	type change struct {
		at           cluster.Time
		need, offers float64
	}
	var changes []change
	for _, o := range jobs {
		need := float64(o.Tasks) * float64(o.Need)
		changes = append(changes, change{o.Since(), need, 0}, change{o.Ended, -need, 0})
		held := false
		for _, e := range c.events {
			if e.of(o.ID) && e.At < o.Ended && held != (e.Kind == workload.JobHeld) {
				held = !held
				changes = append(changes, change{e.At, need * sign(!held), 0})
			}
		}
		if held {
			changes = append(changes, change{o.Ended, need, 0})
		}
	}
	offered := 0.0
	for i, n := range c.setup.Nodes {
		up := n.Condition != cluster.NodeLeaving
		if up {
			offered += float64(n.CPU)
		}
		for _, e := range c.events {
			if e.node == cluster.NodeID(i+1) && e.Kind != workload.NodeSpeeds && up != (e.Kind == workload.NodeReturns) {
				up = !up
				changes = append(changes, change{e.At, 0, float64(n.CPU) * sign(up)})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	demand, last := 0.0, cluster.Time(0)
	for _, x := range changes {
		sum += min(demand, offered) * (x.at - last).Seconds()
		demand, offered, last = demand+x.need, offered+x.offers, x.at
	}
	return sum
}

func sign(plus bool) float64 {
	if plus {
		return 1
	}
	return -1
}

// gigabytes returns the memory of a number of tasks of the job.
func gigabytes(j workload.Job, tasks int) float64 {
	return float64(tasks) * float64(j.Memory) * nodeGigabytes / float64(workload.UnitMemory)
}
