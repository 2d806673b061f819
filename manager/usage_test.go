package manager

import (
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/wire"
)

var rootInDefault = past.Holder{Project: "default", Owner: "root"}

// total sums what root had in all hours.
func total(m *Manager) (sum past.Amounts) {
	for _, hour := range m.Accounts(0, 1<<60) {
		sum = sum.Plus(hour.Of[rootInDefault], 1)
	}
	return sum
}

// waiting lets a job wait for some samples, ten seconds each. It returns how long it waited, in seconds.
func (c *trio) waiting(leader *Manager, samples int) float64 {
	for range samples + 1 {
		leader.sample(leader.Latest())
		c.passed.Add(int64(10 * time.Second))
	}
	return float64(10 * samples)
}

func TestUsageSurvivesARestartAndAChangeOfLeader(t *testing.T) {
	c := newTrio(t)
	for id := uint64(1); id <= 3; id++ {
		c.start(id, 0)
	}
	leader := c.leader()
	image, err := leader.PutImage(t.Context(), admin, "busybox", files("kernel", "k", "initrd", "i"))
	c.ok(err)
	_, err = leader.Do(t.Context(), admin, "", cluster.Submit{Spec: &cluster.Spec{Owner: "root", Project: "default",
		Tasks: 1, Need: 500, Requirement: cluster.Requirement{Memory: 96 * cluster.MiB}, Image: image.Reference()}})
	c.ok(err)
	kept := PastLimits{Folder: t.TempDir(), Bytes: 1 << 20}
	waited := c.waiting(leader, 30)
	near := func(x float64) bool { return x > waited-5 && x < waited+5 }
	r := leader.openRecords(kept)
	r.step(t.Context())
	r.close()
	if got := total(leader); !near(got.Waited) || got.Granted != 0 {
		t.Errorf("it waited for %v s: %+v", waited, got)
	}
	for _, m := range c.all {
		if m == leader {
			m.past.forget()
			m.openRecords(kept).close()
		} else {
			m.openRecords(PastLimits{}).step(t.Context())
		}
		if got := total(m); !near(got.Waited) {
			t.Errorf("manager %d knows of %v s", m.cfg.Replica, got.Waited)
		}
	}
	if t := leader.Totals(); len(t) != 0 {
		c.Errorf("the counters since its start are %v", t)
	}
}

func TestASilentNodeUsesNothing(t *testing.T) {
	var u usage
	run := cluster.RunID{Job: 1, Number: 1}
	u.put(1, []wire.Usage{{Run: run, CPU: 400}}, time.Hour)
	for now, want := range map[time.Duration]cluster.CPU{time.Hour + time.Minute: 400, time.Hour + time.Minute + 1: 0} {
		got, ok := u.recent(run, now)
		sum, told := u.byNode(now)[1]
		if got.CPU != want || cluster.CPU(sum) != want || ok != (want != 0) || told != ok {
			t.Errorf("%v after its last sample the run uses %v, the node %v", now-time.Hour, got.CPU, sum)
		}
	}
}

func TestAMachineIsForgottenWithItsNodeAndWhenItsNodeIsSilent(t *testing.T) {
	var u usage
	run := cluster.RunID{Job: 1, Number: 1}
	for node := range cluster.NodeID(3) {
		u.put(node, []wire.Usage{{Run: run, CPU: 400}}, time.Hour)
		u.putHost(node, wire.Host{Memory: 7})
	}
	if _, ok := u.host(1, time.Hour+time.Minute); !ok {
		t.Error("the machine is forgotten within a minute")
	}
	if h, ok := u.host(1, time.Hour+time.Minute+1); ok {
		t.Errorf("the machine of a silent node: %+v", h)
	}
	u.drop(func(node cluster.NodeID) bool { return node == 2 })
	if h, ok := u.host(2, time.Hour); ok {
		t.Errorf("the machine of a removed node: %+v", h)
	}
	if _, ok := u.get(run); ok {
		t.Error("a run of a removed node is not forgotten")
	}
	if _, ok := u.host(1, time.Hour); !ok {
		t.Error("the machine of a node that stays is forgotten")
	}
}

func TestAManagerThatNoLongerLeadsForgetsTheSamples(t *testing.T) {
	m := &Manager{elapsed: func() time.Duration { return time.Hour }}
	n1, run := cluster.NodeID(1), cluster.RunID{Job: 1, Number: 1}
	m.epoch.Store(1)
	m.usage.put(n1, []wire.Usage{{Run: run, CPU: 400}}, m.elapsed())
	m.usage.putHost(n1, wire.Host{Memory: 7})
	m.descend()
	if h, ok := m.Host(n1); ok {
		t.Errorf("the machine: %+v", h)
	}
	if u, ok := m.Usage(run); ok {
		t.Errorf("the run: %+v", u)
	}
}
