package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/policy"
	"aliquot/workload"
)

// whole is a job that takes the CPU of a whole node.
func whole(id int64, submit, runtime cluster.Time) workload.Job {
	return workload.Job{ID: id, Submit: submit, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory / 2,
		Runtime: runtime}
}

func TestTicksAreNotPlayedThroughWhileNobodyIsThere(t *testing.T) {
	const far = 1_000_000_000 * cluster.Second
	for _, name := range []string{"/per", "GreedyPM */per/opt=min/minvt=600", "GreedyPM */stable",
		"/stretch-per/opt=max"} {
		jobs := []workload.Job{whole(1, 0, 60*cluster.Second), whole(2, far+100*cluster.Second, 60*cluster.Second),
			whole(3, far+200*cluster.Second, 60*cluster.Second)}
		result, err := Run(setup(t, 1, name), jobs)
		if err != nil {
			t.Fatal(err)
		}
		if result.Decisions > 10 || result.Instants > 10 {
			t.Errorf("%s: %d decisions at %d instants for three jobs", name, result.Decisions, result.Instants)
		}
	}
}

// attentive records whether its policy decides on a due tick.
type attentive struct {
	policy.Policy
	due *[]cluster.Time
}

func (a attentive) Decide(v *cluster.View) policy.Decision {
	if v.Pending().Rings(cluster.AlarmTick) {
		*a.due = append(*a.due, v.At)
	}
	return a.Policy.Decide(v)
}

func TestTicksKeepToTheirGridWhenJobsComeBack(t *testing.T) {
	// The second job comes within a period, at 6700 s, the third on a tick, at 12,000 s.
	jobs := []workload.Job{whole(1, 0, 60*cluster.Second), whole(2, 6700*cluster.Second, 60*cluster.Second),
		whole(3, 12_000*cluster.Second, 60*cluster.Second)}
	s := setup(t, 1, "/per")
	var due []cluster.Time
	s.Policy = attentive{s.Policy, &due}
	result, err := Run(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	var starts []cluster.Time
	for _, o := range result.Jobs {
		starts = append(starts, o.Started/cluster.Second)
	}
	if diff := cmp.Diff([]cluster.Time{0, 7200, 12_000}, starts); diff != "" {
		t.Errorf("starts (-want +got):\n%s", diff)
	}
	want := []cluster.Time{6700*cluster.Second - 1, 7200 * cluster.Second, 12_000*cluster.Second - 1,
		12_000 * cluster.Second}
	if diff := cmp.Diff(want, due); diff != "" {
		t.Errorf("ticks (-want +got):\n%s", diff)
	}
}

func TestPerfectEstimatesAreNotCutOff(t *testing.T) {
	const day = 24 * cluster.Hour
	// The second job waits for both nodes until the first ends, after 800 days. The third has ended by then.
	jobs := []workload.Job{whole(1, 0, 800*day), whole(2, 1, day), whole(3, 2, 500*day)}
	jobs[1].Tasks = 2
	result, err := Run(setup(t, 2, "EASY"), jobs)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range result.Jobs {
		if want := map[int64]cluster.Time{1: 0, 2: 800 * day, 3: 2}[o.ID]; o.Started != want {
			t.Errorf("job %d starts at %v, not %v", o.ID, o.Started, want)
		}
	}
}
