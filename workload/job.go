package workload

import (
	"cmp"

	"aliquot/cluster"
)

// What the fraction 1 of a node is: a node of a simulation has this much. The smallest
// fraction that can be written, 0.00001, is then the smallest task that a cluster takes.
const (
	UnitCPU    = 100 * cluster.Core
	UnitMemory = 1_600_000 * cluster.MiB
)

// ShortTime is what shorter times count as in bounded stretches (RR-7659, section 2.2), so that jobs that
// fail at once do not dominate.
const ShortTime = 10 * cluster.Second

// MostNodes is how many nodes' CPU or memory a task may ask for in a stream, although none
// larger than its node can run: real logs hold such tasks, and whoever uses the stream says
// what becomes of them. No more would be a task that a cluster takes.
const MostNodes = 10

// Job is one job of a stream.
type Job struct {
	ID       int64        // as the stream names it
	Submit   cluster.Time // since the begin of the stream
	Tasks    int
	Need     cluster.CPU   // of each task
	Memory   cluster.Bytes // of each task
	Runtime  cluster.Time  // at full speed
	Estimate cluster.Time  // what the user said that Runtime would be; 0: nothing
	User     string        // as the stream names them; empty: unknown
	Priority int64         // the higher, the more urgent; 0 where the stream says nothing
}

// Compare orders jobs by submission, then id.
func (j Job) Compare(o Job) int {
	return cmp.Or(cmp.Compare(j.Submit, o.Submit), cmp.Compare(j.ID, o.ID))
}
