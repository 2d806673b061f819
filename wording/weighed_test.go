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
		{0, 0, 0, false, "no beneficial move: no other mapping that memory, nodes and platforms allow gives running jobs more"},
		{1, 900 * cluster.Second, 300 * cluster.Second, true,
			"moving 1 job gains 900.0 s of progress within 1 h and costs 300.0 s"},
		{3, 600 * cluster.Second, 300 * cluster.Second, false,
			"no beneficial move: moving 3 jobs gains 600.0 s of progress within 1 h and costs 300.0 s; it must gain more than 2 times its cost"},
		{1, cluster.Second / 2, 0, false,
			"no beneficial move: moving 1 job gains 0.5 s of progress within 1 h and costs 0.0 s; it must gain at least 1 s"},
		{1, -15 * cluster.Second, 2 * cluster.Second, false,
			"no beneficial move: moving 1 job loses 15.0 s of progress within 1 h and costs 2.0 s; it must gain at least 1 s"},
		{1, cluster.Second, 0, true, "moving 1 job gains 1.0 s of progress within 1 h and costs 0.0 s"},
	} {
		w.Jobs, w.Gain, w.Cost = c.jobs, c.gain, c.cost
		if w.Beneficial() != c.beneficial || Weighed(&w) != c.text {
			t.Errorf("%+v is beneficial: %v, says %q", w, w.Beneficial(), Weighed(&w))
		}
	}
}

func TestAPlanThatWasNotFoundSaysWhatHoldsTheJobs(t *testing.T) {
	const rest = "must rest before they may move, the first for another "
	const fixed = "below their need cannot be moved at present"
	for _, c := range []struct {
		w    cluster.Weighed
		text string
	}{
		{cluster.Weighed{Resting: 2, Rest: 90*cluster.Second - 1}, "2 jobs below their need " + rest + "1 min 30 s"},
		{cluster.Weighed{Fixed: 1}, "1 job below its need cannot be moved at present"},
		{cluster.Weighed{Resting: 1, Rest: cluster.Minute, Fixed: 3},
			"1 job below its need must rest before it may move, for another 1 min, and 3 jobs " + fixed},
		{cluster.Weighed{Jobs: 1, Gain: 4, Margin: 2, Horizon: cluster.Hour, Fixed: 2}, "moving 1 job gains 0.0 s of " +
			"progress within 1 h and costs 0.0 s; it must gain at least 1 s; 2 jobs " + fixed},
	} {
		if text := Weighed(&c.w); text != "no beneficial move: "+c.text {
			t.Errorf("%+v says %q, want %q", c.w, text, c.text)
		}
	}
}
