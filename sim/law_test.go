package sim

import (
	stdcmp "cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/workload"
)

// policies are those of the catalog, some of them with parameters.
var policies = append(catalog.Names(),
	"GreedyPM */per/opt=min/minvt=600", "MCB8 */per/opt=min/minvt=600", "/per/opt=min/minvt=600", "MCB8 *",
	"Greedy */per/opt=avg/minft=300",
)

func setup(t interface{ Fatal(...any) }, nodes int, name string) Setup {
	p, err := catalog.Parse(name, 600*cluster.Second)
	if err != nil {
		t.Fatal(err)
	}
	return Setup{Nodes: Units(nodes), Policy: p, Penalty: 300 * cluster.Second}
}

// stream draws jobs that load the nodes to about the given degree.
func stream(r *rand.Rand, count, nodes int, load float64) []workload.Job {
	jobs := make([]workload.Job, count)
	at := 0.0
	for i := range jobs {
		tasks := 1 + r.IntN(min(4, nodes))
		need := []cluster.CPU{10_000, 25_000, 50_000, 100_000}[r.IntN(4)]
		runtime := 1 + r.ExpFloat64()*1800
		jobs[i] = workload.Job{
			ID: int64(i + 1), Submit: cluster.Time(at * float64(cluster.Second)), Tasks: tasks, Need: need,
			Memory:  workload.UnitMemory / 10 * cluster.Bytes(1+r.IntN(5)),
			Runtime: cluster.Time(runtime * float64(cluster.Second)),
		}
		work := runtime * float64(tasks) * float64(need) / float64(workload.UnitCPU)
		at += work / load / float64(nodes) * 2 * r.Float64()
	}
	return jobs
}

func drawStream(t *rapid.T) ([]workload.Job, int) {
	nodes := rapid.IntRange(1, 5).Draw(t, "nodes")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	return stream(r, rapid.IntRange(1, 12).Draw(t, "jobs"), nodes, rapid.Float64Range(0.3, 3).Draw(t, "load")), nodes
}

func TestEveryJobEndsOnceAndNeverTooEarlyWithTheStateSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		s := setup(t, nodes, rapid.SampledFrom(policies).Draw(t, "policy"))
		s.Inspect = (*cluster.Model).Check
		result, err := Run(s, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Jobs) != len(jobs) {
			t.Fatalf("%d of %d jobs ended", len(result.Jobs), len(jobs))
		}
		for _, o := range result.Jobs {
			least := o.Runtime
			if o.Preemptions > 0 { // only the last penalty has certainly been paid in full
				least += s.Penalty
			}
			if o.Turnaround() < least {
				t.Fatalf("%+v ended after %v s", o, o.Turnaround().Seconds())
			}
		}
	})
}

func TestVirtualTimeIsTheProcessingTimeWhenAJobEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		s := setup(t, nodes, rapid.SampledFrom(policies).Draw(t, "policy"))
		seen := map[cluster.JobID]*cluster.Job{}
		s.Inspect = func(m *cluster.Model) error {
			for j := range m.View().Jobs() {
				seen[j.ID] = j
			}
			return nil
		}
		if _, err := Run(s, jobs); err != nil {
			t.Fatal(err)
		}
		for id, j := range seen { // the job as it ended
			if want := jobs[id-1].Runtime; j.Clock.Virtual != want {
				t.Fatalf("%v ended at virtual time %d, not %d", id, j.Clock.Virtual, want)
			}
		}
	})
}

func TestAModelAndAStateDrivenByCommandsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		// the weighing policy uses costs, which a State only estimates
		name := rapid.SampledFrom(policies).Filter(modelled).Draw(t, "policy")
		s := setup(t, nodes, name)
		s.Events = drawEvents(t, jobs, nodes, name)
		for i := range jobs {
			jobs[i].FailOnLoss = rapid.Bool().Draw(t, "fails on loss")
		}
		agree(t, s, jobs)
	})
}

// Live, moves under way end differently when a node fails or a job is cancelled: the destination may have the VM, and a
// VM has to be stopped.
func TestAModelAndAStateAgreeWhereMovesTakeTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		name := rapid.SampledFrom(policies).Filter(modelled).Draw(t, "policy")
		s := setup(t, nodes, name)
		s.Penalty, s.Cost = 0, PlannedMoves(rapid.SampledFrom([]float64{0.001, 0.01, 1}).Draw(t, "bandwidth"))
		s.Inspect = (*cluster.Model).Check
		s.Events = slices.DeleteFunc(drawEvents(t, jobs, nodes, "EASY"), func(e workload.Event) bool {
			return e.Kind == workload.JobCancels
		})
		if CheckEvents(s.Events, s.Nodes, jobs) != nil {
			s.Events = nil
		}
		agree(t, s, jobs)
	})
}

// modelled reports whether the modelled monitors of a State are enough for the policy: they observe no work in the
// background.
func modelled(name string) bool {
	return name != weighing && catalog.Family(name) != "tiered" && catalog.Live(name)
}

// agree runs the stream on a Model and on a State, and compares the results.
func agree(t *rapid.T, s Setup, jobs []workload.Job) {
	var told [2][]string
	tell := func(to *[]string) func(Event) {
		return func(e Event) {
			if _, slow := s.Cost.(PlannedMoves); slow {
				e.Why = cluster.Reason{} // a later decision may have found another reason; a State's decides on less
			}
			*to = append(*to, fmt.Sprint(e.At, " ", e))
		}
	}
	s.Tell = tell(&told[0])
	result, err := Run(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	s.Tell = tell(&told[1])
	want, err := runLive(s, jobs)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told[1], told[0]); diff != "" {
		t.Fatalf("the model goes another way (-state +model):\n%s", diff)
	}
	diff := cmp.Diff([]any{want.Jobs, want.Stopped}, []any{result.Jobs, result.Stopped}, cmpopts.EquateEmpty())
	if diff != "" {
		t.Fatalf("the model gives other outcomes (-state +model):\n%s", diff)
	}
}

// drawEvents draws events of nodes and jobs. Nodes return, and held jobs are released or cancelled. No node fails under
// a policy that uses run times, because a State does not report that lost work has to be done again.
func drawEvents(t *rapid.T, jobs []workload.Job, nodes int, policy string) (events []workload.Event) {
	pairs := [][2]workload.EventKind{
		{workload.NodeDrains, workload.NodeReturns}, {workload.JobHeld, workload.JobReleased},
		{workload.JobHeld, workload.JobCancels},
	}
	if !strings.HasPrefix(policy, "EASY") && !strings.HasPrefix(policy, "conservative") {
		pairs = append(pairs, [2]workload.EventKind{workload.NodeFails, workload.NodeReturns})
	}
	for range rapid.IntRange(0, 4).Draw(t, "events") {
		pair, job := rapid.SampledFrom(pairs).Draw(t, "pair"), rapid.SampledFrom(jobs).Draw(t, "job")
		e := workload.Event{At: job.Submit, Job: job.ID}
		if pair[0].AboutNode() {
			e = workload.Event{At: job.Submit, Node: fmt.Sprint("n", rapid.IntRange(1, nodes).Draw(t, "node"))}
		}
		for _, kind := range pair {
			e.Kind = kind
			e.At += cluster.Time(rapid.Int64Range(0, 3000e6).Draw(t, "later"))
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, func(a, b workload.Event) int { return stdcmp.Compare(a.At, b.At) })
	if CheckEvents(events, Units(nodes), jobs) != nil { // a job is held again after its last release
		return nil
	}
	return events
}

func TestTheSameStreamGivesTheSameRun(t *testing.T) {
	for _, name := range policies {
		jobs := stream(rand.New(rand.NewPCG(1, 2)), 60, 4, 1)
		var runs [2][]string
		for i := range runs {
			s := setup(t, 4, name)
			s.Tell = func(e Event) { runs[i] = append(runs[i], fmt.Sprint(e.At, e)) }
			if _, err := Run(s, jobs); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
			t.Errorf("%s (-first +second):\n%s", name, diff)
		}
	}
}

func TestAnEndIsForeseenToTheMicrosecond(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		need := cluster.CPU(rapid.IntRange(1, 1_024_000).Draw(t, "need"))
		c := cluster.Clock{
			Virtual:   cluster.Time(rapid.Int64Range(0, 1e12).Draw(t, "virtual")),
			Remainder: rapid.Int64Range(0, int64(need)-1).Draw(t, "remainder"),
			At:        cluster.Time(rapid.Int64Range(0, 1e15).Draw(t, "at")),
			Share:     cluster.CPU(rapid.IntRange(1, int(need)).Draw(t, "share")),
		}
		runtime := c.Virtual + cluster.Time(rapid.Int64Range(1, 1e12).Draw(t, "left"))
		j := cluster.Job{Spec: &cluster.Spec{Need: need}, Clock: c}
		at := end(c, need, runtime)
		if j.VirtualTime(at) != runtime || j.VirtualTime(at-1) >= runtime {
			t.Fatalf("at %d it is %d, before %d, not %d", at, j.VirtualTime(at), j.VirtualTime(at-1), runtime)
		}
	})
	if end(cluster.Clock{}, 1000, cluster.Second) != never || end(cluster.Clock{Share: 1}, 1_024_000, 1<<62) != never {
		t.Error("what stands still ends")
	}
}

func TestAnIdleClusterGivesEveryJobItsFullNeed(t *testing.T) {
	jobs := stream(rand.New(rand.NewPCG(3, 4)), 30, 4, 1)
	for i := range jobs {
		jobs[i].Submit = cluster.Time(i) * 100 * cluster.Hour
	}
	for _, name := range slices.DeleteFunc(slices.Clone(policies), func(name string) bool { return name[0] == '/' }) {
		result, err := Run(setup(t, 4, name), jobs)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, o := range result.Jobs {
			if o.Turnaround() != o.Runtime {
				t.Errorf("%s: %+v took %v s", name, o, o.Turnaround().Seconds())
			}
		}
	}
}

func TestASummaryOfNothingIsZero(t *testing.T) {
	if s := (Result{}).Summary(); s != (Summary{}) {
		t.Errorf("%+v", s)
	}
}

func TestEveryJobEndsWhateverHappensWhileItIsMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		jobs, nodes := drawStream(t)
		s := setup(t, nodes, rapid.SampledFrom(policies).Draw(t, "policy"))
		s.Cost, s.Inspect = PlannedMoves(rapid.SampledFrom([]float64{0.001, 0.01, 1}).Draw(t, "bandwidth")),
			(*cluster.Model).Check
		s.Events = drawEvents(t, jobs, nodes, "")
		result, err := Run(s, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.Jobs)+len(result.Stopped) != len(jobs) {
			t.Fatalf("%d jobs ended and %d stopped, of %d", len(result.Jobs), len(result.Stopped), len(jobs))
		}
		for _, o := range result.Jobs {
			if o.Ended-o.Started < o.Runtime {
				t.Fatalf("%+v ended too early", o)
			}
		}
	})
}
