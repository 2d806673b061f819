package workload

import (
	"cmp"

	"aliquot/cluster"
)

// UnitCPU and UnitMemory are the capacity of one node in a simulation, the fraction 1. The smallest
// fraction that can be written, 0.00001, is then the smallest task that a cluster accepts.
const (
	UnitCPU    = 100 * cluster.Core
	UnitMemory = 1_600_000 * cluster.MiB
)

// ShortTime is the lower bound of run times in bounded stretches (RR-7659, section 2.2), so that jobs
// that fail at once do not dominate.
const ShortTime = 10 * cluster.Second

// MostNodes limits the CPU or memory that a task of a stream may ask for, in nodes. Real logs hold
// tasks larger than a node, which can never run; the user of the stream decides what becomes of them.
// A larger task could not be submitted to a cluster at all.
const MostNodes = 10

// Job is one job of a stream.
type Job struct {
	ID       int64         // as named by the stream
	Submit   cluster.Time  // since the start of the stream
	Tasks    int           // number of identical tasks, at least 1
	Need     cluster.CPU   // of each task
	Memory   cluster.Bytes // of each task
	Runtime  cluster.Time  // at full speed
	Estimate cluster.Time  // the user's estimate of Runtime; 0: none
	User     string        // as named by the stream; empty: unknown
	Priority int64         // higher is more urgent; 0 if the stream has none

	// Of a job that asks for nodes in advance, see Job.Reserved.
	Ready    cluster.Time // earliest start; before Submit: Submit
	Deadline cluster.Time // latest end; 0: none

	FailOnLoss bool          // it fails when a node fails under it; false: it starts again
	Class      cluster.Class // the tiers that it may run in

	// How the job progresses on a node with two tiers, see sim.Tiers. At most one of Rate and Efficiency is set.
	Rate       cluster.Parts // of progress in the background of a busy node; 0: it follows from Efficiency
	Efficiency cluster.Parts // part of the idle CPU that helps it in the background; 0: by its number of tasks
	Loss       cluster.Parts // part of its progress in the foreground that a background neighbour costs
}

// Compare orders jobs by submission, then id.
func (j Job) Compare(o Job) int {
	return cmp.Or(cmp.Compare(j.Submit, o.Submit), cmp.Compare(j.ID, o.ID))
}

// Reserved returns the duration for which the job asks for nodes: its estimate, or its run time if it has none. A job
// that takes longer is cut.
func (j Job) Reserved() cluster.Time {
	if j.Estimate > 0 {
		return j.Estimate
	}
	return j.Runtime
}

// ReadyAt returns the earliest start.
func (j Job) ReadyAt() cluster.Time { return max(j.Ready, j.Submit) }

// Shift returns the job with its submission at another time. Its ready time and deadline move along.
func (j Job) Shift(submit cluster.Time) Job {
	if by := submit - j.Submit; j.Deadline != 0 || j.Ready > j.Submit {
		j.Ready = j.ReadyAt() + by
		if j.Deadline != 0 {
			j.Deadline += by
		}
	}
	j.Submit = submit
	return j
}
