package bound

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/workload"
)

func mustBound(t interface {
	Helper()
	Fatal(...any)
}, nodes int, jobs []workload.Job) Bound {
	t.Helper()
	b, err := MaxStretch(nodes, jobs)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// job returns a job; times are in seconds, need in nodes.
func job(id int64, submit float64, tasks int, need, runtime float64) workload.Job {
	seconds := func(s float64) cluster.Time { return cluster.Time(math.Round(s * 1e6)) }
	return workload.Job{ID: id, Submit: seconds(submit), Tasks: tasks, Need: cluster.CPU(need * float64(workload.UnitCPU)),
		Runtime: seconds(runtime)}
}

func TestBoundAgreesWithArithmetic(t *testing.T) {
	for _, c := range []struct {
		name  string
		nodes int
		jobs  []workload.Job
		want  float64
	}{
		{"no jobs", 1, nil, 1},
		{"one job", 1, []workload.Job{job(1, 5, 1, 1, 60)}, 1},
		{"room for all", 3, []workload.Job{job(1, 0, 1, 1, 60), job(2, 0, 2, 1, 60)}, 1},
		{"two halves share a node", 1, []workload.Job{job(1, 0, 1, 0.5, 60), job(2, 0, 1, 0.5, 60)}, 1},
		{"two of a kind: one is second", 1, []workload.Job{job(1, 0, 1, 1, 60), job(2, 0, 1, 1, 60)}, 2},
		{"three of a kind on two nodes end at 90 s", 2, []workload.Job{job(1, 0, 1, 1, 60), job(2, 0, 1, 1, 60),
			job(3, 0, 1, 1, 60)}, 1.5},
		{"short first: the long one ends at 80 s", 1, []workload.Job{job(1, 0, 1, 1, 60), job(2, 0, 1, 1, 20)}, 4.0 / 3},
		{"ten of a second are done before any counts", 1, tenShort(), 1},
		{"eleven of a second: the last ends at 11 s", 1, append(tenShort(), job(11, 0, 1, 1, 1)), 1.1},
		{"wider than the cluster", 2, []workload.Job{job(1, 0, 5, 1, 60)}, 2.5},
		{"wider and short: 5 s of 2 nodes are 5 s", 2, []workload.Job{job(1, 0, 4, 1, 2.5)}, 1},
		{"a rate is a limit: 10 s of backlog delay the job of 100 s", 1,
			[]workload.Job{job(1, 0, 1, 1, 10), job(2, 0, 1, 0.5, 100), job(3, 0, 1, 0.5, 100)}, 1.1},
		{"one comes later and goes first", 1, []workload.Job{job(1, 0, 1, 1, 100), job(2, 50, 1, 1, 10)}, 1.1},
	} {
		b := mustBound(t, c.nodes, c.jobs)
		if b.Stretch > c.want || b.Stretch < c.want*(1-1e-9) {
			t.Errorf("%s: %.12f; want %.12f", c.name, b.Stretch, c.want)
		}
	}
}

func tenShort() (jobs []workload.Job) {
	for i := range int64(10) {
		jobs = append(jobs, job(i+1, 0, 1, 1, 1))
	}
	return jobs
}

// theorem4 returns the instance from the proof of Theorem 4 in which equal shares give stretch n. Its unit is the
// least common multiple of 1 to n-1, so that all times are whole.
func theorem4(n int) []workload.Job {
	unit := 1
	for i := 2; i < n; i++ {
		a, b := unit, i
		for b != 0 {
			a, b = b, a%b
		}
		unit *= i / a
	}
	length := func(i int) cluster.Time {
		return cluster.Time(unit*(n-1)/max(1, i-1)) * (10 * cluster.Second)
	}
	jobs := []workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: 1, Runtime: length(1)}}
	release := cluster.Time(0)
	for i := 2; i <= n; i++ {
		jobs = append(jobs, workload.Job{ID: int64(i), Submit: release, Tasks: 1, Need: workload.UnitCPU, Memory: 1,
			Runtime: length(i)})
		release += length(i)
	}
	return jobs
}

func TestBoundOfTheoremFourIsItsOptimum(t *testing.T) {
	for n := 3; n <= 12; n++ {
		want := 2.0
		for i := 2; i < n; i++ {
			want += 1 / float64(i)
		}
		b := mustBound(t, 1, theorem4(n))
		if b.Stretch > want || b.Stretch < want*(1-1e-9) {
			t.Errorf("n=%d: %.12f; want %.12f", n, b.Stretch, want)
		}
		if n == 10 && math.Abs(b.Stretch-3.82897) > 5e-6 {
			t.Errorf("n=10: %v; the report's sum is 3.82897", b.Stretch)
		}
	}
}

func TestCriticalJobsSayWhyAndWhen(t *testing.T) {
	jobs := []workload.Job{
		job(1, 100, 1, 1, 60), job(2, 110, 1, 1, 60), // jobs 1 and 2: 120 s of work from 100 s on, done at 220 s
		job(3, 1000, 1, 0.5, 60), job(4, 1000, 1, 0.5, 60),
	}
	b := mustBound(t, 1, jobs)
	want := Critical{Jobs: []int64{1, 2}, From: 110 * cluster.Second,
		To: cluster.Time(math.Round(1e6 * (100 + 60*b.Stretch))), Busy: 0}
	want.Busy = want.To - want.From
	// Job 1 runs alone for 10 s. It must end by 100 + 60·S, and job 2 by 110 + 60·S = 220.
	if math.Abs(b.Stretch-11.0/6) > 1e-9 {
		t.Errorf("%v; want 11/6", b.Stretch)
	}
	if diff := cmp.Diff(want, b.Critical); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if b := mustBound(t, 2, jobs); len(b.Critical.Jobs) != 0 || b.Critical.Busy != 0 {
		t.Errorf("nobody is in anybody's way, but: %+v", b.Critical)
	}
}

func TestCriticalTimeLeavesGapsOut(t *testing.T) {
	// Job 1 must run whenever it can. Jobs 2 and 3 arrive while it waits for its deadline.
	jobs := []workload.Job{job(1, 0, 1, 1, 1000), job(2, 100, 1, 1, 200), job(3, 600, 1, 1, 200)}
	b := mustBound(t, 1, jobs)
	if math.Abs(b.Stretch-1.4) > 1e-9 || len(b.Critical.Jobs) != 3 {
		t.Fatalf("%+v", b)
	}
	c := b.Critical
	if span := c.To - c.From; c.From != 100*cluster.Second || c.To < 879*cluster.Second || c.Busy >= span ||
		c.Busy < 559*cluster.Second {
		t.Errorf("%+v", c)
	}
}

func TestBadInputIsRefusedWithTheJob(t *testing.T) {
	good := job(7, 0, 1, 1, 60)
	with := func(change func(*workload.Job)) []workload.Job {
		bad := good
		change(&bad)
		return []workload.Job{job(1, 0, 1, 1, 60), bad}
	}
	for want, c := range map[string]struct {
		nodes int
		jobs  []workload.Job
	}{
		"0 nodes cannot run jobs: give at least 1": {0, []workload.Job{good}},
		"-3 nodes cannot run jobs":                 {-3, nil},
		"job 7: 0 tasks: give at least 1":          {1, with(func(j *workload.Job) { j.Tasks = 0 })},
		"job 7: a task needs the CPU of 1.5 nodes, and no node can run it: it must be above 0 and at most 1": {1,
			with(func(j *workload.Job) { j.Need = workload.UnitCPU * 3 / 2 })},
		"job 7: a task needs the CPU of 0 nodes": {1, with(func(j *workload.Job) { j.Need = 0 })},
		"job 7: a task requires the memory of 2 nodes": {1, with(func(j *workload.Job) {
			j.Memory = 2 * workload.UnitMemory
		})},
		"job 7: a task requires the memory of -1 nodes": {1, with(func(j *workload.Job) {
			j.Memory = -workload.UnitMemory
		})},
		"job 7: the processing time is 0 s: it must be above 0": {1, with(func(j *workload.Job) { j.Runtime = 0 })},
		"job 7: submitted at -1 s: it must not be negative": {1, with(func(j *workload.Job) {
			j.Submit = -cluster.Second
		})},
	} {
		if b, err := MaxStretch(c.nodes, c.jobs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v; want %q", b, err, want)
		}
	}
}

func TestWorkOfTheSearchStaysSmall(t *testing.T) {
	for _, load := range []float64{0.7, 0.9, 1.1} {
		e := mustBound(t, 128, stream(t, 0, 1000, 128, load)).Effort
		if e.Probes > 15 || e.Cells > 60_000 || e.Phases > 40 || e.Scans > 2_000_000 {
			t.Errorf("load %v: %+v", load, e)
		}
	}
}

func FuzzBoundIsBetweenOneAndARealSchedule(f *testing.F) {
	f.Add(uint64(1), uint8(1), uint8(5), uint8(0))
	f.Add(uint64(2), uint8(3), uint8(40), uint8(63))
	f.Add(uint64(33), uint8(3), uint8(40), uint8(63)) // rates and times so different that a path carries almost nothing
	f.Fuzz(func(t *testing.T, seed uint64, nodes, count, shift uint8) {
		rng := rand.New(rand.NewPCG(seed, 0))
		// Amounts of every magnitude that the native format can write.
		amount := func(most int64) int64 { return 1 + rng.Int64N(most)>>(rng.IntN(1+int(shift)%54)) }
		jobs := make([]workload.Job, count)
		for i := range jobs {
			jobs[i] = workload.Job{ID: int64(i), Submit: cluster.Time(amount(1e16) - 1), Tasks: int(amount(10_000)),
				Need: cluster.CPU(amount(int64(workload.UnitCPU))), Runtime: cluster.Time(amount(1e16))}
		}
		b := mustBound(t, 1+int(nodes), jobs)
		if most := oneByOne(1+int(nodes), jobs); !(b.Stretch >= 1) || b.Stretch > most*(1+1e-9) {
			t.Errorf("%v is not between 1 and %v", b.Stretch, most)
		}
	})
}

// oneByOne returns the maximum bounded stretch if jobs run one after the other.
func oneByOne(nodes int, jobs []workload.Job) float64 {
	worst, now := 1.0, 0.0
	for _, r := range requests(jobs) {
		now = max(now, r.release) + r.length*max(1, r.rate/(float64(nodes)*float64(workload.UnitCPU)))
		worst = max(worst, (now-r.release)/r.span)
	}
	return worst
}
