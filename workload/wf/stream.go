package wf

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/workload"
)

// A Node is what a unit node of a simulation stands for.
type Node struct {
	Cores  int
	Memory cluster.Bytes
}

// Stream returns the tasks as jobs of a stream, with ids from first on and in their order, and the ids of the jobs that
// each waits for. A task whose file tells no cores gets one; without memory it takes the least that a stream can name,
// and without a run time a microsecond. It fails for a task that is larger than workload.MostNodes nodes.
func (w *Workflow) Stream(first int64, submit cluster.Time, node Node) ([]workload.Job, map[int64][]int64, error) {
	ids, after := map[string]int64{}, map[int64][]int64{}
	for i, t := range w.Tasks {
		ids[t.Name] = first + int64(i)
	}
	jobs := make([]workload.Job, len(w.Tasks))
	for i, t := range w.Tasks {
		id := ids[t.Name]
		jobs[i] = workload.Job{ID: id, Submit: submit, Tasks: 1,
			Need:    rounded(workload.UnitCPU, int64(max(1, t.Cores)), int64(node.Cores)),
			Memory:  rounded(workload.UnitMemory, t.Memory, int64(node.Memory)),
			Runtime: max(1, cluster.Time(t.Runtime.Microseconds())), User: w.Name}
		if err := jobs[i].Check(); err != nil {
			return nil, nil, fmt.Errorf("task %s: %w", t.Name, err)
		}
		for _, parent := range t.Parents {
			after[id] = append(after[id], ids[parent])
		}
	}
	return jobs, after, nil
}

// rounded returns a part of a unit, rounded up to what a stream can say: a hundred-thousandth.
func rounded[T ~int64](unit T, part, whole int64) T {
	const steps = 100_000
	step := unit / steps
	units := (float64(part)*steps + float64(whole) - 1) / float64(whole)
	return step * T(max(1, min(units, steps*1e6)))
}

// Bound returns a lower bound on the time from submission to the last end on nodes with so much CPU together: the
// longest chain of run times, or the work over the capacity.
func Bound(jobs []workload.Job, after map[int64][]int64, capacity cluster.CPU) cluster.Time {
	ends, byID := map[int64]cluster.Time{}, map[int64]*workload.Job{}
	work := 0.0
	for i := range jobs {
		byID[jobs[i].ID] = &jobs[i]
		work += float64(jobs[i].Need) * float64(jobs[i].Runtime)
	}
	var end func(id int64) cluster.Time
	end = func(id int64) cluster.Time {
		if at, known := ends[id]; known {
			return at
		}
		var begin cluster.Time
		for _, on := range after[id] {
			begin = max(begin, end(on))
		}
		ends[id] = begin + byID[id].Runtime
		return ends[id]
	}
	longest := cluster.Time(work / float64(capacity))
	for id := range byID {
		longest = max(longest, end(id))
	}
	return longest
}
