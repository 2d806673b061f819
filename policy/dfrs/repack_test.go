package dfrs_test

import (
	"testing"

	"aliquot/cluster"
)

func TestATickTellsWhichJobsMustRestBeforeTheyMayMove(t *testing.T) {
	m, p := cluster.NewModel(), parse(t, "GreedyPM */stable")
	m.Join("n1", cluster.Description{CPU: 1000, Memory: 1024 * cluster.MiB})
	for range 2 {
		m.Pass(m.View().At + 10*cluster.Second)
		submit(t, m, 1, 1000, 16*cluster.MiB)
		adopt(t, m, p)
	}
	m.Join("n2", cluster.Description{CPU: 1000, Memory: 1024 * cluster.MiB})
	m.Pass(period)
	w := p.Decide(m.View()).Weighed
	if w == nil || w.Jobs != 0 || w.Resting != 2 || w.Rest != 10*cluster.Second || w.Fixed != 0 {
		t.Fatalf("two jobs on one node, of 10 and 20 s, beside an idle one: %+v", w)
	}
	adopt(t, m, p)
	m.Pass(2 * period)
	if w = p.Decide(m.View()).Weighed; w == nil || w.Jobs != 1 || !w.Beneficial() || w.Resting != 0 {
		t.Errorf("after they have rested: %+v", w)
	}
}
