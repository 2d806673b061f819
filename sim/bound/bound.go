package bound

import (
	"fmt"
	"math"

	"aliquot/cluster"
	"aliquot/workload"
)

// Accuracy is the relative distance above the bound at which the search looks for a schedule. That schedule's dates
// are whole microseconds, so the optimum may lie a millionth further.
const Accuracy = 1e-4

// Bound is a lower bound on the maximum stretch of every schedule of a stream, with its proof.
type Bound struct {
	// Stretch is a lower bound on the least maximum bounded stretch. Invariant: at least 1.
	Stretch float64
	// Critical proves the bound; it has no jobs if Stretch is 1.
	Critical Critical
	// Effort is the work of the search.
	Effort Effort
}

// Critical is a set of jobs that needs all nodes, for the whole time of its competition, to keep the stretch of the
// bound. The set alone makes a smaller stretch impossible.
type Critical struct {
	Jobs     []int64      // ids, by submission
	From, To cluster.Time // begin and end of competition
	Busy     cluster.Time // time of competition; To − From, less the gaps
}

// Effort counts steps of the search. The same input takes the same steps.
type Effort struct {
	Probes int // stretches tried
	Cuts   int // sets of jobs that raised the bound
	Flows  int // flows computed because giving time by laxity was not enough
	Phases int // level graphs in these flows
	Paths  int // augmenting paths in these flows
	Scans  int // intervals of jobs examined in search of these paths
	Cells  int // pairs of job and interval laid out in the largest of these flows
}

// MaxStretch returns a lower bound on the maximum bounded stretch of the jobs on equal nodes, as in Theorem 1
// (section 3.1): it ignores memory and estimates. Without jobs it is 1. A job that no node can run, or an amount out
// of range, is an error with the job's id.
func MaxStretch(nodes int, jobs []workload.Job) (Bound, error) {
	if nodes < 1 {
		return Bound{}, fmt.Errorf("%d nodes cannot run jobs: give at least 1", nodes)
	}
	for _, j := range jobs {
		if err := check(j); err != nil {
			return Bound{}, fmt.Errorf("job %d: %w", j.ID, err)
		}
	}
	all := requests(jobs)
	s := search{capacity: float64(nodes) * float64(workload.UnitCPU)}
	b := Bound{Stretch: 1}
	var critical []request
	for {
		cut, ok := s.cut(all, b.Stretch*(1+Accuracy))
		if !ok {
			break
		}
		b.Stretch, critical = cut.stretch, cut.set
	}
	b.Effort = s.effort
	if len(critical) > 0 {
		b.Critical = explain(critical, s.capacity, b.Stretch)
		first := earliest(jobs)
		b.Critical.From += first
		b.Critical.To += first
	}
	return b, nil
}

func check(j workload.Job) error {
	switch {
	case j.Tasks < 1:
		return fmt.Errorf("%d tasks: give at least 1", j.Tasks)
	case j.Need < 1 || j.Need > workload.UnitCPU:
		return fmt.Errorf(
			"a task needs the CPU of %v nodes, and no node can run it: it must be above 0 and at most 1, so leave the job out",
			float64(j.Need)/float64(workload.UnitCPU))
	case j.Memory < 0 || j.Memory > workload.UnitMemory:
		return fmt.Errorf(
			"a task requires the memory of %v nodes, and no node can run it: it must be from 0 to 1, so leave the job out",
			float64(j.Memory)/float64(workload.UnitMemory))
	case j.Runtime < 1:
		return fmt.Errorf("the processing time is %v s: it must be above 0", j.Runtime.Seconds())
	case j.Submit < 0:
		return fmt.Errorf("submitted at %v s: it must not be negative", j.Submit.Seconds())
	}
	return nil
}

// explain returns the set as the proof of a bound: the times at which it competes for the nodes.
func explain(set []request, capacity, stretch float64) Critical {
	var c Critical
	for _, r := range set {
		c.Jobs = append(c.Jobs, r.id)
	}
	var rate float64
	var last cluster.Time
	for _, e := range edges(set, stretch) {
		at := cluster.Time(math.Round(e.at))
		if rate > capacity && at > last {
			if c.Busy == 0 {
				c.From = last
			}
			c.To = at
			c.Busy += at - last
		}
		rate, last = rate+e.rate, at
	}
	return c
}
