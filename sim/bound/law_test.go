package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/workload"
)

// slack is the promised greatest relative distance of the optimum above the bound.
const slack = 2e-4

func near(t *rapid.T, b Bound, optimum float64) {
	t.Helper()
	if b.Stretch > optimum*(1+1e-6) || optimum > b.Stretch*(1+slack) {
		t.Errorf("%.9f is no bound to 0.02%% of %.9f", b.Stretch, optimum)
	}
}

func TestBoundIsThatOfTheWorstSetOfJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawJobs(t, 6), rapid.IntRange(1, 3).Draw(t, "nodes")
		near(t, mustBound(t, nodes, jobs), bySubsets(plainly(jobs), nodes))
	})
}

func TestBoundOnOneNodeIsThatOfEarliestDeadlineFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := drawJobs(t, 40)
		for i := range jobs {
			jobs[i].Tasks, jobs[i].Need = 1, workload.UnitCPU
			jobs[i].Submit *= 10
		}
		near(t, mustBound(t, 1, jobs), byEarliestDeadline(plainly(jobs)))
	})
}

func TestBoundIsWhereTheLinearSystemBeginsToHaveSolutions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawJobs(t, 15), rapid.IntRange(1, 4).Draw(t, "nodes")
		b := mustBound(t, nodes, jobs)
		if below := b.Stretch * (1 - slack/2); below > 1 && byLinearProgram(plainly(jobs), nodes, below) {
			t.Errorf("%v is above the optimum: the linear program solves %v", b.Stretch, below)
		}
		if above := b.Stretch * (1 + slack); !byLinearProgram(plainly(jobs), nodes, above) {
			t.Errorf("%v is too low: the linear program cannot solve %v", b.Stretch, above)
		}
	})
}

func TestBoundCarriesItsProof(t *testing.T) {
	for number := range 8 {
		nodes := []int{2, 8, 32, 128}[number%4]
		load := []float64{0.5, 0.9, 1.3}[number%3]
		jobs := stream(t, number, 250, nodes, load)
		b := mustBound(t, nodes, jobs)
		proveImpossible(t, jobs, nodes, b)
		proveSchedule(t, requests(jobs), nodes, b.Stretch*(1+slack))
	}
}

// proveImpossible checks that the critical jobs have exactly enough CPU at the bound and too little below it.
func proveImpossible(t *testing.T, jobs []workload.Job, nodes int, b Bound) {
	t.Helper()
	critical := plainly(slices.DeleteFunc(slices.Clone(jobs), func(j workload.Job) bool {
		return !slices.Contains(b.Critical.Jobs, j.ID)
	}))
	if b.Stretch == 1 {
		return
	}
	if short := shortage(critical, nodes, b.Stretch*(1-1e-6)); short <= 0 {
		t.Errorf("below %v, %d critical jobs have %v node-seconds to spare", b.Stretch, len(critical), -short)
	}
	if short := shortage(critical, nodes, b.Stretch*(1+1e-6)); short > 0 {
		t.Errorf("above %v, the critical jobs are still short of %v node-seconds", b.Stretch, short)
	}
}

// proveSchedule makes a schedule of all jobs in all intervals, without any reduction, and checks it line by line
// against system (1).
func proveSchedule(t *testing.T, all []request, nodes int, stretch float64) {
	t.Helper()
	capacity := float64(nodes) * float64(workload.UnitCPU)
	f := newFlow(everything(all, stretch), capacity)
	if !f.complete() {
		t.Errorf("there is no schedule for %v", stretch)
		return
	}
	used := make([]float64, len(f.slots))
	for i, claim := range f.claims {
		sum := 0.0
		for k, time := range f.row(int32(i)) {
			slot := f.slots[claim.from+k]
			if time < -grain || time > slot.length()+grain || slot.begin < claim.release || slot.end > claim.deadline(stretch) {
				t.Errorf("job %d runs for %v of %+v", claim.id, time, slot)
			}
			sum += time
			used[claim.from+k] += time * claim.rate
		}
		if math.Abs(sum-claim.length) > 1 {
			t.Errorf("job %d runs for %v, not %v", claim.id, sum, claim.length)
		}
	}
	for s, amount := range used {
		if most := capacity * f.slots[s].length(); amount > most*(1+1e-9) {
			t.Errorf("%v of %v is used in %+v", amount, most, f.slots[s])
		}
	}
}

// everything returns the flow problem without any reduction.
func everything(all []request, stretch float64) (c core) {
	var dates []float64
	for _, r := range all {
		dates = append(dates, r.release, math.Floor(r.deadline(stretch)))
	}
	slices.Sort(dates)
	dates = slices.Compact(dates)
	for i := 1; i < len(dates); i++ {
		c.slots = append(c.slots, slot{dates[i-1], dates[i]})
	}
	for _, r := range all {
		deadline := math.Floor(r.deadline(stretch))
		from, _ := slices.BinarySearch(dates, r.release)
		to, _ := slices.BinarySearch(dates, deadline)
		c.claims = append(c.claims, claim{r, deadline, r.length, from, to})
	}
	return c
}

func TestBoundDoesNotDependOnTheOrderOfJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawJobs(t, 20), rapid.IntRange(1, 4).Draw(t, "nodes")
		want := mustBound(t, nodes, jobs)
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Shuffle(len(jobs), func(i, k int) {
			jobs[i], jobs[k] = jobs[k], jobs[i]
		})
		if diff := cmp.Diff(want, mustBound(t, nodes, jobs)); diff != "" {
			t.Errorf("(-before +after shuffling):\n%s", diff)
		}
	})
}

func TestMoreNodesOrFewerJobsDoNotRaiseTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawJobs(t, 20), rapid.IntRange(1, 4).Draw(t, "nodes")
		most := mustBound(t, nodes, jobs).Stretch * (1 + slack)
		if more := mustBound(t, nodes+1, jobs).Stretch; more > most {
			t.Errorf("%d nodes: at most %v; one more: %v", nodes, most, more)
		}
		if fewer := mustBound(t, nodes, jobs[1:]).Stretch; fewer > most {
			t.Errorf("%d jobs: at most %v; one less: %v", len(jobs), most, fewer)
		}
	})
}

func TestBoundDoesNotDependOnWhereAndInWhichUnitTimeBegins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawJobs(t, 20), rapid.IntRange(1, 4).Draw(t, "nodes")
		for i := range jobs {
			jobs[i].Runtime = max(jobs[i].Runtime, workload.ShortTime)
		}
		want := mustBound(t, nodes, jobs).Stretch
		for i := range jobs {
			jobs[i].Submit, jobs[i].Runtime = 3600*workload.ShortTime+7*jobs[i].Submit, 7*jobs[i].Runtime
		}
		if got := mustBound(t, nodes, jobs).Stretch; math.Abs(got-want) > slack*want {
			t.Errorf("%v became %v", want, got)
		}
	})
}
