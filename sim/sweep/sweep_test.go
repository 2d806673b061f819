package sweep

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

func stream(t *testing.T, lines ...string) []workload.Job {
	t.Helper()
	jobs, err := workload.Read(strings.NewReader("id,submit,tasks,cpu,mem,runtime\n" + strings.Join(lines, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func trial(t *testing.T, jobs []workload.Job, nodes int, policy string) Trial {
	t.Helper()
	x, err := New("tiny", Digest(jobs), nodes, policy, 600*cluster.Second, 300*cluster.Second, sim.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestAResultHoldsTheFateOfTheWorstJobAndTheProofOfTheBound(t *testing.T) {
	jobs := stream(t, "1,0,1,1,0.1,100", "2,0,1,1,0.1,100", "3,10,1,1,0.1,20")
	x := trial(t, jobs, 1, "FCFS")
	r, err := x.Run(Bench{}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if r.Bottleneck, err = Bound(1, jobs); err != nil {
		t.Fatal(err)
	}
	// The third job waits from 10 to 200 and ends at 220: a stretch of 210/20.
	w := r.Worst
	if w.Job != 3 || w.Stretch != 10.5 || w.Start != 200 || w.End != 220 || w.Waiting != 1 || w.Load != 3 ||
		w.Slowed() != 0 {
		t.Errorf("%+v", w)
	}
	if r.Jobs != 3 || r.MaxBoundedStretch != 10.5 || r.Seconds != 0 || r.Thinking != (Thinking{}) {
		t.Errorf("%+v", r)
	}
	// All work, 220 s, must be done by the last deadline: 100·S ≥ 220.
	if r.Critical != 3 || math.Abs(r.Bound-2.2) > 1e-3 || r.From != 0 || math.Abs(r.Busy-220) > 0.1 {
		t.Errorf("%+v", r.Bottleneck)
	}
	if d, known := Degradation(r); !known || math.Abs(d-10.5/2.2) > 0.01 {
		t.Errorf("degradation %g, %v", d, known)
	}
}

func TestPausesAndPenaltiesOfTheWorstJobAreCounted(t *testing.T) {
	// The second job needs the first one's memory and has a higher priority. The first is paused and pays when it
	// resumes.
	jobs := stream(t, "1,0,1,1,0.9,1000", "2,500,1,1,0.9,10")
	r, err := trial(t, jobs, 1, "GreedyP *").Run(Bench{}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	w := r.Worst
	if w.Job != 1 || w.Paused != 10 || w.Paying != 300 || w.Preemptions != 1 || w.End != 1310 || w.Slowed() != 0 {
		t.Errorf("%+v", w)
	}
}

func TestTimesAreMeasuredOnlyWithAClock(t *testing.T) {
	jobs := stream(t, "1,0,1,1,0.1,100", "2,50,1,1,0.1,100")
	ticks := 0
	clock := func() time.Duration { ticks++; return time.Duration(ticks) * time.Millisecond }
	r, err := trial(t, jobs, 1, "FCFS").Run(Bench{Clock: clock}, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if r.Seconds <= 0 || r.Thinking.Few == 0 || r.Thinking.FewLongest != 0.001 || r.Thinking.MostJobs != 2 {
		t.Errorf("%+v", r)
	}
}

func TestATrialCanBeStopped(t *testing.T) {
	var jobs []workload.Job
	for i := range 3000 {
		jobs = append(jobs, workload.Job{ID: int64(i + 1), Submit: cluster.Time(i) * cluster.Second, Tasks: 1,
			Need: workload.UnitCPU, Memory: workload.UnitMemory, Runtime: cluster.Second})
	}
	stop := errors.New("enough")
	if _, err := trial(t, jobs, 1, "FCFS").Run(Bench{Watch: func(sim.Progress) error {
		return stop
	}}, jobs); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestAKeyHoldsExactlyTheInputsOfAResult(t *testing.T) {
	jobs := stream(t, "1,0,1,1,0.1,100")
	x := trial(t, jobs, 1, "FCFS")
	same := x
	same.Trace = "another name"
	if same.Key() != x.Key() {
		t.Error("the name of the trace is part of the key")
	}
	changed := stream(t, "1,0,1,1,0.1,101")
	other := []Trial{trial(t, changed, 1, "FCFS"), trial(t, jobs, 2, "FCFS"), trial(t, jobs, 1, "Greedy *")}
	other = append(other, x, x)
	other[3].Period, other[4].Penalty = 601, 301
	for _, o := range other {
		if o.Key() == x.Key() {
			t.Errorf("%+v has the key of %+v", o, x)
		}
	}
	if _, err := New("t", "d", 1, "FCSF", cluster.Second, 0, sim.Terms{}); err == nil {
		t.Error("there is a policy FCSF")
	}
}

func TestEveryMillisecondIsKept(t *testing.T) {
	for ms := range 100_000 {
		if got := seconds((cluster.Time(ms) * cluster.Millisecond).Seconds()); got != cluster.Time(ms)*cluster.Millisecond {
			t.Fatalf("%d ms become %d us", ms, got)
		}
	}
}

func TestPoliciesWithoutTicksHaveOneTrialForAllPeriods(t *testing.T) {
	keys := func(policy string) (keys []string) {
		for _, period := range []cluster.Time{600 * cluster.Second, cluster.Hour} {
			x, err := New("t", "d", 1, policy, period, 0, sim.Terms{})
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, x.Key())
		}
		return keys
	}
	if k := keys("EASY"); k[0] != k[1] || k[0] != "2|d|1|EASY|600|0|||" {
		t.Errorf("%q", k)
	}
	if k := keys("/per"); k[0] == k[1] {
		t.Errorf("%q", k)
	}
}

func sample(trace, policy string, stretch float64) Result {
	return Result{Trial: Trial{Trace: trace, Digest: "d-" + trace, Nodes: 4, Policy: policy},
		Summary: sim.Summary{Jobs: 1, MaxBoundedStretch: stretch}, Bottleneck: Bottleneck{Bound: 2}}
}

func TestAStoreIsReadAsItWasWritten(t *testing.T) {
	var text bytes.Buffer
	results := []Result{sample("a", "FCFS", 4), sample("b", "Greedy *", 8), sample("a", "EASY", 2)}
	for _, r := range results {
		line, err := Line(r)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(line)
	}
	whole := int64(text.Len())
	text.WriteString(`{"version":1,"trace":"cut off by an interr`)
	s := NewStore()
	if n, err := s.Read(&text); err != nil || n != whole {
		t.Fatalf("%d bytes, %v; want %d", n, err, whole)
	}
	if diff := cmp.Diff([]Result{results[2], results[0], results[1]}, s.All()); diff != "" {
		t.Error(diff)
	}
	if b, ok := s.Bottleneck(Trial{Digest: "d-a", Nodes: 4}); !ok || b.Bound != 2 {
		t.Errorf("%+v, %v", b, ok)
	}
	renamed := results[0].Trial
	renamed.Trace = "z"
	if r, ok := s.Get(renamed); !ok || r.Trace != "z" || r.MaxBoundedStretch != 4 {
		t.Errorf("%+v, %v", r, ok)
	}
}

func TestResultsOfAnotherVersionDoNotCountAndGarbageIsNamed(t *testing.T) {
	s := NewStore()
	if _, err := s.Read(strings.NewReader(`{"version":99,"trace":"a","digest":"d","policy":"FCFS"}` + "\n")); err != nil ||
		len(s.All()) != 0 || !slices.Equal(s.Foreign(), []int{99}) {
		t.Errorf("%v, %v, %v", err, s.All(), s.Foreign())
	}
	good, _ := Line(sample("a", "FCFS", 1))
	for _, bad := range []string{"nonsense\n", "{}\n", "[1]\n", "my precious notes", `{"verse": 1`, "\x00"} {
		if _, err := NewStore().Read(strings.NewReader(string(good) + bad)); err == nil ||
			!strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestADistributionIsThatOfItsValues(t *testing.T) {
	var results []Result
	for i := range 21 {
		results = append(results, sample(string(rune('a'+i)), "FCFS", float64(2*i)))
	}
	// without a bound it has no degradation
	results = append(results, Result{Summary: sim.Summary{MaxBoundedStretch: 1e9}})
	d := Distribute(results, *Named("degradation"))
	want := [11]float64{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20}
	if d.N != 21 || d.Mean != 10 || d.Median() != 10 || d.Max() != 20 || d.Deciles != want || len(d.Worst) != 10 ||
		d.Worst[0].Result.Trace != "u" || d.Worst[9].Value != 11 {
		t.Errorf("%+v", d)
	}
	if math.Abs(d.Deviation-math.Sqrt(38.5)) > 1e-9 { // the variance of 0..20 is 36.67, as a sample 38.5
		t.Errorf("deviation %g", d.Deviation)
	}
	if empty := Distribute(nil, Measures[0]); empty.N != 0 || empty.Worst != nil {
		t.Errorf("%+v", empty)
	}
}

func TestDecilesLieBetweenTheEndsAndRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var results []Result
		for i, v := range rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 30).Draw(t, "values") {
			results = append(results, sample(string(rune('a'+i)), "FCFS", v))
		}
		d := Distribute(results, *Named("max_bounded_stretch"))
		for i := 1; i < len(d.Deciles); i++ {
			if d.Deciles[i] < d.Deciles[i-1] {
				t.Fatalf("%v", d.Deciles)
			}
		}
		if d.Mean < d.Deciles[0]*(1-1e-9) || d.Mean > d.Deciles[10]*(1+1e-9) || d.Worst[0].Value != d.Max() {
			t.Fatalf("%+v", d)
		}
	})
}

func TestCSVHasALineForEachResult(t *testing.T) {
	var b strings.Builder
	unbound := sample(`a,"b`, "FCFS", 3)
	unbound.Bound = 0
	full := sample("b", "FCFS", 5)
	full.P50BoundedStretch, full.P90BoundedStretch, full.P99BoundedStretch, full.Utilization, full.Demand = 1, 2,
		3, 0.25, 0.5
	if err := WriteCSV(&b, []Result{sample("a", "FCFS", 4), unbound, full}); err != nil {
		t.Fatal(err)
	}
	want := `trace,nodes,policy,period,penalty,jobs,bound,degradation,max_bounded_stretch,avg_bounded_stretch,p50_bounded_stretch,p90_bounded_stretch,p99_bounded_stretch,avg_turnaround_seconds,p50_turnaround_seconds,p90_turnaround_seconds,p99_turnaround_seconds,demand,utilization,normalized_underutilization,penalty_underutilization,preemptions_per_hour,migrations_per_hour,preemptions_per_job,migrations_per_job,preemption_gb_per_second,migration_gb_per_second,wall_seconds,skipped,cost,estimates,impossible,events
a,4,FCFS,0,0,1,2,2,4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,constant,perfect,refuse,
"a,""b",4,FCFS,0,0,1,0,,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,constant,perfect,refuse,
b,4,FCFS,0,0,1,2,2.5,5,0,1,2,3,0,0,0,0,0.5,0.25,0,0,0,0,0,0,0,0,0,0,constant,perfect,refuse,
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestPaceKnowsPoliciesPeriodsAndKindsOfTracesApart(t *testing.T) {
	var p Pace
	slow, quick, seldom, unknown := Trial{Policy: "slow", Period: 600}, Trial{Policy: "quick"},
		Trial{Policy: "slow", Period: 3600}, Trial{Policy: "unknown"}
	for range 3 {
		p.Expect(slow, "week", 100)
		p.Expect(quick, "week", 100)
	}
	p.Expect(slow, "drawn", 100)
	p.Expect(seldom, "week", 100)
	p.Expect(unknown, "week", 100)
	if p.Left() != 0 || p.Knows(slow, "week") {
		t.Error("it knows before anything has run")
	}
	p.Done(slow, "week", 100, 10)
	p.Done(quick, "week", 100, 2)
	p.Learn(slow, "drawn", 100, 40) // stored by an earlier run
	// Two trials of 10 s, two of 2 s, and one of 40 s. Another period of the slow policy takes 25 s at that policy's pace.
	// The unknown policy takes 52 s for 300 jobs at the mean pace of all.
	if left, want := p.Left(), 20+4+40+25+52./3; math.Abs(left-want) > 1e-9 {
		t.Errorf("%g s left, want %g", left, want)
	}
	if p.Forget(); p.Left() != 0 || !p.Knows(slow, "drawn") {
		t.Error("it forgets what was learnt")
	}
}
