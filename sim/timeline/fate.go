package timeline

import (
	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// Fate is the outcome of a job and the division of its time. Times are in seconds; dates are on the trace's clock.
type Fate struct {
	Job         int64   `json:"job"`
	Tasks       int     `json:"tasks"`
	Need        float64 `json:"cpu"` // need of each task, as a fraction of a node
	Memory      float64 `json:"mem"`
	Runtime     float64 `json:"runtime"`
	Submit      float64 `json:"submit"`
	Start       float64 `json:"start"`
	End         float64 `json:"end"`
	Paused      float64 `json:"paused"` // total after its start
	Paying      float64 `json:"paying"` // time without progress during a penalty
	Preemptions int     `json:"preemptions"`
	Migrations  int     `json:"migrations"`
	Stretch     float64 `json:"bounded_stretch"`
}

// Slowed returns how much longer the job ran because its shares were below its need.
func (f Fate) Slowed() float64 { return f.End - f.Start - f.Paused - f.Paying - f.Runtime }

// Holdings maps jobs to the time that they held something and to the part of it spent on penalties. sim.Setup calls
// Add.
type Holdings map[int64]holding

type holding struct{ all, paying cluster.Time }

// Add adds a span of a job.
func (h Holdings) Add(s sim.Span) {
	held := h[s.Job]
	held.all += s.To - s.From
	if s.Paying {
		held.paying += s.To - s.From
	}
	h[s.Job] = held
}

// Fate returns the fate of a job that ended.
func (h Holdings) Fate(o sim.Outcome) Fate {
	return Fate{
		Job: o.ID, Tasks: o.Tasks, Need: float64(o.Need) / float64(workload.UnitCPU),
		Memory:  float64(o.Memory) / float64(workload.UnitMemory),
		Runtime: o.Runtime.Seconds(), Submit: o.Submit.Seconds(), Start: o.Started.Seconds(), End: o.Ended.Seconds(),
		Paused: (o.Ended - o.Started - h[o.ID].all).Seconds(), Paying: h[o.ID].paying.Seconds(),
		Preemptions: o.Preemptions, Migrations: o.Migrations, Stretch: o.BoundedStretch(),
	}
}
