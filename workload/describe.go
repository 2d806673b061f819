package workload

import (
	"math"
	"math/bits"
	"slices"
)

// Description summarises a stream. Shares are fractions of all jobs.
type Description struct {
	Jobs      int      `json:"jobs"`
	Tasks     int      `json:"tasks"`
	Users     int      `json:"users"`
	Days      float64  `json:"days"`       // from the first to the last submission
	NodeHours float64  `json:"node_hours"` // work if every task takes a whole node
	CPUHours  float64  `json:"cpu_hours"`  // work if every task takes its need
	Nodes     int      `json:"nodes"`
	Load      *float64 `json:"load"` // nil without a number of nodes, or if all jobs are submitted at once
	Serial    float64  `json:"serial_share"`
	PowerOf2  float64  `json:"power_of_2_share"` // jobs of one task included
	Estimated float64  `json:"estimated_share"`

	Gap     Spread `json:"gap_seconds"` // between submissions
	Size    Spread `json:"tasks_per_job"`
	Need    Spread `json:"cpu_per_task"`
	Memory  Spread `json:"mem_per_task"`
	Runtime Spread `json:"runtime_seconds"`
}

// Spread summarises the distribution of a quantity.
type Spread struct {
	Min    float64 `json:"min"`
	P10    float64 `json:"p10"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	P90    float64 `json:"p90"`
	Max    float64 `json:"max"`
}

// Describe summarises a stream, which must be ordered by submission, for a number of nodes. Without
// jobs the description is zero.
func Describe(jobs []Job, nodes int) Description {
	d := Description{Jobs: len(jobs), Nodes: nodes}
	if len(jobs) == 0 {
		return d
	}
	users := map[string]bool{}
	for _, j := range jobs {
		hours := float64(j.Tasks) * j.Runtime.Seconds() / 3600
		d.Tasks += j.Tasks
		d.NodeHours += hours
		d.CPUHours += hours * float64(j.Need) / float64(UnitCPU)
		d.Serial += share(j.Tasks == 1, len(jobs))
		d.PowerOf2 += share(bits.OnesCount(uint(j.Tasks)) == 1, len(jobs))
		d.Estimated += share(j.Estimate > 0, len(jobs))
		if j.User != "" {
			users[j.User] = true
		}
	}
	first, last := span(jobs)
	d.Users, d.Days = len(users), (last-first).Seconds()/86400
	if load := Load(jobs, nodes); !math.IsInf(load, 0) {
		d.Load = &load
	}
	of := func(quantity func(i int) float64) Spread {
		values := make([]float64, len(jobs))
		for i := range values {
			values[i] = quantity(i)
		}
		return spread(values)
	}
	d.Gap = of(func(i int) float64 { return (jobs[i].Submit - jobs[max(0, i-1)].Submit).Seconds() })
	d.Size = of(func(i int) float64 { return float64(jobs[i].Tasks) })
	d.Need = of(func(i int) float64 { return float64(jobs[i].Need) / float64(UnitCPU) })
	d.Memory = of(func(i int) float64 { return float64(jobs[i].Memory) / float64(UnitMemory) })
	d.Runtime = of(func(i int) float64 { return jobs[i].Runtime.Seconds() })
	return d
}

func share(is bool, of int) float64 {
	if is {
		return 1 / float64(of)
	}
	return 0
}

func spread(values []float64) Spread {
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	at := func(q float64) float64 { return values[max(0, int(math.Ceil(q*float64(len(values))))-1)] }
	return Spread{
		Min: values[0], P10: at(0.1), Median: at(0.5), Mean: sum / float64(len(values)), P90: at(0.9),
		Max: values[len(values)-1],
	}
}
