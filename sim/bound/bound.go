package bound

import (
	"fmt"
	"math"

	"aliquot/cluster"
	"aliquot/workload"
)

// Accuracy is how far above the bound, relative to it, the search looks for a schedule. The
// dates of that schedule are whole microseconds, which is why the optimum may lie a
// millionth further.
const Accuracy = 1e-4

// Bound is what no schedule of a stream can beat, and why.
type Bound struct {
	// Stretch is at most the least maximum bounded stretch, and at least 1.
	Stretch float64
	// Critical is what keeps the stretch up; no jobs if Stretch is 1.
	Critical Critical
	// Effort is what finding it took.
	Effort Effort
}

// Critical is a set of jobs that needs all nodes, all the time that it competes for them, to
// keep the stretch of the bound: that alone makes a smaller one impossible.
type Critical struct {
	Jobs     []int64      // ids, by submission
	From, To cluster.Time // first and last moment of competition
	Busy     cluster.Time // time of competition; To − From, less the gaps
}

// Effort counts steps of the search; the same input takes the same.
type Effort struct {
	Probes int // stretches at which a schedule was looked for
	Cuts   int // sets of jobs that raised the bound
	Flows  int // flows searched for, where giving time by laxity was not enough
	Phases int // level graphs in them
	Paths  int // augmenting paths in them
	Scans  int // looks at what a job has in an interval, in search of those paths
	Cells  int // pairs of a job and an interval that were laid out, in the largest of these flows
}

// MaxStretch bounds the maximum bounded stretch of the jobs on equal nodes from below, as
// Theorem 1 does (section 3.1): memory is ignored, and so are estimates. Of no jobs it is 1.
// It refuses jobs that no node can run and amounts that are out of range, with the job's id.
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
		return fmt.Errorf("a task needs the CPU of %v nodes, and no node can run it: it must be above 0 and at most 1, so leave the job out", float64(j.Need)/float64(workload.UnitCPU))
	case j.Memory < 0 || j.Memory > workload.UnitMemory:
		return fmt.Errorf("a task requires the memory of %v nodes, and no node can run it: it must be from 0 to 1, so leave the job out", float64(j.Memory)/float64(workload.UnitMemory))
	case j.Runtime < 1:
		return fmt.Errorf("the processing time is %v s: it must be above 0", j.Runtime.Seconds())
	case j.Submit < 0:
		return fmt.Errorf("submitted at %v s: it must not be negative", j.Submit.Seconds())
	}
	return nil
}

// explain says when a set competes for the nodes.
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
