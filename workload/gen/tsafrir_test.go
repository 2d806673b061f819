package gen

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/workload"
)

const longDay = 18 * cluster.Hour

func estimated(t *testing.T, jobs []workload.Job) []workload.Job {
	t.Helper()
	all, _, err := Estimates(NewDice(2, 0), jobs, longDay)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNoEstimateIsBelowTheRunTimeOrAboveTheMaximum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dice := NewDice(rapid.Uint64().Draw(t, "seed"), 0)
		jobs := Feitelson.Draw(dice, 320, rapid.IntRange(1, 3000).Draw(t, "jobs"))
		maximum := rapid.SampledFrom([]cluster.Time{longDay, 24 * cluster.Hour, 100*cluster.Hour + 1}).Draw(t, "maximum")
		all, cut, err := Estimates(dice, jobs, maximum)
		if err != nil {
			if strings.Contains(err.Error(), "another seed") { // a law of small numbers
				return
			}
			t.Fatal(err)
		}
		for i, j := range all {
			if j.Estimate < j.Runtime || j.Estimate > maximum || cut > 0 {
				t.Fatalf("%d were cut; %+v", cut, j)
			}
			if j.Estimate = 0; j != jobs[i] {
				t.Fatalf("%+v became %+v", jobs[i], j)
			}
		}
		again, _, _ := Estimates(dice, jobs, maximum)
		if d := diff.Diff(all, again); d != "" {
			t.Fatalf("the same seed again:\n%s", d)
		}
	})
}

func TestTwentyEstimatesArePopularAndTheMaximumMost(t *testing.T) {
	count := map[cluster.Time]int{}
	for _, j := range estimated(t, Feitelson.Draw(NewDice(1, 0), 320, draws)) {
		count[j.Estimate]++
	}
	var popular []cluster.Time
	for e := range count {
		popular = append(popular, e)
	}
	slices.SortFunc(popular, func(a, b cluster.Time) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	if popular[0] != longDay || math.Abs(float64(count[longDay])/draws-0.217) > 0.001 {
		t.Errorf("the most popular is %g s: %d jobs", popular[0].Seconds(), count[popular[0]])
	}
	jobs := 0
	for _, e := range popular[:head] {
		jobs += count[e]
		if e%(5*minute) != 0 {
			t.Errorf("%g s is popular", e.Seconds())
		}
	}
	if math.Abs(float64(jobs)/draws-headShare) > 0.001 {
		t.Errorf("%d jobs have popular estimates", jobs)
	}
	if n := len(popular); n < 80 || n > 90 {
		t.Errorf("%d different estimates", n)
	}
}

func TestPopularEstimatesAreThoseOfTheLogsCompletedByRoundOnes(t *testing.T) {
	hours := func(times []cluster.Time) (all []float64) {
		for _, e := range times {
			all = append(all, float64(e/minute)/60)
		}
		return all
	}
	for maximum, want := range map[cluster.Time][]float64{
		longDay: {18, 1. / 12, 1. / 6, .25, 1. / 3, .5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 14, 17, 13},
		160 * cluster.Hour: {160, 1. / 12, 1. / 6, .25, 1. / 3, .5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 100, 150, 50,
			140},
	} {
		slices.Sort(want[1:])
		if d := diff.Diff(want, hours(headTimes(maximum))); d != "" {
			t.Error(d)
		}
	}
	for maximum := LeastMaximum; maximum < 300*cluster.Hour; maximum += 7 * minute {
		if got := headTimes(maximum); len(got) != head || slices.Max(got) != maximum {
			t.Fatalf("%g s: %v", maximum.Seconds(), got)
		}
	}
}

func TestRanksOfPopularityAreAPermutationWithTheMaximumFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ranks := headRanks(NewDice(rapid.Uint64().Draw(t, "seed"), 0).rand(forEstimates))
		if ranks[0] != 1 {
			t.Fatalf("the maximum has rank %d", ranks[0])
		}
		slices.Sort(ranks[:])
		for i, rank := range ranks {
			if rank != i+1 {
				t.Fatalf("%v", ranks)
			}
		}
	})
}

func TestTheNumberOfEstimatesIsThatOfTheLogs(t *testing.T) {
	for jobs, want := range map[int]int{
		1: 1, 20: 10, 110: 15, 200: 20, 10_000: 90, 40_000: 215, 250_000: 565, 9_000_000: 565,
	} {
		if got := binCount(jobs); got != want {
			t.Errorf("%d jobs have %d estimates, not %d", jobs, got, want)
		}
	}
}

func TestEstimatesRefuseWhatTheModelCannotGive(t *testing.T) {
	long := make([]workload.Job, 100)
	for i := range long {
		long[i] = workload.Job{ID: int64(i + 1), Tasks: 1, Need: 1, Memory: 1, Runtime: 20 * cluster.Hour}
	}
	dice := NewDice(1, 0)
	_, cut, err := Estimates(dice, long, longDay)
	if err == nil || cut != 100 ||
		!strings.Contains(err.Error(), "25 jobs run for 64800 s or longer, but the model drew only 24") {
		t.Errorf("%d were cut: %v", cut, err)
	}
	if _, _, err := Estimates(dice, long, LeastMaximum-1); err == nil || !strings.Contains(err.Error(), "6000 s") {
		t.Error(err)
	}
}

func TestEstimatesRefuseStreamsWithDeadlines(t *testing.T) {
	jobs := []workload.Job{{ID: 1, Runtime: cluster.Minute}, {ID: 2, Runtime: cluster.Minute, Deadline: cluster.Minute}}
	if _, _, err := Estimates(NewDice(1, 0), jobs, longDay); err == nil || !strings.Contains(err.Error(),
		"job 2 has a deadline") {
		t.Error(err)
	}
}
