package gen

import (
	"math"
	"slices"

	"aliquot/cluster"
	"aliquot/workload"
)

// Reserve are the parameters of a stream of advance reservations after Li et al.
type Reserve struct {
	UMed     float64 // bend of the distribution of sizes, in log2 of tasks
	Arrival  float64 // arrival factor: submissions are divided by it
	Ahead    float64 // artime factor: greatest time from submission to the ready time, in run times
	Deadline float64 // deadline factor: greatest slack between ready time and deadline, in run times
}

// UsualReserve are the paper's default parameters.
var UsualReserve = Reserve{UMed: 7, Arrival: 1, Ahead: 3, Deadline: 3}

// runtimes are the paper's run times. The model's are rounded up to them.
var runtimes = []cluster.Time{60, 300, 900, 1800, 3600, 10800}

const (
	leastSize   = 4.5  // ULow, in log2 of tasks: 32 once rounded
	belowBend   = 0.82 // Uprob
	fittedNodes = 128  // size of the machine for which the slope of run times by tasks was fitted
)

// Draw draws a stream for a machine with the given number of nodes; see docs/formats/reservations.md. Arrivals and run
// times are those of the model of Lublin and Feitelson fitted to all jobs: the paper's constants, fitted to the log of
// the LANL CM-5, are not in its text. All sizes are powers of two from 32 tasks, or the whole machine. A task takes a
// node's CPU and a tenth of its memory, so that memory never decides: the paper has none.
func (p Reserve) Draw(dice Dice, nodes, count int) []workload.Job {
	k := All
	top := math.Log2(float64(nodes))
	k.Serial, k.PowerOf2, k.Low, k.Bend, k.LowProb = 0, 1, min(leastSize, top), max(0, top-p.UMed), belowBend
	k.Slope *= fittedNodes / float64(nodes)
	jobs, r := Lublin(dice, nodes, count, k), dice.rand(forReserve)
	for i := range jobs {
		j := &jobs[i]
		j.Need, j.Memory = workload.UnitCPU, workload.UnitMemory/10
		j.Runtime = roundedUp(j.Runtime)
		j.Submit = wholeSeconds(float64(j.Submit) / p.Arrival)
		j.Ready = j.Submit + wholeSeconds(p.Ahead*r.Float64()*float64(j.Runtime))
		j.Deadline = j.Ready + j.Runtime + wholeSeconds(p.Deadline*r.Float64()*float64(j.Runtime))
	}
	return jobs
}

// Hasten lets the jobs of a stream take from half of the time that they reserve to all of it, in whole seconds.
func Hasten(dice Dice, jobs []workload.Job) {
	r := dice.rand(forHaste)
	for i := range jobs {
		j := &jobs[i]
		j.Estimate = j.Runtime
		j.Runtime -= cluster.Time(r.Int64N(int64(j.Runtime/cluster.Second)/2+1)) * cluster.Second
	}
}

// roundedUp returns the least of the paper's run times that is not below t, or the greatest.
func roundedUp(t cluster.Time) cluster.Time {
	i, _ := slices.BinarySearch(runtimes, (t+cluster.Second-1)/cluster.Second)
	return runtimes[min(i, len(runtimes)-1)] * cluster.Second
}

// wholeSeconds cuts a time to whole seconds.
func wholeSeconds(t float64) cluster.Time { return cluster.Time(t) / cluster.Second * cluster.Second }
