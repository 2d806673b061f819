package workload

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
)

func TestLoadCountsANodePerTask(t *testing.T) {
	jobs := []Job{
		{ID: 1, Submit: 100 * cluster.Second, Tasks: 2, Need: UnitCPU / 4, Runtime: 30 * cluster.Second},
		{ID: 2, Submit: 110 * cluster.Second, Tasks: 1, Need: UnitCPU, Runtime: 20 * cluster.Second},
	}
	if got := Load(jobs, 4); got != 2 {
		t.Errorf("load %v, want 80 node seconds of 40", got)
	}
	if got := Load(jobs[:1], 4); !math.IsInf(got, 1) || Load(nil, 4) != 0 {
		t.Errorf("load of one job: %v", got)
	}
}

func TestScalingChangesInterArrivalTimesOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfNDistinct(rapid.Custom(drawJob), 2, 20, func(j Job) int64 { return j.ID }).Draw(t, "jobs")
		for i := range jobs {
			jobs[i].Submit %= 1e12
			jobs[i].Runtime = jobs[i].Runtime%1e10 + 1e9
		}
		jobs[0].Submit, jobs[1].Submit = 0, 1e12
		slices.SortFunc(jobs, Job.Compare)
		before := slices.Clone(jobs)
		load := rapid.Float64Range(0.1, 2).Draw(t, "load")
		scaled, err := Scale(jobs, 128, load)
		if err != nil {
			t.Fatal(err)
		}
		if got := Load(scaled, 128); math.Abs(got-load) > 1e-5*load {
			t.Fatalf("load %v, want %v", got, load)
		}
		if diff := cmp.Diff(before, jobs); diff != "" {
			t.Fatalf("the stream itself changed:\n%s", diff)
		}
		factor := float64(scaled[len(scaled)-1].Submit) / 1e12
		at := map[int64]Job{}
		for _, j := range scaled {
			at[j.ID] = j
		}
		for _, j := range jobs {
			s := at[j.ID]
			if math.Abs(float64(s.Submit)-float64(j.Submit)*factor) > 1+1e-6*float64(s.Submit) {
				t.Fatalf("job %d from %d to %d with factor %v", j.ID, j.Submit, s.Submit, factor)
			}
			if s.Submit = j.Submit; s != j {
				t.Fatalf("%+v became %+v", j, s)
			}
		}
		if !slices.IsSortedFunc(scaled, Job.Compare) {
			t.Fatal("not in order")
		}
	})
}

func TestUnscalableStreamsAreRefused(t *testing.T) {
	one := []Job{{ID: 1, Tasks: 1, Runtime: cluster.Second}}
	two := append(one, Job{ID: 2, Submit: cluster.Second, Tasks: 1, Runtime: cluster.Second})
	for _, c := range []struct {
		jobs []Job
		load float64
	}{{nil, 1}, {one, 1}, {two, 1e-12}, {two, 0}} {
		if got, err := Scale(c.jobs, 1, c.load); err == nil {
			t.Errorf("%d jobs to load %v: %v", len(c.jobs), c.load, got)
		}
	}
}

func TestTimesRestartWithTheSegment(t *testing.T) {
	const week = 7 * 24 * cluster.Hour
	got := Split([]Job{{ID: 4, Submit: 3*week + 1}, {ID: 1, Submit: 5}, {ID: 2, Submit: week - 1}, {ID: 3, Submit: week}},
		week)
	want := []Segment{
		{0, []Job{{ID: 1, Submit: 5}, {ID: 2, Submit: week - 1}}},
		{1, []Job{{ID: 3}}},
		{3, []Job{{ID: 4, Submit: 1}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
