package dfrs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/policy"
	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

const gib = 1024 * cluster.MiB

// model returns a simulated cluster of 120 nodes an hour after its jobs were submitted. Some of them wait because
// memory does not hold all.
func model(b *testing.B, p policy.Policy, jobs int) *cluster.Model {
	m := cluster.NewModel()
	for n := range 120 {
		m.Join(fmt.Sprint("n", n), cluster.Description{CPU: 100_000, Memory: 10 * gib})
	}
	r := rand.New(rand.NewPCG(1, uint64(jobs)))
	m.Pass(cluster.Second)
	for range jobs {
		need := []cluster.CPU{50_000, 100_000}[r.IntN(2)]
		submit(b, m, 1+int(r.ExpFloat64()*3), need, cluster.Bytes(1+r.IntN(5))*gib)
	}
	adopt(b, m, p)
	m.Pass(cluster.Hour - cluster.Second)
	return m
}

func submit(b testing.TB, m *cluster.Model, tasks int, need cluster.CPU, memory cluster.Bytes) {
	b.Helper()
	if _, r := m.Submit(&cluster.Spec{Owner: "o", Project: "p", Image: "i@sha256:0", Tasks: tasks, Need: need,
		Requirement: cluster.Requirement{Memory: memory}}); r != nil {
		b.Fatal(r)
	}
}

func adopt(b testing.TB, m *cluster.Model, p policy.Policy) {
	b.Helper()
	v := m.View()
	d := p.Decide(v)
	a := cluster.Adopt{Seen: v.Pending(), Alarms: d.Alarms}
	for id, held := range d.Target.All() {
		a.Set = append(a.Set, cluster.Holding{Job: id, Placement: *held})
	}
	if err := m.Adopt(a); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkDecide measures the decisions that a simulation requests at every instant.
func BenchmarkDecide(b *testing.B) {
	p, err := catalog.Parse("GreedyPM */per/minvt=600", cluster.Hour)
	if err != nil {
		b.Fatal(err)
	}
	for _, jobs := range []int{50, 100, 500} {
		for _, event := range []struct {
			name   string
			happen func(*cluster.Model)
		}{
			{"submission", func(m *cluster.Model) { submit(b, m, 4, 100_000, 2*gib) }},
			{"completion", func(m *cluster.Model) { m.End(first(m)) }},
			{"tick", func(m *cluster.Model) { m.Pass(cluster.Hour) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", event.name, jobs), func(b *testing.B) {
				m := model(b, p, jobs)
				event.happen(m)
				measure(b, p, m.View())
			})
		}
	}
}

// first returns the first job that holds a placement.
func first(m *cluster.Model) cluster.JobID {
	for id := range m.View().TargetAll().All() {
		return id
	}
	return 0
}

func measure(b *testing.B, p policy.Policy, v *cluster.View) {
	if v.Pending().Empty() {
		b.Fatal("there is nothing to decide")
	}
	b.ReportAllocs()
	held := 0
	for b.Loop() {
		held = p.Decide(v).Target.Len()
	}
	jobs := 0
	for range v.Jobs() {
		jobs++
	}
	b.ReportMetric(float64(held), "held")
	b.ReportMetric(float64(jobs), "jobs")
}

// busy returns a live cluster that has run for an hour with more jobs than its memory holds and has an occasion to
// decide on.
func busy(b *testing.B, name string, nodes, jobs, rows int) *policytest.World {
	p, err := catalog.Parse(name, cluster.Hour)
	if err != nil {
		b.Fatal(err)
	}
	w := policytest.NewWorld(b, p)
	row := func(i int) []cluster.Pair {
		if rows == 0 {
			return nil
		}
		return []cluster.Pair{{Key: "row", Value: fmt.Sprint(i % rows)}}
	}
	for n := range nodes {
		w.Join(fmt.Sprintf("n%d", n), cluster.Description{CPU: 16 * cluster.Core, Memory: 64 * gib, Labels: row(n)})
	}
	w.Clock = cluster.Second
	r := rand.New(rand.NewPCG(1, uint64(nodes)))
	most := max(3, 30*nodes/jobs) // tasks per job, so that memory is short
	for j := range jobs {
		w.Submit(cluster.Spec{
			Tasks: 1 + r.IntN(most), Need: cluster.CPU(250 * (1 + r.IntN(32))),
			Requirement: cluster.Requirement{Memory: cluster.Bytes(1+r.IntN(10)) * gib},
			Placement:   cluster.Constraint{Match: row(j)},
		})
	}
	w.Decide()
	w.Settle()
	w.Clock = cluster.Hour - cluster.Second
	return w
}

// BenchmarkDecideLive measures decisions on the state of a live cluster under the default policy.
func BenchmarkDecideLive(b *testing.B) {
	for _, size := range []struct{ nodes, jobs int }{{128, 100}, {1000, 10_000}, {10_000, 100_000}} {
		for _, event := range []struct {
			name   string
			rows   func(nodes int) int // each job is restricted to one of the rows; 0: jobs may run anywhere
			happen func(*policytest.World)
		}{
			{"submission", none, func(w *policytest.World) {
				w.Submit(cluster.Spec{Tasks: 4, Need: 2000, Requirement: cluster.Requirement{Memory: 8 * gib}})
			}},
			{"completion", none, endFirst},
			{"tick", none, toTick},
			{"constrained tick", func(int) int { return 1 }, toTick},
			{"tick by rows of four", func(nodes int) int { return nodes / 4 }, toTick},
		} {
			b.Run(fmt.Sprintf("%s/%dx%d", event.name, size.nodes, size.jobs), func(b *testing.B) {
				w := busy(b, config.Policy, size.nodes, size.jobs, event.rows(size.nodes))
				event.happen(w)
				measure(b, w.Policy, w.Look())
			})
		}
	}
}

func none(int) int { return 0 }

func toTick(w *policytest.World) { w.Clock = cluster.Hour }

// endFirst ends the first job that holds a placement.
func endFirst(w *policytest.World) {
	for id := range w.Look().TargetAll().All() {
		for i := range w.Job(id).Tasks {
			w.End(cluster.TaskID{Job: id, Index: i})
		}
		return
	}
}

// BenchmarkCordoned measures a decision on a job that has a task on each node and has just lost one, while all other
// nodes but the last are cordoned.
func BenchmarkCordoned(b *testing.B) {
	for _, tasks := range []int{1000, 2000, 4000} {
		b.Run(fmt.Sprint(tasks), func(b *testing.B) {
			p, err := catalog.Parse("GreedyPM *", cluster.Hour)
			if err != nil {
				b.Fatal(err)
			}
			w := policytest.NewWorld(b, p)
			for n := range tasks + 1 {
				w.Join(fmt.Sprintf("n%d", n), cluster.Description{CPU: cluster.Core, Memory: 2 * gib})
			}
			w.Submit(cluster.Spec{Tasks: tasks, Need: cluster.Core, Requirement: cluster.Requirement{Memory: gib}})
			w.Decide()
			w.Settle()
			for n := range tasks - 1 {
				w.Do(cluster.SetNode{Node: cluster.NodeID(n + 2), Want: cluster.Cordon})
			}
			w.Do(cluster.SetNode{Node: 1, Want: cluster.Drain})
			measure(b, p, w.Look())
		})
	}
}
