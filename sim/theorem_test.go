package sim

import (
	"math"
	"testing"

	"aliquot/cluster"
	"aliquot/workload"
)

// equipartition is the stream in the proof of Theorem 4 (RR-7659, section 3.2). Equal shares give it a maximum stretch
// of n, the number of its jobs. The last and shortest job alone takes the given time.
func equipartition(n int, shortest cluster.Time) []workload.Job {
	jobs := make([]workload.Job, n)
	release := cluster.Time(0)
	for i := range jobs {
		runtime := cluster.Time(float64(shortest) * float64(n-1) / float64(max(1, i)))
		jobs[i] = workload.Job{ID: int64(i + 1), Submit: release, Tasks: 1, Need: workload.UnitCPU,
			Memory: workload.UnitMemory / 100, Runtime: runtime}
		if i > 0 {
			release += runtime
		}
	}
	return jobs
}

func TestGreedyComesToTheStretchThatTheoremFourPredicts(t *testing.T) {
	for _, n := range []int{2, 3, 5, 10, 20} {
		result, err := Run(setup(t, 1, "Greedy */opt=min"), equipartition(n, 1000*cluster.Second))
		if err != nil {
			t.Fatal(err)
		}
		// Shares are whole millicores, a hundred-thousandth of the node.
		if worst := result.Summary().MaxStretch; math.Abs(worst-float64(n)) > 1e-3*float64(n) {
			t.Errorf("%d jobs: the maximum stretch is %v", n, worst)
		}
	}
}
