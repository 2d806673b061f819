package backfill

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/policy/policytest"
)

func TestAllKeepTheLaws(t *testing.T) {
	for _, r := range rules {
		promises := []policytest.Promise{nodesAreExclusive, thoroughDecidesAlike(Policy{r})}
		if r.packs {
			promises[0] = coresAreExclusive(r.exclusive)
		}
		if r.promises == 0 {
			promises = append(promises, nobodyOvertakes)
		}
		t.Run(r.name, func(t *testing.T) { policytest.Check(t, Policy{r}, promises...) })
	}
}

func nobodyOvertakes(v *cluster.View, d policy.Decision) error {
	head := cluster.JobID(0)
	refused := map[cluster.JobID]bool{}
	for _, r := range d.Refuse {
		refused[r.Job] = true
	}
	for j := range v.Candidates() {
		switch placed := d.Target.Get(j.ID) != nil; {
		case !placed && head == 0 && !refused[j.ID]:
			head = j.ID
		case placed && head != 0 && v.Target(j.ID) == nil:
			return fmt.Errorf("%v starts before %v", j.ID, head)
		}
	}
	return nil
}

func nodesAreExclusive(v *cluster.View, d policy.Decision) error {
	tasks := map[cluster.NodeID]int{}
	for _, p := range d.Target.All() {
		for _, n := range p.Nodes {
			if n != 0 {
				tasks[n]++
			}
			if tasks[n] > 1 {
				return fmt.Errorf("%d tasks share node %d", tasks[n], n)
			}
		}
	}
	return nil
}

// coresAreExclusive checks that starting tasks get whole cores of their own and, if nodes are exclusive to jobs,
// share no node with another job.
func coresAreExclusive(exclusive bool) policytest.Promise {
	return func(v *cluster.View, d policy.Decision) error {
		cores, news := map[cluster.NodeID]int{}, map[cluster.NodeID]bool{}
		jobs := map[cluster.NodeID]map[cluster.JobID]bool{}
		for id, p := range d.Target.All() {
			for _, n := range p.Nodes {
				if jobs[n] == nil {
					jobs[n] = map[cluster.JobID]bool{}
				}
				jobs[n][id] = true
				cores[n] += v.Job(id).Spec.VCPUs()
				news[n] = news[n] || v.Target(id) == nil
			}
		}
		for n := range v.Nodes() {
			if has := int(n.Capacity().CPU / cluster.Core); news[n.ID] && cores[n.ID] > has {
				return fmt.Errorf("a task starts on node %d, where tasks take %d cores of %d", n.ID, cores[n.ID], has)
			}
			if exclusive && news[n.ID] && len(jobs[n.ID]) > 1 {
				return fmt.Errorf("a job starts on node %d, where %d have tasks", n.ID, len(jobs[n.ID]))
			}
		}
		return nil
	}
}

// thoroughDecidesAlike checks that a decision that examines all jobs is the same as one that stops when no other
// job can start.
func thoroughDecidesAlike(p Policy) policytest.Promise {
	return func(v *cluster.View, decided policy.Decision) error {
		d := begin(v, p.rule, v.Pending())
		defer d.end()
		d.Explains = true
		d.decide()
		for j := range v.Candidates() {
			a, b := decided.Target.Get(j.ID), d.Target.Get(j.ID)
			if (a == nil) != (b == nil) || a != nil && (a.Cap != b.Cap || !slices.Equal(a.Nodes, b.Nodes)) {
				return fmt.Errorf("%v holds %+v, but %+v where all are looked at", j.ID, a, b)
			}
		}
		return nil
	}
}

// drawMixed draws a cluster of different nodes and jobs that accept only some of them.
func drawMixed(t *rapid.T) (nodes []cluster.CPU, jobs []trial) {
	nodes = rapid.SliceOfN(rapid.SampledFrom([]cluster.CPU{250, 500, 1000}), 1, 6).Draw(t, "nodes")
	jobs = drawTrials(t, 15, len(nodes))
	for i := range jobs {
		jobs[i].need = min(slices.Max(nodes), rapid.SampledFrom([]cluster.CPU{200, 500, 1000}).Draw(t, "need"))
		if some := rapid.IntRange(jobs[i].tasks, len(nodes)).Draw(t, "allowed"); rapid.Bool().Draw(t, "choosy") &&
			jobs[i].need <= slices.Max(nodes[:some]) {
			for n := range some {
				jobs[i].on = append(jobs[i].on, fmt.Sprint("n", n+1))
			}
		}
	}
	return nodes, jobs
}

// drawFor draws a cluster and jobs that the rule does not refuse.
func drawFor(t *rapid.T, r rule) (nodes []cluster.CPU, jobs []trial) {
	if r.packs {
		return drawPacked(t)
	}
	return drawMixed(t)
}

// laterPromises compares the promises after a decision with those before it, and returns those that are later.
func laterPromises(t policytest.T, p Policy) func(*cluster.View, map[cluster.JobID]cluster.Time) {
	return func(v *cluster.View, before map[cluster.JobID]cluster.Time) {
		now := promised(p, v)
		for id, at := range before {
			if again, ok := now[id]; !ok || again > at {
				t.Fatalf("%s promised %v a start at %v; what starts now makes that %v", p, id, at, again)
			}
		}
	}
}

func TestStartingJobsDelayNoPromisedStart(t *testing.T) {
	for _, r := range rules[1:] {
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes, jobs := drawFor(t, r)
				replay(t, Policy{r}, nodes, jobs, laterPromises(t, Policy{r}))
			})
		})
	}
}

// A task of two vCPUs has at most 1000m on a node of half the speed, and one of one vCPU 500m.
func TestStartingJobsDelayNoPromisedStartOnSlowNodes(t *testing.T) {
	for _, r := range plainlySlow() {
		if r.packs || r.promises == 0 {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes, jobs := drawMixed(t)
				speeds := make([]cluster.Speed, len(nodes))
				for i := range nodes {
					nodes[i] *= 2
					speeds[i] = rapid.SampledFrom([]cluster.Speed{0, 2000, 800, 500}).Draw(t, "speed")
				}
				for i := range jobs {
					jobs[i].need *= cluster.CPU(rapid.IntRange(1, 2).Draw(t, "times"))
				}
				replayAt(t, Policy{r}, nodes, speeds, jobs, laterPromises(t, Policy{r}))
			})
		})
	}
}

func TestAJobThatLastsLongerOnASlowNodeDoesNotOvertakeThere(t *testing.T) {
	jobs := perfect([]trial{{submit: 0, runtime: 1000, tasks: 1, need: 1000},
		{submit: 1, runtime: 100, tasks: 2, need: 1000}, {submit: 2, runtime: 900, tasks: 1, need: 1000}})
	starts, _ := replayAt(t, policyNamed(t, "EASY"), []cluster.CPU{1000, 1000}, []cluster.Speed{0, 500}, jobs, nil)
	if want := []cluster.Time{0, 1000, 1200}; !slices.Equal(starts, []cluster.Time{want[0] * cluster.Second,
		want[1] * cluster.Second, want[2] * cluster.Second}) {
		t.Errorf("jobs start at %v, want %v s", starts, want)
	}
}

// The promised start is when the job would start if nobody behind it ever did.
func TestWithPerfectEstimatesNoJobStartsLaterThanFirstPromised(t *testing.T) {
	for _, r := range rules[1:] {
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes := rapid.IntRange(1, 8).Draw(t, "nodes")
				first := map[cluster.JobID]cluster.Time{}
				starts, _ := replay(t, Policy{r}, units(nodes), perfect(drawTrials(t, 20, nodes)),
					func(_ *cluster.View, before map[cluster.JobID]cluster.Time) {
						for id, at := range before {
							if _, known := first[id]; !known {
								first[id] = at
							}
						}
					})
				for id, at := range first {
					if starts[id-1] > at {
						t.Fatalf("%v was promised a start at %v, but starts at %v", id, at, starts[id-1])
					}
				}
			})
		})
	}
}

func TestConservativePromisesEveryJobThatWaitsAStart(t *testing.T) {
	p := policyNamed(t, "conservative")
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 8).Draw(t, "nodes")
		replay(t, p, units(nodes), drawTrials(t, 20, nodes), func(v *cluster.View, _ map[cluster.JobID]cluster.Time) {
			now := promised(p, v)
			for j := range v.Candidates() {
				if _, ok := now[j.ID]; !ok && v.Target(j.ID) == nil {
					t.Fatalf("%v waits without a promise", j.ID)
				}
			}
		})
	})
}

func TestConservativePromisesDoNotDependOnLaterJobs(t *testing.T) {
	p := policyNamed(t, "conservative")
	rapid.Check(t, func(t *rapid.T) {
		nodes, jobs := drawMixed(t)
		for i := range jobs {
			jobs[i].submit = 0
		}
		some := rapid.IntRange(1, len(jobs)).Draw(t, "some")
		var all, few map[cluster.JobID]cluster.Time
		record := func(into *map[cluster.JobID]cluster.Time) func(*cluster.View, map[cluster.JobID]cluster.Time) {
			return func(v *cluster.View, before map[cluster.JobID]cluster.Time) {
				if v.At == 0 {
					*into = before
				}
			}
		}
		replay(t, p, nodes, jobs, record(&all))
		replay(t, p, nodes, jobs[:some], record(&few))
		for id, at := range few {
			if all[id] != at {
				t.Fatalf("%v is promised %v, and %v when others come after it", id, at, all[id])
			}
		}
	})
}

func TestWithoutKnowingRunTimesTheDecisionsAreTheSame(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				nodes, jobs := drawFor(t, r)
				scrambled := slices.Clone(jobs)
				for i := range scrambled {
					scrambled[i].runtime = rapid.IntRange(1, 9).Draw(t, "runtime")
				}
				starts, ends := replay(t, Policy{r}, nodes, jobs, nil)
				otherStarts, otherEnds := replay(t, Policy{r}, nodes, scrambled, nil)
				// known is the time of the first end that tells the two apart.
				known := never
				for i := range ends {
					if ends[i] != otherEnds[i] {
						known = min(known, ends[i], otherEnds[i])
					}
				}
				for i := range starts {
					if starts[i] != otherStarts[i] && min(starts[i], otherStarts[i]) < known {
						t.Fatalf("job %d starts at %v or at %v, before %v", i+1, starts[i], otherStarts[i], known)
					}
				}
			})
		})
	}
}
