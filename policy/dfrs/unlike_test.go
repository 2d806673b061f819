package dfrs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/policy/catalog"
)

// small is a cluster of at most four unlike nodes and nine tasks.
type small struct {
	nodes []cluster.CPU
	jobs  []shape
	at    [][]int // nodes of each job's tasks
}

// drawSmall returns nodes and jobs of a seed. Memory is no matter.
func drawSmall(seed uint64) (s small) {
	r := rand.New(rand.NewPCG(seed, 0))
	sizes := []cluster.CPU{120, 180, 500, 1200, 2000}
	for range 2 + r.IntN(3) {
		s.nodes = append(s.nodes, sizes[r.IntN(len(sizes))])
	}
	for tasks := 9; tasks > 0; {
		j := shape{min(tasks, 1+r.IntN(3)), 10 + cluster.CPU(r.IntN(int(slices.Max(s.nodes)-9))), 16 * cluster.MiB}
		s.jobs, tasks = append(s.jobs, j), tasks-j.tasks
	}
	return s
}

// least returns the lowest yield that max-min sharing gives to the jobs placed so far.
func (s *small) least() float64 {
	needs := make([]cluster.CPU, len(s.nodes))
	for j, at := range s.at {
		for _, n := range at {
			needs[n] += s.jobs[j].need
		}
	}
	low := 1.0
	for n, need := range needs {
		if need > 0 {
			low = min(low, float64(s.nodes[n])/float64(need))
		}
	}
	return low
}

// best returns the highest of the lowest yields over all mappings of the jobs from the given one on.
func (s *small) best(from int) (highest float64) {
	if from == len(s.at) {
		return s.least()
	}
	kept := s.at[from]
	eachPlacement(len(s.nodes), s.jobs[from].tasks, func(at []int) {
		s.at[from] = at
		highest = max(highest, s.best(from+1))
	})
	s.at[from] = kept
	return highest
}

// look reads the mapping of the jobs so far; a job that waits has none.
func (s *small) look(m *cluster.Model, jobs int) (all bool) {
	s.at, all = nil, true
	for id := range jobs {
		p := m.View().Target(cluster.JobID(id + 1))
		if p == nil {
			return false
		}
		s.at = append(s.at, places(p))
	}
	return all
}

// On unlike nodes a task goes where it, and those that are there, get the most. So the worst-off job is as well off
// after an arrival as it can be without a move. After the ticks it is nearly as well off as it can be at all: a plan
// that would raise it further costs others more than it gains.
func TestLeastYieldOnUnlikeNodesIsNearTheBest(t *testing.T) {
	const worlds = 150
	const period = 10 * cluster.Minute
	p, err := catalog.Parse("GreedyPM */stable", period)
	if err != nil {
		t.Fatal(err)
	}
	var arrivals, ticks, arrived, ticked float64
	for seed := range uint64(worlds) {
		s, m := drawSmall(seed), cluster.NewModel()
		for n, cpu := range s.nodes {
			m.Join(fmt.Sprint("n", n+1), cluster.Description{CPU: cpu, Memory: 1024 * cluster.MiB})
		}
		for j, shape := range s.jobs {
			m.Pass(cluster.Time(j+1) * cluster.Second)
			submit(t, m, shape.tasks, shape.need, shape.memory)
			adopt(t, m, p)
			if !s.look(m, j+1) {
				t.Fatalf("seed %d: j%d waits, and memory is free", seed, j+1)
			}
			arrived += s.least() / s.best(j)
			arrivals++
		}
		for tick := range cluster.Time(4) { // all have rested before the last
			m.Pass((tick + 1) * period)
			adopt(t, m, p)
		}
		s.look(m, len(s.jobs))
		ticked += s.least() / s.best(0)
		ticks++
	}
	t.Logf("least yield to the best: %.3f after an arrival, %.3f after the ticks", arrived/arrivals, ticked/ticks)
	if arrived/arrivals < 0.99 {
		t.Errorf("after an arrival the least yield is %.3f of the best without a move", arrived/arrivals)
	}
	if ticked/ticks < 0.96 {
		t.Errorf("after the ticks the least yield is %.3f of the best", ticked/ticks)
	}
}
