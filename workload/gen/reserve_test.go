package gen

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"aliquot/cluster"
	"aliquot/workload"
)

func TestReservationsHaveThePapersSizesRunTimesAndWindows(t *testing.T) {
	p := Reserve{UMed: 7, Arrival: 1, Ahead: 2, Deadline: 4}
	jobs := p.Draw(NewDice(1, 0), 1024, 20_000)
	wide, ahead, slack := 0, 0.0, 0.0
	for _, j := range jobs {
		if bits.OnesCount(uint(j.Tasks)) != 1 || j.Tasks < 32 || j.Tasks > 1024 ||
			!slices.Contains(runtimes, j.Runtime/cluster.Second) || j.Check() != nil {
			t.Fatalf("%+v: %v", j, j.Check())
		}
		before, after := j.Ready-j.Submit, j.Deadline-j.Ready-j.Runtime
		if before < 0 || before > 2*j.Runtime || after < 0 || after > 4*j.Runtime {
			t.Fatalf("%+v", j)
		}
		ahead += before.Seconds() / j.Runtime.Seconds() / float64(len(jobs))
		slack += after.Seconds() / j.Runtime.Seconds() / float64(len(jobs))
		if j.Tasks > 128 {
			wide++
		}
	}
	if math.Abs(ahead-1) > .03 || math.Abs(slack-2) > .05 {
		t.Errorf("jobs are ready %.3f run times ahead, with %.3f of slack", ahead, slack)
	}
	if part := float64(wide) / float64(len(jobs)); part < .13 || part > .18 { // 0.18 × the part of 7…10 that is rounded up
		t.Errorf("%.3f of the jobs are wider than 128", part)
	}
}

func TestTheArrivalFactorMovesSubmissionsAlone(t *testing.T) {
	fast, usual := UsualReserve, UsualReserve
	fast.Arrival = 2
	a, b := fast.Draw(NewDice(1, 0), 1024, 100), usual.Draw(NewDice(1, 0), 1024, 100)
	for i := range a {
		if a[i].Submit != b[i].Submit/2/cluster.Second*cluster.Second || a[i].Ready-a[i].Submit != b[i].Ready-b[i].Submit ||
			a[i].Deadline-a[i].Ready != b[i].Deadline-b[i].Ready || a[i].Tasks != b[i].Tasks {
			t.Fatalf("%+v and %+v", a[i], b[i])
		}
	}
}

func TestTheOfferedLoadGrowsWithTheSizes(t *testing.T) {
	for i, want := range []float64{.47, .59, .81, 1.18, 1.95} { // docs/formats/reservations.md
		p := UsualReserve
		p.UMed = float64(5 + i)
		if load := workload.Load(p.Draw(NewDice(1, 0), 1024, 20_000), 1024); math.Abs(load/want-1) > .15 {
			t.Errorf("UMed %g: load %.2f, want %.2f", p.UMed, load, want)
		}
	}
}
