package dfrs

import (
	"errors"
	"testing"

	"aliquot/cluster"
	"aliquot/packing"
)

func TestAFailureOfTheSolverIsToldAndSharesAreFair(t *testing.T) {
	m := cluster.NewModel()
	m.Join("n1", cluster.Description{CPU: 1000, Memory: 1024 * cluster.MiB})
	for range 2 {
		spec := cluster.Spec{Image: "busybox@sha256:aaaa", Tasks: 1, Need: 1000,
			Requirement: cluster.Requirement{Memory: 64 * cluster.MiB}}
		if _, r := m.Submit(&spec); r != nil {
			t.Fatal(r)
		}
	}
	p, err := New("Greedy *", []string{"opt=avg"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := p.Decide(m.View()); d.Fallback != nil {
		t.Errorf("nothing has failed: %v", d.Fallback)
	}
	gaveUp := errors.New("the solver gave up")
	solve := p.average
	p.average = func(*packing.Problem, packing.Mapping, float64, []float64) ([]float64, error) { return nil, gaveUp }
	d := p.Decide(m.View())
	if !errors.Is(d.Fallback, gaveUp) || d.Target.Get(1).Cap != 500 || d.Target.Get(2).Cap != 500 {
		t.Errorf("%v: %v", d.Fallback, d.Target)
	}
	p.average = solve
	if d := p.Decide(m.View()); d.Fallback != nil {
		t.Errorf("an old failure is told again: %v", d.Fallback)
	}
}
