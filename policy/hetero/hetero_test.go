package hetero

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// campus is a site of two machines in a cluster and a fast one beside it, with a type a that runs in parallel and a
// type b that does not.
func campus() *Table {
	s := &Site{Machines: make([]Machine, 3), Clusters: []Cluster{{Members: []int{0, 1}}}}
	t := NewTable(s, []string{"a", "b"})
	t.Sequential = [][]Ticks{{100, 100, 60}, {40, 50, 30}}
	t.Parallel = [][]Ticks{{45}, {Never}}
	return t
}

// batchOf returns jobs of those types at time 0.
func batchOf(types ...int) (jobs []Work) {
	for i, kind := range types {
		jobs = append(jobs, Work{Job: i, Type: kind})
	}
	return jobs
}

// told lists runs by start, then job: "job machine start-end", with a P before clusters.
func told(runs []Run) string {
	runs = slices.Clone(runs)
	slices.SortFunc(runs, func(a, b Run) int {
		if a.Start != b.Start {
			return int(a.Start - b.Start)
		}
		return a.Job - b.Job
	})
	var words []string
	for _, r := range runs {
		where := fmt.Sprint("m", r.Resource)
		if r.Parallel {
			where = fmt.Sprint("P", r.Resource)
		}
		words = append(words, fmt.Sprintf("%d %s %d-%d", r.Job, where, r.Start, r.End))
	}
	return strings.Join(words, ", ")
}

func decide(t *testing.T, name string, table *Table, now Ticks, held []Run, waiting []Work) Decision {
	t.Helper()
	p, err := Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p.Decide(table, now, held, waiting)
}

func TestSchedulesOfASmallCampusAreThoseOfThePaper(t *testing.T) {
	for _, c := range []struct{ policy, want string }{
		{"OLB", "0 m0 0-100, 1 m1 0-100, 2 m2 0-30"},
		// min-min: job 2 on m2 by 30, job 3 on m0 by 40, then 0 on m2 by 90, 1 on m0 by 140 or m1 by 100
		{"SJS", "1 m1 0-100, 2 m2 0-30, 3 m0 0-40, 0 m2 30-90"},
		// job 0 in parallel gains 60-45; then b on m2, m2, and 1 on m2
		{"PJS", "0 P0 0-45, 2 m2 0-30, 3 m2 30-60, 1 m2 60-120"},
	} {
		d := decide(t, c.policy, campus(), 0, nil, batchOf(0, 0, 1, 1))
		if got := told(d.Runs); got != c.want {
			t.Errorf("%s: %s, want %s", c.policy, got, c.want)
		}
	}
}

func TestAnEqualSumIsNoImprovement(t *testing.T) {
	table := campus()
	table.Parallel[0][0] = 59 // one tick sooner alone, but it pushes the others back
	d := decide(t, "PJS", table, 0, nil, batchOf(0, 1, 1, 1))
	alone := decide(t, "SJS", table, 0, nil, batchOf(0, 1, 1, 1))
	if told(d.Runs) != told(alone.Runs) {
		t.Errorf("%s in place of %s", told(d.Runs), told(alone.Runs))
	}
}

func TestOfTwoRulesTheSmallerSumWins(t *testing.T) {
	s := &Site{Machines: make([]Machine, 2)}
	table := NewTable(s, []string{"long", "short"})
	table.Sequential = [][]Ticks{{10, 10}, {9, 3}}
	// min-min: both shorts on machine 1, by 3 and 6, the long one on 0 by 10: 19. min-max begins with the long one on 0.
	if got := told(decide(t, "SJS", table, 0, nil, batchOf(0, 1, 1)).Runs); got != "0 m0 0-10, 1 m1 0-3, 2 m1 3-6" {
		t.Error(got)
	}
}

func TestTheFastCodeAgreesWithTheText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		table := drawn(r)
		queue := works(r, table, r.IntN(9), 0)
		from := make([]Ticks, len(table.Sequential[0]))
		for m := range from {
			from[m] = Ticks(r.IntN(20))
		}
		n := naive{table, from}
		for name, oracle := range map[string]func([]Work) ([]Run, Ticks){"SJS": n.sjs, "PJS": n.pjs} {
			b := newBatch(table, queue, slices.Clone(from))
			got := b.alone()
			if name == "PJS" {
				got = newBatch(table, queue, slices.Clone(from)).parallel(terms{})
			}
			if want, _ := oracle(queue); told(got) != told(want) {
				t.Fatalf("%s on %+v from %v: %s, want %s", name, *table, from, told(got), told(want))
			}
		}
	}
}

func TestParallelismNeverCostsABatch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sum := func(runs []Run) (ends Ticks) {
		for _, r := range runs {
			ends += r.End
		}
		return ends
	}
	for range 1000 {
		table := drawn(r)
		queue := works(r, table, r.IntN(12), 0)
		n := naive{table, make([]Ticks, len(table.Sequential[0]))}
		_, one := n.greedy(queue, first)
		_, other := n.greedy(queue, last)
		sjs, pjs := sum(decide(t, "SJS", table, 0, nil, queue).Runs), sum(decide(t, "PJS", table, 0, nil, queue).Runs)
		further := sum(decide(t, "PJS/continue", table, 0, nil, queue).Runs)
		if sjs != min(one, other) || pjs > sjs || further > pjs {
			t.Fatalf("min-min %d, min-max %d, SJS %d, PJS %d, PJS/continue %d", one, other, sjs, pjs, further)
		}
	}
}

func TestOneLevelIsNoPriority(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		table := drawn(r)
		queue := works(r, table, r.IntN(10), 0)
		for level := range Levels {
			for i := range queue {
				queue[i].Level = Level(level)
			}
			for _, a := range []string{"SJS", "PJS"} {
				plain := told(decide(t, a, table, 0, nil, queue).Runs)
				for _, rule := range []string{"/priority", "/preempt"} {
					if got := told(decide(t, a+rule, table, 0, nil, queue).Runs); got != plain {
						t.Fatalf("%s%s: %s, want %s", a, rule, got, plain)
					}
				}
			}
		}
	}
}

func TestLowJobsNeverChangeTheRunsOfOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	others := func(runs []Run) string {
		return told(slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.Level == Low }))
	}
	for range 300 {
		table := drawn(r)
		queue := works(r, table, r.IntN(12), 0)
		few := slices.DeleteFunc(slices.Clone(queue), func(w Work) bool { return w.Level == Low })
		for _, name := range []string{"SJS/priority", "PJS/priority", "PJS/preempt"} {
			with, without := decide(t, name, table, 0, nil, queue), decide(t, name, table, 0, nil, few)
			if others(with.Runs) != others(without.Runs) {
				t.Fatalf("%s: %s with low jobs, else %s", name, others(with.Runs), others(without.Runs))
			}
		}
	}
}

func TestHighJobsTakeMachinesFromLowOnesOnly(t *testing.T) {
	table := campus()
	low := Run{Work: Work{Job: 0, Type: 0, Level: Low}, Parallel: true, Start: 0, End: 45, Begun: true}
	medium := Run{Work: Work{Job: 1, Type: 0, Level: Medium}, Resource: 2, Start: 0, End: 60, Begun: true}
	planned := Run{Work: Work{Job: 2, Type: 1, Level: Low}, Resource: 2, Start: 60, End: 90}
	high := Work{Job: 3, Type: 0, Level: High, Submit: 10}
	d := decide(t, "PJS/preempt", table, 20, []Run{low, medium, planned}, []Work{high})
	// in parallel by 65; the low job begins anew behind it, or on machine 2 behind the planned one, by 150
	if got := told(d.Runs); got != "3 P0 20-65, 0 P0 65-110" {
		t.Error(got)
	}
	if len(d.Preempted) != 1 || d.Preempted[0].Job != 0 || len(d.Bumped) != 0 {
		t.Errorf("%+v", d)
	}
	for _, c := range []struct {
		level Level
		name  string
	}{{Medium, "PJS/preempt"}, {High, "PJS/priority"}, {High, "PJS"}} {
		high.Level = c.level
		if d := decide(t, c.name, table, 20, []Run{low, medium, planned}, []Work{high}); len(d.Preempted)+len(d.Bumped) > 0 {
			t.Errorf("a job of level %v preempts under %s", c.level, c.name)
		}
	}
}

func TestAPlannedJobThatLosesItsPlaceIsBumped(t *testing.T) {
	table := campus()
	running := Run{Work: Work{Job: 0, Type: 1, Level: Medium}, Resource: 2, Start: 0, End: 30, Begun: true}
	planned := Run{Work: Work{Job: 1, Type: 1, Level: Low}, Resource: 2, Start: 30, End: 60}
	d := decide(t, "SJS/preempt", table, 10, []Run{running, planned}, []Work{{Job: 2, Type: 0, Level: High}})
	if got := told(d.Runs); got != "1 m0 10-50, 2 m2 30-90" || len(d.Bumped) != 1 || len(d.Preempted) != 0 {
		t.Errorf("%s %+v", got, d)
	}
}

func TestRunsThatBeganArePlannedAnewByNobody(t *testing.T) {
	table := campus()
	begun := Run{Work: Work{Job: 0, Type: 0}, Resource: 0, Start: 0, End: 100, Begun: true}
	planned := Run{Work: Work{Job: 1, Type: 1}, Resource: 0, Start: 100, End: 140}
	d := decide(t, "PJS/replan", table, 10, []Run{begun, planned}, []Work{{Job: 2, Type: 1, Submit: 10}})
	if got := told(d.Runs); got != "1 m2 10-40, 2 m1 10-60" || len(d.Withdrawn) != 1 {
		t.Errorf("%s %+v", got, d)
	}
}

func TestProfitsByRunTimesDoNotSeeThatAClusterIsBusy(t *testing.T) {
	site := &Site{Machines: make([]Machine, 4), Clusters: []Cluster{{Members: []int{0, 1}}, {Members: []int{2, 3}}}}
	table := NewTable(site, []string{"x", "y"})
	table.Sequential = [][]Ticks{{100, 100, 100, 100}, {100, 100, 100, 100}}
	table.Parallel = [][]Ticks{{10, Never}, {Never, 40}}
	busy := []Run{{Work: Work{Job: 2}, Parallel: true, Start: 0, End: 1000, Begun: true}}
	for name, want := range map[string]string{
		"PJS":                  "1 P1 0-40, 0 m2 40-140",
		"PJS/profit=execution": "0 m2 0-100, 1 m3 0-100", // tries job 0 on the busy cluster, and stops there
	} {
		if got := told(decide(t, name, table, 0, busy, batchOf(0, 1)).Runs); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestAPriceKeepsJobsOffClusters(t *testing.T) {
	for price, want := range map[string]string{"0": "0 P0 0-45", "0.3": "0 P0 0-45", "0.6": "0 m2 0-60"} {
		// 15 ticks sooner for 30 ticks of machines more
		if got := told(decide(t, "PJS/price="+price, campus(), 0, nil, batchOf(0)).Runs); got != want {
			t.Errorf("price %s: %s", price, got)
		}
	}
}

func TestCostsAreComparedBeyond64Bits(t *testing.T) {
	half := MostTime / 2
	if less := scored(0, half, MostTime, 0); !less.better(scored(0, half+1, 0, 0)) || !less.better(scored(1, 0, 0, 0)) {
		t.Errorf("%+v is not better", less)
	}
	if free := scored(0, MostTime, MostTime, 0); !free.better(scored(0, MostTime, MostTime, 100_000)) {
		t.Errorf("%+v is not better", free)
	}
}

func TestMachinesThatAreDownDoNotMakeAPriceLower(t *testing.T) {
	for load, want := range map[int]Ticks{0: 0, 1: 150, 2: 300, 9: greatestPrice} {
		table := NewTable(&Site{Machines: []Machine{{}, {Down: true}, {}, {Down: true}, {Down: true}}}, []string{"a"})
		d := deciding{Policy: Policy{Algorithm: Priced}, table: table, load: load}
		d.enqueue(Work{})
		if got := d.terms(High).price; got != want {
			t.Errorf("%d runs: %d, want %d", load, got, want)
		}
	}
}

func TestASuspendedJobKeepsWhatIsDone(t *testing.T) {
	third := Work{Done: Work{}.After(10_000, 30_000)}
	if left := third.Rest(30_000); left != 20_000+resumption+1 { // a third is rounded down
		t.Errorf("%+v has %d left", third, left)
	}
	half := Work{Done: whole / 2}
	if done := half.After(resumption/2, resumption+15_000); done != whole/2 {
		t.Errorf("%d: resuming is no progress", done)
	}
	if done := half.After(resumption+7500, resumption+15_000); done != 3*whole/4 {
		t.Error(done)
	}
	if done := half.After(resumption+90_000, resumption+15_000); done >= whole {
		t.Errorf("%d is all, though it has not ended", done)
	}
}

func TestSmallChangesNeverMakeABatchWorse(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	better := 0
	for range 300 {
		table := drawn(r)
		queue := works(r, table, r.IntN(12), 0)
		ours, theirs := ends(decide(t, "priced", table, 0, nil, queue)), ends(decide(t, "PJS/continue", table, 0, nil, queue))
		if ours > theirs {
			t.Fatalf("%d in place of %d", ours, theirs)
		}
		if ours < theirs {
			better++
		}
	}
	if better < 30 {
		t.Errorf("better in %d of 300 batches", better)
	}
}

// ends returns the sum of the ends of all runs.
func ends(d Decision) (sum Ticks) {
	for _, r := range d.Runs {
		sum += r.End
	}
	return sum
}

func TestMachinesThatAreDownTakeNoJobs(t *testing.T) {
	s := &Site{Machines: []Machine{{}, {Down: true}, {}}, Clusters: []Cluster{{Members: []int{0, 1, 2}, Least: 3}}}
	if s.Open(0) {
		t.Error("a cluster of three is open with two")
	}
	s.Clusters[0].Least = 2
	if table := NewTable(s, []string{"a"}); !s.Open(0) || !slices.Equal(table.Groups[0], []int{0, 2}) {
		t.Errorf("%+v", table)
	}
}

func TestNamesOfPoliciesAreReadAsTheyAreWritten(t *testing.T) {
	for name, want := range map[string]string{
		"olb": "OLB", "Priced/preempt": "priced/preempt", " SJS / Priority": "SJS/priority", "pjs/preempt": "PJS/preempt",
		"OLB/priority": "OLB/priority",
		"PJS/continue/replan/price=0.10/priority": "PJS/priority/replan/continue/price=0.1", "PJS/price=0": "PJS",
		"PJS/Profit=Execution": "PJS/profit=execution",
	} {
		p, err := Parse(name)
		if err != nil || p.String() != want {
			t.Errorf("%q: %v, %v", name, p, err)
		}
	}
	for name, want := range map[string]string{
		"EASY": "there are OLB, SJS, PJS and priced", "priced/replan": "it has priority, preempt",
		"OLB/preempt": "it has priority", "SJS/price=1": `no rule "price=1"`,
		"PJS/price=-1": "from 0 to 100", "PJS/price=x": "from 0 to 100", "PJS/": `no rule ""`,
	} {
		if _, err := Parse(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// table returns random times of as many types as there are jobs; the machines of clusters come first.
func table(machines, clusters, size, types int) *Table {
	r := rand.New(rand.NewPCG(9, 10))
	s := &Site{Machines: make([]Machine, machines)}
	for c := range clusters {
		cluster := Cluster{}
		for i := range size {
			cluster.Members = append(cluster.Members, c*size+i)
		}
		s.Clusters = append(s.Clusters, cluster)
	}
	t := NewTable(s, make([]string, types))
	for k := range types {
		for m := range machines {
			t.Sequential[k][m] = Ticks(1000 + r.IntN(199_000))
		}
		for c := range clusters {
			t.Parallel[k][c] = Ticks(1000 + r.IntN(65_000))
		}
	}
	return t
}

func benchmark(b *testing.B, name string, t *Table, jobs int) {
	p, _ := Parse(name)
	queue := make([]Work, jobs)
	for i := range queue {
		queue[i] = Work{Job: i, Type: i % len(t.Types)}
	}
	for b.Loop() {
		p.Decide(t, 0, nil, queue)
	}
}

func BenchmarkSJSOf100JobsOn100Machines(b *testing.B) {
	benchmark(b, "SJS", table(100, 0, 0, 100), 100)
}
func BenchmarkPJSOf1000JobsOn40Machines(b *testing.B) {
	benchmark(b, "PJS", table(40, 5, 4, 1000), 1000)
}
