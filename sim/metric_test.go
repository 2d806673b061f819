package sim

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/workload"
)

func TestMeasuresAreThoseOfTheReport(t *testing.T) {
	half := workload.Job{Tasks: 2, Need: workload.UnitCPU / 2, Memory: workload.UnitMemory / 4,
		Runtime: 100 * cluster.Second}
	first, second := half, half
	first.ID, second.ID, second.Submit = 1, 2, 20*cluster.Second
	p := parseScript("0s j1 50000m n1 n2\n10s j1 50000m n1 n1\n20s j2 50000m n2 n2\n30s j2 paused\n40s j2 10000m n2 n2\n")
	setup := Setup{Nodes: Units(2), Policy: p, Penalty: 10 * cluster.Second}
	result, err := Run(setup, []workload.Job{first, second})
	if err != nil {
		t.Fatal(err)
	}
	// Job 1 moves one task at 10 s, pays until 20 s, and ends at 110 s. Job 2 runs from 20 s to 30 s and pays from 40 s to
	// 50 s. Then it has 90 s of work left at a fifth of its need, so it ends at 500 s.
	got := result.Summary()
	want := Summary{
		Jobs: 2, MaxStretch: 4.8, AvgStretch: (1.1 + 4.8) / 2, MaxBoundedStretch: 4.8, AvgBoundedStretch: (1.1 + 4.8) / 2,
		P50BoundedStretch: 1.1, P90BoundedStretch: 4.8, P99BoundedStretch: 4.8,
		MaxTurnaround: 480, AvgTurnaround: (110. + 480) / 2, P50Turnaround: 110, P90Turnaround: 480, P99Turnaround: 480,
		Demand:                     (20*1 + 90*2 + 390*1) / (2 * 500.),
		Utilization:                200 / (2 * 500.),
		NormalizedUnderutilization: (20*1+90*2+390*1)/200. - 1,
		PenaltyUnderutilization:    (10*1 + 10*0.2) / 200.,
		PreemptionsPerJob:          0.5, MigrationsPerJob: 0.5, PreemptionsPerHour: 3600 / 500.,
		MigrationsPerHour:     3600 / 500.,
		PreemptionGBPerSecond: 2 * 2 / 500., MigrationGBPerSecond: 2 / 500.,
		Makespan: 500, Instants: got.Instants, Decisions: got.Decisions,
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-9 })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStretchesOfShortJobsAreBounded(t *testing.T) {
	for _, c := range []struct {
		runtime, turnaround cluster.Time
		stretch, bounded    float64
	}{{1, 5, 5, 1}, {1, 20, 20, 2}, {100, 250, 2.5, 2.5}} {
		o := Outcome{Job: workload.Job{Runtime: c.runtime * cluster.Second, Submit: 7},
			Ended: 7 + c.turnaround*cluster.Second}
		if o.Stretch() != c.stretch || o.BoundedStretch() != c.bounded {
			t.Errorf("%+v: %v and %v", c, o.Stretch(), o.BoundedStretch())
		}
	}
}

func TestDecisionsAreTimedByTheClockThatIsHandedIn(t *testing.T) {
	jobs := make([]workload.Job, 12)
	for i := range jobs {
		jobs[i] = workload.Job{ID: int64(i + 1), Submit: cluster.Time(i) * cluster.Second, Tasks: 1, Need: workload.UnitCPU,
			Memory: workload.UnitMemory / 20, Runtime: cluster.Hour}
	}
	s := setup(t, 1, "Greedy *")
	now := time.Duration(0)
	s.Clock = func() time.Duration { now += time.Second; return now }
	result, err := Run(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if few, many := result.Timing.Few, result.Timing.Many; few.Count+many.Count != result.Decisions || many.Count != 3 ||
		few.Mean() != time.Second || few.Max != time.Second {
		t.Errorf("%+v of %d", result.Timing, result.Decisions)
	}
}

// restless moves a job to and fro.
type restless struct{ every cluster.Time }

func (p restless) Decide(v *cluster.View) policy.Decision {
	d := policy.Decision{Target: cluster.NewAllocation(),
		Alarms: []cluster.Alarm{{At: v.At + p.every, Kind: cluster.AlarmTick}}}
	if v.Job(1) != nil {
		d.Target.Set(1, &cluster.Placement{Grant: cluster.Foreground.Grant(1),
			Nodes: []cluster.NodeID{1 + cluster.NodeID(v.At/p.every%2)}})
	}
	return d
}

func TestReschedulingThatTakesAllTheTimeIsAnError(t *testing.T) {
	job := workload.Job{ID: 1, Tasks: 1, Need: 1, Memory: workload.UnitMemory, Runtime: cluster.Hour}
	setup := Setup{Nodes: Units(2), Policy: restless{cluster.Minute}, Penalty: cluster.Minute}
	if _, err := Run(setup, []workload.Job{job}); err == nil ||
		!strings.Contains(err.Error(), "none of 1 jobs has made progress for 100000 instants") {
		t.Error(err)
	}
	setup.Penalty--
	job.Runtime = 100
	if _, err := Run(setup, []workload.Job{job}); err != nil {
		t.Error(err)
	}
}

func TestEstimatesAreWhatPoliciesMayKnow(t *testing.T) {
	j := workload.Job{Runtime: cluster.Hour, Estimate: 2 * cluster.Hour}
	if Perfect.of(&j) != cluster.Hour || Traced.of(&j) != 2*cluster.Hour || Traced.of(&workload.Job{Runtime: 1}) != 0 {
		t.Error("not as told")
	}
}

func TestARunEndsWhenWhoWatchesSaysSo(t *testing.T) {
	s := setup(t, 2, "/per")
	jobs := []workload.Job{{ID: 1, Tasks: 1, Need: 1, Memory: workload.UnitMemory, Runtime: 10_000 * cluster.Hour}}
	seen := Progress{}
	s.Watch = func(p Progress) error { seen = p; return errors.New("enough") }
	if _, err := Run(s, jobs); err == nil || seen != (Progress{Now: seen.Now, Jobs: 1, Submitted: 1}) || seen.Now == 0 {
		t.Errorf("%v, %+v", err, seen)
	}
}
