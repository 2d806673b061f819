package check

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// chained simulates the jobs, some of which wait for others, and returns what is checked.
func chained(t interface{ Fatal(...any) }, name string, after sim.After, jobs []workload.Job) (sim.Setup, sim.Result,
	sim.Recording) {
	p, err := catalog.Parse(name, 600*cluster.Second)
	if err != nil {
		t.Fatal(err)
	}
	s := sim.Setup{Nodes: sim.Units(3), Policy: p, Penalty: 300 * cluster.Second, After: after, Impossible: sim.Skip}
	var seen sim.Recording
	seen.Observe(&s)
	result, err := sim.Run(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return s, result, seen
}

func TestJobsWaitForOthersUnderEveryPolicy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, after := drawJobs(t), sim.After{}
		for i := range jobs {
			jobs[i].Deadline, jobs[i].Ready = 0, 0
			for on := range i {
				if rapid.IntRange(0, 3).Draw(t, "waits") == 0 {
					after[jobs[i].ID] = append(after[jobs[i].ID], jobs[on].ID)
				}
			}
		}
		name := rapid.SampledFrom([]string{"FCFS", "EASY", "GreedyPM */per/opt=min/minvt=600", "MEASY"}).Draw(t, "policy")
		s, result, seen := chained(t, name, after, jobs)
		if err := Schedule(s, jobs, result, seen); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAJobThatRanTooEarlyIsFound(t *testing.T) {
	job := func(id int64) workload.Job {
		return workload.Job{ID: id, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory / 2,
			Runtime: cluster.Minute}
	}
	jobs := []workload.Job{job(1), job(2), job(3)}
	s, result, seen := chained(t, "FCFS", sim.After{2: {1}}, jobs)
	if err := Schedule(s, jobs, result, seen); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[*sim.After]string{
		{2: {1}, 3: {2}}: "job 3 may run from",
		{}:               "job 2 may run from",
		{2: {9}}:         "waits for job 9, which did not succeed",
	} {
		s.After = *after
		if err := Schedule(s, jobs, result, seen); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", *after, err, want)
		}
	}
}
