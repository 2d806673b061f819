package course_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/sim/course"
	"aliquot/workload"
)

func TestAStepSumsTheSharesOfItsJobs(t *testing.T) {
	c := course.New()
	c.Hold(sim.Span{From: 30 * cluster.Second, To: 90 * cluster.Second, Nodes: []cluster.NodeID{1, 2}, Share: 500}, 1000)
	c.End(sim.Outcome{Job: workload.Job{Submit: 0}, Ended: 90 * cluster.Second})
	steps, length := c.Steps()
	want := []course.Step{{Granted: 30_000, Holding: 30, Yield: 15, Present: 60, Least: 0.5},
		{Granted: 30_000, Holding: 30, Yield: 15, Present: 30, Least: 0.5}}
	if length != cluster.Minute || len(steps) != 2 || steps[0] != want[0] || steps[1] != want[1] {
		t.Errorf("%v: %+v", length, steps)
	}
}

// However long a stream is, nothing is lost and the number of steps stays small.
func TestLongStreamsHaveLongerSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, held := course.New(), 0.0
		for range rapid.IntRange(1, 30).Draw(t, "spans") {
			from := cluster.Time(rapid.Int64Range(0, int64(1000*cluster.Hour)).Draw(t, "from"))
			to := from + cluster.Time(rapid.Int64Range(0, int64(100*cluster.Hour)).Draw(t, "length"))
			c.Hold(sim.Span{From: from, To: to, Nodes: []cluster.NodeID{1}, Share: 100}, 100)
			held += (to - from).Seconds()
		}
		steps, _ := c.Steps()
		sum := 0.0
		for _, s := range steps {
			sum += s.Holding
		}
		if len(steps) > 600 || math.Abs(sum-held) > 1e-6*(1+held) {
			t.Fatalf("%d steps hold %v s of %v s", len(steps), sum, held)
		}
	})
}
