package backfill

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/policytest"
	"aliquot/scheduler"
)

// trial is a job of a replay; times are in seconds.
type trial struct {
	submit, runtime, estimate int
	tasks                     int
	need                      cluster.CPU
	on                        []string // names of the nodes that it may use; nil: all
}

// replay runs jobs under a policy, with one node for each given CPU. It returns when each job starts and ends. If
// look is given, replay calls it after each decision with the promises made before the decision was adopted.
func replay(t policytest.T, p Policy, nodes []cluster.CPU, jobs []trial,
	look func(v *cluster.View, before map[cluster.JobID]cluster.Time)) (starts, ends []cluster.Time) {
	t.Helper()
	return replayAt(t, p, nodes, nil, jobs, look)
}

// replayAt is replay on nodes of these speeds; nil: that of the reference.
func replayAt(t policytest.T, p Policy, nodes []cluster.CPU, speeds []cluster.Speed, jobs []trial,
	look func(v *cluster.View, before map[cluster.JobID]cluster.Time)) (starts, ends []cluster.Time) {
	t.Helper()
	m := cluster.NewModel()
	for i, cpu := range nodes {
		d := cluster.Description{CPU: cpu, Memory: 100 * cluster.MiB}
		if speeds != nil {
			d.Speed = speeds[i]
		}
		m.Join(fmt.Sprint("n", i+1), d)
	}
	starts, ends = slices.Repeat([]cluster.Time{never}, len(jobs)), slices.Repeat([]cluster.Time{never}, len(jobs))
	for submitted := 0; ; {
		now := earliestOf(ends, m.View().At)
		if submitted < len(jobs) {
			now = min(now, cluster.Time(jobs[submitted].submit)*cluster.Second)
		}
		if now == never {
			return starts, ends
		}
		m.Pass(now)
		for i, end := range ends {
			if end == now {
				m.End(cluster.JobID(i + 1))
			}
		}
		for ; submitted < len(jobs) && cluster.Time(jobs[submitted].submit)*cluster.Second <= now; submitted++ {
			if _, r := m.Submit(jobs[submitted].spec()); r != nil {
				t.Fatalf("job %d: %v", submitted+1, r)
			}
		}
		v := m.View()
		var before map[cluster.JobID]cluster.Time
		if look != nil {
			before = promised(p, v)
		}
		d := p.Decide(v)
		a := scheduler.Adoption(v, v.Pending(), d)
		if err := m.Adopt(a); err != nil {
			t.Fatalf("%v", err)
		}
		for _, h := range a.Set {
			i := h.Job - 1
			if starts[i] != never {
				t.Fatalf("%v is placed twice", h.Job)
			}
			if given := m.View().Target(h.Job).Cap; given != h.Placement.Cap {
				t.Fatalf("%v is given %v of the %v that the policy reckons with", h.Job, given, h.Placement.Cap)
			}
			starts[i] = now
			ends[i] = now + lasting(cluster.Time(jobs[i].runtime)*cluster.Second, jobs[i].need, h.Placement.Cap, 0)
		}
		if look != nil {
			look(m.View(), before)
		}
	}
}

// earliestOf returns the first of the times that is after now.
func earliestOf(times []cluster.Time, now cluster.Time) cluster.Time {
	first := never
	for _, t := range times {
		if t > now {
			first = min(first, t)
		}
	}
	return first
}

func (j trial) spec() *cluster.Spec {
	return &cluster.Spec{
		Tasks: j.tasks, Need: j.need, Requirement: cluster.Requirement{Memory: 50 * cluster.MiB},
		Image: "busybox@sha256:00", Estimate: cluster.Time(j.estimate) * cluster.Second,
		Placement: cluster.Constraint{Nodes: j.on},
	}
}

// promised returns the promised starts of waiting jobs, taken from the reasons of the policy's decision on the view.
func promised(p Policy, v *cluster.View) map[cluster.JobID]cluster.Time {
	starts := map[cluster.JobID]cluster.Time{}
	d := begin(v, p.rule, cluster.Occasion{NodesChanged: true})
	defer d.end()
	d.Explains = true
	d.decide()
	for _, r := range d.Reasons {
		switch r.Code {
		case cluster.WhyPromised, cluster.WhyPromisedCores:
			starts[r.Job] = v.Job(r.Job).Submitted + cluster.Time(r.Values[2])*cluster.Second
		case cluster.WhyOverdue, cluster.WhyOverdueCores:
			starts[r.Job] = v.At + cluster.Second // the next instant, rounded up as all
		}
	}
	return starts
}

// drawTrials draws jobs that arrive close together. All nodes are alike.
func drawTrials(t *rapid.T, most, nodes int) []trial {
	jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) trial {
		return trial{
			submit:   rapid.IntRange(0, 12).Draw(t, "submit"),
			runtime:  rapid.IntRange(1, 9).Draw(t, "runtime"),
			estimate: rapid.IntRange(1, 9).Draw(t, "estimate"),
			tasks:    rapid.IntRange(1, nodes).Draw(t, "tasks"),
			need:     1000,
		}
	}), 1, most).Draw(t, "jobs")
	slices.SortStableFunc(jobs, func(a, b trial) int { return a.submit - b.submit })
	return jobs
}

func perfect(jobs []trial) []trial {
	jobs = slices.Clone(jobs)
	for i := range jobs {
		jobs[i].estimate = jobs[i].runtime
	}
	return jobs
}

func policyNamed(t testing.TB, name string) Policy {
	t.Helper()
	p, err := New(name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
