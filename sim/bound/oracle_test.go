package bound

import (
	"cmp"
	"math"
	"slices"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/packing/linear"
	"aliquot/workload"
)

// The oracles below share nothing with the search. They restate the problem in seconds and nodes and solve it by
// enumeration, by the rule for one machine, or as the linear program.

// plain is a job in seconds and nodes.
type plain struct{ release, length, span, rate float64 }

func plainly(jobs []workload.Job) []plain {
	out := make([]plain, len(jobs))
	for i, j := range jobs {
		p := j.Runtime.Seconds()
		out[i] = plain{j.Submit.Seconds(), p, max(p, 10), float64(j.Tasks) * float64(j.Need) / float64(workload.UnitCPU)}
	}
	return out
}

func (p plain) deadline(stretch float64) float64 { return p.release + stretch*p.span }

func (p plain) allowed(from, to, stretch float64) bool {
	return p.release <= from && to <= p.deadline(stretch)
}

// intervals returns the intervals between consecutive releases and deadlines.
func intervals(jobs []plain, stretch float64) [][2]float64 {
	var dates []float64
	for _, j := range jobs {
		dates = append(dates, j.release, j.deadline(stretch))
	}
	slices.Sort(dates)
	dates = slices.Compact(dates)
	var out [][2]float64
	for i := 1; i < len(dates); i++ {
		out = append(out, [2]float64{dates[i-1], dates[i]})
	}
	return out
}

// shortage returns the work of the jobs minus the capacity of the nodes in the jobs' windows.
func shortage(jobs []plain, nodes int, stretch float64) float64 {
	sum := 0.0
	for _, j := range jobs {
		sum += j.rate * j.length
	}
	for _, t := range intervals(jobs, stretch) {
		rate := 0.0
		for _, j := range jobs {
			if j.allowed(t[0], t[1], stretch) {
				rate += j.rate
			}
		}
		sum -= min(rate, float64(nodes)) * (t[1] - t[0])
	}
	return sum
}

// bisect returns the least stretch, at least 1, that is possible.
func bisect(possible func(stretch float64) bool) float64 {
	low, high := 1.0, 1.0
	for !possible(high) {
		low, high = high, 2*high
	}
	for high-low > 1e-9*low {
		if middle := (low + high) / 2; possible(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// bySubsets returns the optimum by the theorem on minimum cuts: no set of jobs may be short.
func bySubsets(jobs []plain, nodes int) float64 {
	worst := 1.0
	for set := range 1 << len(jobs) {
		var some []plain
		for i, j := range jobs {
			if set>>i&1 == 1 {
				some = append(some, j)
			}
		}
		worst = max(worst, bisect(func(s float64) bool { return shortage(some, nodes, s) < 1e-7 }))
	}
	return worst
}

// byEarliestDeadline returns the optimum on one node that every job could use alone: there, the job with the earliest
// deadline always goes first.
func byEarliestDeadline(jobs []plain) float64 {
	return bisect(func(stretch float64) bool {
		left := slices.Clone(jobs)
		slices.SortFunc(left, func(a, b plain) int { return cmp.Compare(a.deadline(stretch), b.deadline(stretch)) })
		now := 0.0
		for len(left) > 0 {
			at, next := -1, math.Inf(1)
			for i, j := range left {
				if j.release > now {
					next = min(next, j.release)
				} else if at < 0 {
					at = i
				}
			}
			if at < 0 {
				now = next
				continue
			}
			runs := min(left[at].length, next-now)
			now += runs
			if left[at].length -= runs; left[at].length > 1e-9 {
				continue
			}
			if now > left[at].deadline(stretch)+1e-6 {
				return false
			}
			left = slices.Delete(left, at, at+1)
		}
		return true
	})
}

// byLinearProgram reports whether system (1) has a solution: it maximizes the work done.
func byLinearProgram(jobs []plain, nodes int, stretch float64) bool {
	times := intervals(jobs, stretch)
	var program linear.Program
	total := 0.0
	for _, j := range jobs {
		program.Limits = append(program.Limits, j.length)
		total += j.rate * j.length
	}
	for t, time := range times {
		program.Limits = append(program.Limits, float64(nodes)*(time[1]-time[0]))
		for i, j := range jobs {
			if j.allowed(time[0], time[1], stretch) {
				program.Columns = append(program.Columns, linear.Column{
					Gain: j.rate, Most: time[1] - time[0],
					Entries: []linear.Entry{{Row: i, Value: 1}, {Row: len(jobs) + t, Value: j.rate}},
				})
			}
		}
	}
	work, err := program.Maximum()
	if err != nil {
		panic(err)
	}
	done := 0.0
	for k, c := range program.Columns {
		done += c.Gain * work[k]
	}
	return done > total-1e-5
}

// drawJobs draws a few jobs that compete with each other.
func drawJobs(t *rapid.T, most int) []workload.Job {
	jobs := make([]workload.Job, rapid.IntRange(1, most).Draw(t, "jobs"))
	for i := range jobs {
		jobs[i] = workload.Job{
			ID:      int64(i + 1),
			Submit:  cluster.Time(rapid.IntRange(0, 600).Draw(t, "submit/100ms")) * cluster.Second / 10,
			Tasks:   rapid.IntRange(1, 4).Draw(t, "tasks"),
			Need:    rapid.SampledFrom([]cluster.CPU{500, 10_000, 25_000, 33_333, 50_000, 100_000}).Draw(t, "need"),
			Runtime: cluster.Time(rapid.IntRange(5, 600).Draw(t, "runtime/100ms")) * cluster.Second / 10,
		}
	}
	return jobs
}
