package provisioning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"aliquot/policy/market"
)

// The day on which workflows are submitted, and the last day of a stream, in seconds.
const (
	day    = 86400
	begin  = 6 * day
	finish = 12 * day
)

// The least and the greatest run time of a stream's tasks.
const shortest, longest = 60., 40000.

// arrivals draws the tasks of a machine: they come at random, their processors are powers of 2, rather small ones, and
// the logarithms of their run times are uniform.
func (e Experiment) arrivals(dice *rand.Rand) (all []market.Arrival) {
	sizes := int(math.Log2(float64(e.Procs)))
	work := narrow(sizes) * (longest - shortest) / math.Log(longest/shortest)
	gap := work / (float64(e.Procs) * float64(e.Load) / 100)
	for at := 0.; ; {
		if at += gap * dice.ExpFloat64(); at > finish {
			return all
		}
		run := shortest * math.Pow(longest/shortest, dice.Float64())
		job := market.Job{Procs: 1 << min(dice.IntN(sizes), dice.IntN(sizes)), Run: market.Time(run)}
		all = append(all, market.Arrival{At: market.Time(at), Job: job})
	}
}

// narrow returns the mean of 2 to the lesser of two numbers below a limit.
func narrow(sizes int) (sum float64) {
	for k := range sizes {
		sum += float64(int(1)<<k) * float64(2*(sizes-k)-1)
	}
	return sum / float64(sizes*sizes)
}

// dice returns the source of an experiment: streams of equal numbers and loads are equal.
func (e Experiment) dice() *rand.Rand {
	return rand.New(rand.NewPCG(uint64(e.Number), uint64(e.Procs*1000+e.Load)))
}

// snapshot returns the site at a time under conservative backfilling, and the tasks that come later, from then on.
func snapshot(procs int, all []market.Arrival, now market.Time) (s market.Site, later []market.Arrival) {
	free := market.NewProfile(procs)
	s.Procs = procs
	for _, a := range all {
		if a.At > now {
			a.At -= now
			later = append(later, a)
			continue
		}
		start := free.Earliest(a.At, a.Run, a.Procs)
		free.Take(start, start+a.Run, a.Procs)
		switch {
		case start > now:
			s.Queue = append(s.Queue, a.Job)
		case start+a.Run > now:
			s.Running = append(s.Running, market.Lease{Procs: a.Procs, End: start + a.Run - now})
		}
	}
	return s, later
}

// workflow draws the workflow of the thesis: levels, run times of 500 to 1500 s, and two parents of each task.
func workflow(dice *rand.Rand, tasks, mean int) *market.Workflow {
	depth := int(math.Round(math.Sqrt(float64(tasks))))
	var all []market.Task
	var edges []market.Edge
	for i := range tasks {
		all = append(all, market.Task{Name: fmt.Sprint("t", i), Procs: 1 + dice.IntN(2*mean-1),
			Run: market.Time(500 + dice.IntN(1001))})
		level := i * depth / tasks
		if level == 0 {
			continue
		}
		first, next := ((level-1)*tasks+depth-1)/depth, (level*tasks+depth-1)/depth
		parents := []int{first + dice.IntN(next-first), first + dice.IntN(next-first)}
		slices.Sort(parents)
		for _, p := range slices.Compact(parents) {
			edges = append(edges, market.Edge{From: p, To: i})
		}
	}
	w, err := market.NewWorkflow(all, edges)
	if err != nil {
		panic(err) // edges lead from level to level
	}
	return w
}
