package dfrs

import (
	"testing"

	"aliquot/cluster"
)

// minuteOracle is the oracle of a model in which rescheduling takes a minute.
type minuteOracle struct{ *cluster.Model }

func (minuteOracle) Cost(*cluster.Job) cluster.Cost {
	return cluster.Cost{ResumeTime: cluster.Minute, MoveTime: cluster.Minute}
}

func (minuteOracle) Use(j *cluster.Job, _ int) cluster.CPU { return j.Spec.Need }

func (minuteOracle) MeasuredUse(*cluster.Job, int, cluster.NodeID) cluster.CPU { return 0 }

func (minuteOracle) Window(*cluster.Job) cluster.Window     { return cluster.Window{} }
func (minuteOracle) Forecast(*cluster.Job) cluster.Forecast { return cluster.Forecast{} }

// queue returns a model of one node, filled by one job, for which a number of equal jobs wait.
func queue(t *testing.T, p *Policy, waiting int) *cluster.Model {
	t.Helper()
	m := cluster.NewModel()
	m.Join("n1", cluster.Description{CPU: 1000, Memory: 1024 * cluster.MiB})
	m.Consult(minuteOracle{m})
	m.Pass(cluster.Second)
	for range 1 + waiting {
		spec := cluster.Spec{Image: "busybox@sha256:aaaa", Tasks: 1, Need: 1000,
			Requirement: cluster.Requirement{Memory: 1024 * cluster.MiB}}
		if _, r := m.Submit(&spec); r != nil {
			t.Fatal(r)
		}
	}
	v := m.View()
	d := p.Decide(v)
	a := cluster.Adopt{Seen: v.Pending(), Alarms: d.Alarms}
	for id, held := range d.Target.All() {
		a.Set = append(a.Set, cluster.Holding{Job: id, Placement: *held})
	}
	if err := m.Adopt(a); err != nil {
		t.Fatal(err)
	}
	return m
}

func weighing(t *testing.T, period cluster.Time) *Policy {
	t.Helper()
	p, err := New("GreedyPM */stable", nil, period)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAClaimThatAsksNoLessThanAFailedOneIsNotTried(t *testing.T) {
	p := weighing(t, 2*cluster.Second)
	m := queue(t, p, 1000)
	m.Pass(2 * cluster.Second) // the running job is young
	b := p.decide(m.View())
	defer b.release()
	if b.steps == 0 || b.steps > 2*1001 {
		t.Errorf("%d jobs and nodes were looked at for 1000 equal jobs that wait", b.steps)
	}
}

func TestJobsBeyondTheEffortStartAtALaterTick(t *testing.T) {
	p := weighing(t, cluster.Minute)
	m := queue(t, p, 1)
	m.Pass(cluster.Minute)
	p.effort = -1
	if d := p.Decide(m.View()); d.Target.Get(1) == nil || d.Target.Get(2) != nil {
		t.Error("without effort, somebody makes way")
	}
	p.effort = effort
	if d := p.Decide(m.View()); d.Target.Get(1) != nil || d.Target.Get(2) == nil {
		t.Error("with effort, nobody makes way")
	}
}
