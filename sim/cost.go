package sim

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/workload"
)

// Cost is how long a rescheduled job stands still. A new penalty replaces one that is still being paid.
type Cost interface {
	Resume(j *workload.Job) cluster.Time          // after a gap
	Move(j *workload.Job, tasks int) cluster.Time // after so many tasks changed nodes without a gap
}

// Constant is the cost model of the report: the penalty is the same whatever moves (RR-7659, section 5.1).
type Constant cluster.Time

// Resume returns the penalty.
func (c Constant) Resume(*workload.Job) cluster.Time { return cluster.Time(c) }

// Move returns the penalty.
func (c Constant) Move(*workload.Job, int) cluster.Time { return cluster.Time(c) }

// Bandwidth is the cost model in which all moved memory is written to the store and read back. The bandwidth is in GB/s
// per job; a node has 8 GB.
type Bandwidth float64

// Resume returns the time to write and read all memory of the job.
func (b Bandwidth) Resume(j *workload.Job) cluster.Time { return b.Move(j, j.Tasks) }

// Move returns the time to write and read the memory of the moved tasks.
func (b Bandwidth) Move(j *workload.Job, tasks int) cluster.Time {
	return cluster.Time(2 * gigabytes(j, tasks) / float64(b) * float64(cluster.Second))
}

// Live is the cost model in which moves are live migrations, during which a job stands still for a short time only; a
// paused job is resumed through the store.
type Live struct {
	Pause cluster.Time
	Store Bandwidth
}

// Resume returns the time to write and read all memory of the job.
func (l Live) Resume(j *workload.Job) cluster.Time { return l.Store.Resume(j) }

// Move returns the short pause.
func (l Live) Move(*workload.Job, int) cluster.Time { return l.Pause }

// nodeGigabytes is the memory of a node in models that count memory in GB.
const nodeGigabytes = 8

// gigabytes returns the memory of the given number of tasks of the job.
func gigabytes(j *workload.Job, tasks int) float64 {
	return float64(tasks) * float64(j.Memory) / float64(workload.UnitMemory) * nodeGigabytes
}

// storeBandwidth is the report's bandwidth, which it calls conservative (section 5.1, footnote).
const storeBandwidth Bandwidth = 10

// ParseCost parses a cost model: "constant" with the given penalty, "memory" or "memory=10" with a bandwidth in GB/s,
// "live" or "live=1s" with a pause, "moves" or "moves=10" with a bandwidth.
func ParseCost(text string, penalty cluster.Time) (Cost, error) {
	name, value, given := strings.Cut(text, "=")
	switch {
	case name == "constant" && !given:
		return Constant(penalty), nil
	case name == "memory" && !given:
		return storeBandwidth, nil
	case name == "memory":
		rate, err := bandwidth(text, value)
		return rate, err
	case name == "moves" && !given:
		return PlannedMoves(storeBandwidth), nil
	case name == "moves":
		rate, err := bandwidth(text, value)
		return PlannedMoves(rate), err
	case name == "live" && !given:
		return Live{cluster.Second, storeBandwidth}, nil
	case name == "live":
		pause, err := time.ParseDuration(value)
		if err != nil || pause < 0 {
			return nil, fmt.Errorf("the pause of the cost model %q must be a time like 1s", text)
		}
		return Live{cluster.Time(pause.Microseconds()), storeBandwidth}, nil
	}
	return nil, fmt.Errorf("there is no cost model %q: use constant, memory[=GB/s], live[=PAUSE] or moves[=GB/s]", text)
}

// bandwidth parses the bandwidth of a cost model.
func bandwidth(text, value string) (Bandwidth, error) {
	rate, err := strconv.ParseFloat(value, 64)
	if err != nil || !(rate >= 1e-3 && rate <= 1e6) {
		return 0, fmt.Errorf("the bandwidth of the cost model %q must be a number of GB/s from 0.001 to 1000000", text)
	}
	return Bandwidth(rate), nil
}
