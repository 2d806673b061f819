package wording

import (
	"testing"

	"aliquot/cluster"
)

func TestTheWorthOfAPlanIsGivenInNumbers(t *testing.T) {
	w := cluster.Weighed{Horizon: cluster.Hour, Margin: 2}
	for _, c := range []struct {
		jobs       int
		gain, cost cluster.Time
		beneficial bool
		text       string
	}{
		{0, 0, 0, false, "no beneficial move: no other mapping gives running jobs more"},
		{1, 900 * cluster.Second, 300 * cluster.Second, true,
			"moving 1 job gains 900.0 s of progress within 1 h and costs 300.0 s"},
		{3, 600 * cluster.Second, 300 * cluster.Second, false,
			"no beneficial move: moving 3 jobs gains 600.0 s of progress within 1 h and costs 300.0 s; it must gain more than 2 times its cost"},
		{1, cluster.Second / 2, 0, false,
			"no beneficial move: moving 1 job gains 0.5 s of progress within 1 h and costs 0.0 s; it must gain at least 1 s"},
		{1, cluster.Second, 0, true, "moving 1 job gains 1.0 s of progress within 1 h and costs 0.0 s"},
	} {
		w.Jobs, w.Gain, w.Cost = c.jobs, c.gain, c.cost
		if w.Beneficial() != c.beneficial || Weighed(&w) != c.text {
			t.Errorf("%+v is beneficial: %v, says %q", w, w.Beneficial(), Weighed(&w))
		}
	}
}
