package dfrs_test

import (
	"fmt"
	"slices"
	"testing"

	"aliquot/cluster"
)

// shape is a job of the small instances.
type shape struct {
	tasks  int
	need   cluster.CPU
	memory cluster.Bytes
}

// eachSmallInstance visits all instances of three jobs on one to three nodes of 1000m and 100 MiB.
func eachSmallInstance(visit func(nodes int, jobs []shape)) {
	var shapes []shape
	for tasks := 1; tasks <= 2; tasks++ {
		for _, need := range []cluster.CPU{500, 1000} {
			for _, memory := range []cluster.Bytes{30, 70} {
				shapes = append(shapes, shape{tasks, need, memory * cluster.MiB})
			}
		}
	}
	for nodes := 1; nodes <= 3; nodes++ {
		for _, a := range shapes {
			for _, b := range shapes {
				for _, c := range shapes {
					visit(nodes, []shape{a, b, c})
				}
			}
		}
	}
}

// play lets the policy decide on the instance with all jobs submitted at once. It returns the jobs' placements, nil
// for a job that waits; ok is false if the cluster could never run one of them.
func play(t *testing.T, name string, nodes int, jobs []shape) (held []*cluster.Placement, ok bool) {
	t.Helper()
	m := cluster.NewModel()
	for n := range nodes {
		m.Join(fmt.Sprint("n", n+1), cluster.Description{CPU: 1000, Memory: 100 * cluster.MiB})
	}
	m.Pass(cluster.Second)
	for _, j := range jobs {
		if nodes*int(100*cluster.MiB/j.memory) < j.tasks {
			return nil, false
		}
		submit(t, m, j.tasks, j.need, j.memory)
	}
	adopt(t, m, parse(t, name))
	for i := range jobs {
		held = append(held, m.View().Target(cluster.JobID(i+1)))
	}
	return held, true
}

// eachPlacement visits all ways to put the tasks on nodes.
func eachPlacement(nodes, tasks int, visit func([]int)) {
	at := make([]int, tasks)
	for {
		visit(at)
		k := 0
		for ; k < tasks && at[k] == nodes-1; k++ {
			at[k] = 0
		}
		if k == tasks {
			return
		}
		at[k]++
	}
}

// TestGreedyMapsAJobExactlyWhereThereIsRoom tries all placements of each job beside those before it. Greedy's choice
// puts the tasks where load is least: no other placement has lower sorted loads.
func TestGreedyMapsAJobExactlyWhereThereIsRoom(t *testing.T) {
	eachSmallInstance(func(nodes int, jobs []shape) {
		held, ok := play(t, "Greedy *", nodes, jobs)
		if !ok {
			return
		}
		memory, need := make([]cluster.Bytes, nodes), make([]cluster.CPU, nodes)
		for i, j := range jobs {
			var best []cluster.CPU // loads that the tasks meet, their own included
			eachPlacement(nodes, j.tasks, func(at []int) {
				if met := meets(j, at, memory, need); met != nil && (best == nil || slices.Compare(met, best) < 0) {
					best = met
				}
			})
			if (held[i] != nil) != (best != nil) {
				t.Fatalf("%d nodes, %v: j%d holds %v", nodes, jobs, i+1, held[i])
			}
			if best == nil {
				continue
			}
			at := places(held[i])
			if met := meets(j, at, memory, need); !slices.Equal(met, best) {
				t.Fatalf("%d nodes, %v: j%d meets loads %v on %v, could %v", nodes, jobs, i+1, met, held[i].Nodes, best)
			}
			for _, n := range at {
				memory[n], need[n] = memory[n]+j.memory, need[n]+j.need
			}
		}
	})
}

func places(p *cluster.Placement) (at []int) {
	for _, n := range p.Nodes {
		at = append(at, int(n)-1)
	}
	return at
}

// meets returns, sorted, the loads of the nodes after each of the tasks has been placed in turn; nil: there is no
// room.
func meets(j shape, at []int, memory []cluster.Bytes, need []cluster.CPU) (met []cluster.CPU) {
	memory, need = slices.Clone(memory), slices.Clone(need)
	for _, n := range at {
		memory[n], need[n] = memory[n]+j.memory, need[n]+j.need
		if memory[n] > 100*cluster.MiB {
			return nil
		}
		met = append(met, need[n])
	}
	slices.Sort(met)
	return met
}

// grid is the number of steps of a yield in the search for better yields.
const grid = 12

// eachDivision visits all yields on the grid that the nodes allow, 0 for jobs that hold nothing.
func eachDivision(nodes int, jobs []shape, held []*cluster.Placement, visit func(yields []float64)) {
	eachPlacement(grid+1, len(jobs), func(steps []int) {
		yields, used := make([]float64, len(jobs)), make([]float64, nodes)
		for i, p := range held {
			if p == nil && steps[i] > 0 || p != nil && steps[i] == 0 {
				return
			}
			yields[i] = float64(steps[i]) / grid
			if p != nil {
				for _, n := range places(p) {
					used[n] += yields[i] * float64(jobs[i].need)
				}
			}
		}
		for _, u := range used {
			if u > 1000 {
				return
			}
		}
		visit(yields)
	})
}

func yields(jobs []shape, held []*cluster.Placement) (ys []float64) {
	for i, p := range held {
		y := 0.0
		if p != nil {
			y = float64(p.CPU) / float64(jobs[i].need)
		}
		ys = append(ys, y)
	}
	return ys
}

// rounding is the most that a yield loses because shares are whole millicores.
const rounding = 1.0 / 500

func TestNoDivisionOfCPUIsFairerThanMaxMin(t *testing.T) {
	eachSmallInstance(func(nodes int, jobs []shape) {
		held, ok := play(t, "Greedy */opt=min", nodes, jobs)
		if !ok {
			return
		}
		ours := slices.Sorted(slices.Values(yields(jobs, held)))
		eachDivision(nodes, jobs, held, func(other []float64) {
			slices.Sort(other)
			for i := range ours {
				if other[i] > ours[i]+rounding {
					t.Fatalf("%d nodes, %v: yields %v, could be %v", nodes, jobs, ours, other)
				}
				if other[i] < ours[i]-rounding {
					return
				}
			}
		})
	})
}

func TestNoDivisionOfCPUHasAHigherAverageAndLeavesTheLowest(t *testing.T) {
	eachSmallInstance(func(nodes int, jobs []shape) {
		held, ok := play(t, "Greedy */opt=avg", nodes, jobs)
		fair, _ := play(t, "Greedy */opt=min", nodes, jobs)
		if !ok {
			return
		}
		ours, lowest := yields(jobs, held), least(yields(jobs, fair))
		if least(ours) < lowest-rounding {
			t.Fatalf("%d nodes, %v: yields %v, the lowest could be %v", nodes, jobs, ours, lowest)
		}
		eachDivision(nodes, jobs, held, func(other []float64) {
			if least(other) >= lowest && sum(other) > sum(ours)+3*rounding {
				t.Fatalf("%d nodes, %v: yields %v, could be %v", nodes, jobs, ours, other)
			}
		})
	})
}

// least returns the lowest yield of the jobs that have one.
func least(yields []float64) float64 {
	low := 1.0
	for _, y := range yields {
		if y > 0 {
			low = min(low, y)
		}
	}
	return low
}

func sum(yields []float64) (s float64) {
	for _, y := range yields {
		s += y
	}
	return s
}
