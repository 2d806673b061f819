package dfrs

import (
	"math"
	"math/rand/v2"
	"testing"

	"aliquot/cluster"
)

// crowded returns a model on which MCB8-stretch has mapped many jobs. One of them ended a moment before a later tick.
func crowded(t *testing.T, p *Policy, seed uint64) *cluster.Model {
	r := rand.New(rand.NewPCG(seed, 0))
	m := cluster.NewModel()
	for _, name := range []string{"n1", "n2", "n3"}[:1+r.IntN(3)] {
		m.Join(name, cluster.Description{CPU: 100_000, Memory: 4096 * cluster.MiB})
	}
	jobs := 5 + r.IntN(40)
	for range jobs {
		m.Pass(m.View().At + cluster.Time(r.Int64N(int64(p.period)/int64(jobs))))
		spec := cluster.Spec{Image: "busybox@sha256:aaaa", Tasks: 1 + r.IntN(3), Need: cluster.CPU(1 + r.IntN(100_000)),
			Requirement: cluster.Requirement{Memory: 16 * cluster.MiB}}
		if _, refusal := m.Submit(&spec); refusal != nil {
			t.Fatal(refusal)
		}
	}
	m.Pass(p.period)
	carryOut(t, m, p)
	m.Pass(p.period*cluster.Time(2+r.IntN(2000)) - cluster.Time(math.Pow(10, 4*r.Float64())))
	m.End(cluster.JobID(1 + r.IntN(jobs)))
	return m
}

// carryOut adopts the policy's decision.
func carryOut(t *testing.T, m *cluster.Model, p *Policy) {
	v := m.View()
	d := p.Decide(v)
	if d.Fallback != nil {
		t.Fatalf("at %d µs before the tick: %v", p.wake(v.At)-v.At, d.Fallback)
	}
	a := cluster.Adopt{Seen: v.Pending(), Alarms: d.Alarms}
	for id, held := range d.Target.All() {
		a.Set = append(a.Set, cluster.Holding{Job: id, Placement: *held})
	}
	if err := m.Adopt(a); err != nil {
		t.Fatalf("at %d µs before the tick: %v", p.wake(v.At)-v.At, err)
	}
}

// Just before a tick, inverse stretches hardly distinguish shares. A node of 100,000 millicores must still not be
// promised 100,001.
func TestSharesFitTheirNodesHoweverSoonTheTick(t *testing.T) {
	for _, opt := range []string{"opt=max", "opt=avg"} {
		p, err := New("/stretch-per", []string{opt}, 600*cluster.Second)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(2000) {
			carryOut(t, crowded(t, p, seed), p)
		}
	}
}
