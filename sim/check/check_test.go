package check

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy/catalog"
	"aliquot/sim"
	"aliquot/workload"
)

// run simulates the jobs and returns everything that Schedule checks.
func run(t interface{ Fatalf(string, ...any) }, name string, cost sim.Cost, nodes int, jobs []workload.Job,
	events ...workload.Event) (sim.Setup, sim.Result, sim.Recording) {
	return runOn(t, name, cost, sim.Units(nodes), jobs, events...)
}

// runOn simulates the jobs on the nodes, like run.
func runOn(t interface{ Fatalf(string, ...any) }, name string, cost sim.Cost, nodes []sim.Node, jobs []workload.Job,
	events ...workload.Event) (sim.Setup, sim.Result, sim.Recording) {
	p, err := catalog.Parse(name, 600*cluster.Second)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var seen sim.Recording
	s := sim.Setup{Nodes: nodes, Policy: p, Cost: cost, Impossible: sim.Skip, Events: events}
	seen.Observe(&s)
	result, err := sim.Run(s, jobs)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return s, result, seen
}

// judge verifies a schedule in which a plan takes no time and no work is given up.
func judge(s sim.Setup, jobs []workload.Job, result sim.Result, spans []sim.Span) error {
	return Schedule(s, jobs, result, sim.Recording{Spans: spans})
}

// drawWindow gives some jobs a ready time, a deadline, or a reserved duration that may be too short.
func drawWindow(t *rapid.T, j workload.Job) workload.Job {
	kind := rapid.IntRange(0, 5).Draw(t, "window")
	if kind >= 4 {
		j.Estimate = max(1, j.Runtime*cluster.Time(rapid.IntRange(1, 8).Draw(t, "reserved"))/4)
	}
	if kind >= 3 {
		j.Ready = j.Submit + cluster.Time(rapid.IntRange(0, 3600).Draw(t, "ahead"))*cluster.Second
		j.Deadline = j.Ready + j.Reserved() + cluster.Time(rapid.IntRange(0, 7200).Draw(t, "slack"))*cluster.Second
	}
	return j
}

func drawJobs(t *rapid.T) []workload.Job {
	jobs := make([]workload.Job, rapid.IntRange(1, 12).Draw(t, "jobs"))
	at := cluster.Time(0)
	for i := range jobs {
		at += cluster.Time(rapid.IntRange(0, 900).Draw(t, "pause")) * cluster.Second
		jobs[i] = workload.Job{
			ID: int64(2*i + 1), Submit: at, Tasks: rapid.IntRange(1, 4).Draw(t, "tasks"),
			Need:       workload.UnitCPU / 20 * cluster.CPU(rapid.IntRange(1, 20).Draw(t, "cpu")),
			Memory:     workload.UnitMemory / 10 * cluster.Bytes(rapid.IntRange(1, 10).Draw(t, "memory")),
			Runtime:    cluster.Time(rapid.Int64Range(1, 3600e6).Draw(t, "runtime")),
			FailOnLoss: rapid.IntRange(0, 3).Draw(t, "fails on loss") == 0,
			Class:      cluster.Class(max(0, rapid.IntRange(-2, 2).Draw(t, "class"))),
		}
		jobs[i] = drawWindow(t, jobs[i])
	}
	return jobs
}

// representative lists the policies of the catalog, and only two of the paper's seven of reservations, which differ in
// one comparison.
func representative() []string {
	alike := []string{"reserve/PE_B", "reserve/PE_W", "reserve/Du_B", "reserve/Du_W", "reserve/PEDu_B"}
	return slices.DeleteFunc(catalog.Names(), func(name string) bool { return slices.Contains(alike, name) })
}

func TestEveryPolicyProducesSchedulesThatHold(t *testing.T) {
	costs := []sim.Cost{sim.Constant(300 * cluster.Second), sim.Constant(0), sim.Bandwidth(0.1),
		sim.Live{Pause: cluster.Second, Store: 0.1}}
	names := append(representative(), "FCFS/cores/per-node=4", "EASY/cores/per-node=4",
		"conservative/cores/exclusive/per-node=3", "GreedyPM */per/opt=min/minvt=600",
		"MCB8 */per/opt=min/minvt=300", "/per/opt=min/minft=600",
		"GreedyPM */per/opt=avg/minvt=600", "/stretch-per/opt=avg/minft=300")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				jobs, nodes := drawJobs(t), rapid.IntRange(1, 4).Draw(t, "nodes")
				s, result, seen := run(t, name, rapid.SampledFrom(costs).Draw(t, "cost"), nodes, jobs,
					drawEvents(t, jobs, nodes)...)
				if err := Schedule(s, jobs, result, seen); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// crowd returns jobs that make GreedyPM pause and move: memory is short when job 2 arrives, and again when job 3
// does.
func crowd() []workload.Job {
	jobs := make([]workload.Job, 6)
	for i := range jobs {
		jobs[i] = workload.Job{
			ID: int64(i + 1), Submit: cluster.Time(i) * 200 * cluster.Second, Tasks: 1 + i%2, Need: workload.UnitCPU,
			Memory: workload.UnitMemory / 10 * cluster.Bytes(3+i), Runtime: 1000 * cluster.Second,
		}
	}
	return jobs
}

func TestErrorsOfAScheduleAreFound(t *testing.T) {
	jobs := crowd()
	s, result, seen := run(t, "GreedyPM */per", sim.Constant(300*cluster.Second), 2, jobs)
	spans := seen.Spans
	if err := judge(s, jobs, result, spans); err != nil {
		t.Fatal(err)
	}
	paying := slices.IndexFunc(spans, func(s sim.Span) bool { return s.Paying })
	if paying < 0 {
		t.Fatal("nobody pays")
	}
	for _, c := range []struct {
		name, want string
		corrupt    func(s *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span
	}{
		{"a lost job", "job 1 ended or was skipped 0 times", func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
			r.Jobs = slices.DeleteFunc(r.Jobs, func(o sim.Outcome) bool { return o.ID == 1 })
			return spans
		}},
		{"a job that ends twice", "ended or was skipped 2 times",
			func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
				r.Jobs = append(r.Jobs, r.Jobs[0])
				return spans
			}},
		{"a changed job", "but was", func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
			r.Jobs[0].Runtime++
			return spans
		}},
		{"a skipped job that runs", "was skipped, but ran", func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
			r.Skipped = append(r.Skipped, sim.Skipped{Job: r.Jobs[0].Job})
			return spans
		}},
		{"a skipped job that could run", "job 1 was skipped, but its 1 tasks fit into the nodes",
			func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
				i := slices.IndexFunc(r.Jobs, func(o sim.Outcome) bool { return o.ID == 1 })
				r.Skipped = append(r.Skipped, sim.Skipped{Job: r.Jobs[i].Job})
				r.Jobs = slices.Delete(r.Jobs, i, i+1)
				return slices.DeleteFunc(spans, func(s sim.Span) bool { return s.Job == 1 })
			}},
		{"a job skipped against the setup", "1 jobs were skipped though they are to be refused",
			func(s *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
				s.Impossible = sim.Refuse
				r.Skipped = append(r.Skipped, sim.Skipped{Job: r.Jobs[0].Job})
				return spans
			}},
		{"a stranger", "job 99 ran, but is not in the stream",
			func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
				return append(spans, sim.Span{Job: 99, To: 1})
			}},
		{"a lost span", "it ran in", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span { return spans[1:] }},
		{"a start before the submission", "was submitted at", func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
			spans[0].From--
			r.Jobs[slices.IndexFunc(r.Jobs, func(o sim.Outcome) bool { return o.ID == spans[0].Job })].Started--
			return spans
		}},
		{"a span twice", "follows one that ends", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			return append(spans, spans[0])
		}},
		{"a missing task", "on 0 nodes for each of its", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[0].Nodes = nil
			return spans
		}},
		{"too large a share", "which need 100000m", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[0].Share = workload.UnitCPU + 1
			return spans
		}},
		{"lost work", "ends with progress of 0.", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[0].Share /= 2
			spans[0].Grant = cluster.Foreground.Grant(spans[0].Share)
			return spans
		}},
		{"a grant of something else", "granted as", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[0].Grant.Cap--
			return spans
		}},
		{"a guarantee in the background", "granted as", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[0].Grant.Tier = cluster.Background
			return spans
		}},
		{"doubled work", "ends with progress of 1.", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[paying].Paying = false
			return spans
		}},
		{"an unpaid penalty", "but it has to pay until", func(_ *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			spans[paying].Paying = false
			return spans
		}},
		{"a higher penalty", "but it has to pay until", func(s *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			s.Cost = sim.Constant(301 * cluster.Second)
			return spans
		}},
		{"a wrong count", "were counted", func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
			r.Jobs[0].Migrations++
			return spans
		}},
		{"sums of another run", "the demand is reported as", func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
			jobs := r.Jobs
			_, *r, _ = run(t, "GreedyPM */per", sim.Constant(0), 2, crowd()[:4])
			r.Jobs = jobs
			return spans
		}},
		{"memory that was not moved", "the bandwidth of migrations is reported as",
			func(_ *sim.Setup, r *sim.Result, spans []sim.Span) []sim.Span {
				jobs := r.Jobs
				_, *r, _ = run(t, "FCFS", sim.Constant(0), 2, crowd())
				r.Jobs = jobs
				return spans
			}},
		{"a smaller node", "node n1 gives", func(s *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			s.Nodes[0].CPU--
			return spans
		}},
		{"less memory", "node n2 gives", func(s *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			s.Nodes[1].Memory /= 2
			return spans
		}},
		{"a missing node", "which does not exist", func(s *sim.Setup, _ *sim.Result, spans []sim.Span) []sim.Span {
			s.Nodes = s.Nodes[:1]
			return spans
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, result, spans := s, result, slices.Clone(spans)
			result.Jobs, s.Nodes = slices.Clone(result.Jobs), slices.Clone(s.Nodes)
			spans = c.corrupt(&s, &result, spans)
			if err := judge(s, jobs, result, spans); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

func TestEveryWrongNumberOfASummaryIsFound(t *testing.T) {
	s, result, seen := run(t, "GreedyPM */per", sim.Constant(300*cluster.Second), 2, crowd())
	spans := seen.Spans
	numbers := reflect.TypeFor[sim.Summary]()
	for i := range numbers.NumField() {
		name := numbers.Field(i).Name
		if name == "Instants" || name == "Decisions" { // these numbers describe the simulation's effort, not its result
			continue
		}
		if name == "Reservations" { // TestEveryWrongNumberOfReservationsIsFound
			continue
		}
		for _, factor := range []float64{1.001, 0.999} {
			wrong := result.Summary()
			switch f := reflect.ValueOf(&wrong).Elem().Field(i); f.Kind() {
			case reflect.Int:
				f.SetInt(f.Int() + 1)
			default:
				f.SetFloat(f.Float()*factor + factor - 1)
			}
			c := &checker{setup: s, preemptions: total(result, func(o sim.Outcome) int {
				return o.Preemptions
			}), migrations: total(result, func(o sim.Outcome) int { return o.Migrations })}
			if c.measures(result, wrong, spans); c.count == 0 {
				t.Errorf("%s of %v is taken for right", name, reflect.ValueOf(wrong).Field(i))
			}
		}
	}
}

func TestEveryWrongNumberOfReservationsIsFound(t *testing.T) {
	jobs := crowd()
	for i := range jobs {
		jobs[i].Deadline = jobs[i].Submit + 2*jobs[i].Runtime
	}
	s, result, seen := run(t, "reserve/PE_W", sim.Constant(0), 2, jobs)
	spans := seen.Spans
	if err := judge(s, jobs, result, spans); err != nil {
		t.Fatal(err)
	}
	if r := result.Summary().Reservations; r.Accepted == 0 || r.Accepted == 1 {
		t.Fatalf("%+v", r)
	}
	numbers := reflect.TypeFor[sim.Reservations]()
	for i := range numbers.NumField() {
		wrong := *result.Summary().Reservations
		if f := reflect.ValueOf(&wrong).Elem().Field(i); f.Kind() == reflect.Int {
			f.SetInt(f.Int() + 1)
		} else {
			f.SetFloat(f.Float() * 1.001)
		}
		c := &checker{setup: s, stream: map[int64]workload.Job{}}
		for _, j := range jobs {
			c.stream[j.ID] = j
		}
		if c.reservations(result, &wrong); c.count == 0 {
			t.Errorf("%s of %+v is taken for right", numbers.Field(i).Name, wrong)
		}
	}
}

func total(r sim.Result, of func(sim.Outcome) int) (sum int) {
	for _, o := range r.Jobs {
		sum += of(o)
	}
	return sum
}

func TestOnlyJobsThatCouldNeverRunMayBeSkipped(t *testing.T) {
	wide := workload.Job{ID: 1, Tasks: 3, Need: workload.UnitCPU, Memory: workload.UnitMemory / 2, Runtime: cluster.Second}
	large, hungry, many, halves := wide, wide, wide, wide
	halves.Need = workload.UnitCPU / 2
	large.Memory, hungry.Need, many.Tasks = workload.UnitMemory+1, workload.UnitCPU+1, 5
	for _, x := range []struct {
		policy    string
		job       workload.Job
		estimates sim.Estimates
		may       bool
	}{
		{"Greedy *", wide, sim.Perfect, false}, {"Greedy *", large, sim.Perfect, true},
		{"Greedy *", hungry, sim.Perfect, true}, {"Greedy *", many, sim.Perfect, true},
		{"FCFS/cores", wide, sim.Perfect, true}, {"FCFS/cores", halves, sim.Perfect, false},
		{"FCFS/cores/exclusive/per-node=2", halves, sim.Perfect, false}, {"FCFS/cores/per-node=1", halves, sim.Perfect, true},
		{"EASY/cores/per-node=2", crowd()[0], sim.Perfect, false}, {"EASY/cores", crowd()[0], sim.Traced, true},
		{"FCFS", wide, sim.Perfect, true}, {"EASY", wide, sim.Perfect, true},
		{"FCFS", crowd()[0], sim.Traced, false}, {"EASY", crowd()[0], sim.Traced, true},
		{"EASY", crowd()[0], sim.Perfect, false},
	} {
		p, err := catalog.Parse(x.policy, cluster.Minute)
		if err != nil {
			t.Fatal(err)
		}
		c := &checker{setup: sim.Setup{Nodes: sim.Units(2), Policy: p, Impossible: sim.Skip, Estimates: x.estimates}}
		if c.skipped([]sim.Skipped{{Job: x.job}}); (c.count == 0) != x.may {
			t.Errorf("%s skips %+v: %v", x.policy, x.job, c.broken)
		}
	}
}

func TestABatchPolicyHandsOutNodesAndCoresByItsRule(t *testing.T) {
	job := func(id int64, need cluster.CPU) workload.Job {
		return workload.Job{ID: id, Need: need, Memory: cluster.MiB}
	}
	for _, x := range []struct {
		policy string
		jobs   []workload.Job
		wrong  bool
	}{
		{"FCFS", []workload.Job{job(1, 1)}, false},
		{"FCFS", []workload.Job{job(1, 1), job(1, 1)}, true},
		{"EASY/no-reserved", []workload.Job{job(1, 1), job(2, 1)}, true},
		{"Greedy *", []workload.Job{job(1, 1), job(2, 1)}, false},
		{"EASY/cores", []workload.Job{job(1, 1001), job(2, 2000)}, false},
		{"EASY/cores", []workload.Job{job(1, 1001), job(2, 2001)}, true},
		{"EASY/cores/exclusive", []workload.Job{job(1, 1000), job(1, 1000)}, false},
		{"EASY/cores/exclusive", []workload.Job{job(1, 1000), job(2, 1000)}, true},
		{"EASY/cores/per-node=2", []workload.Job{job(1, 2000), job(2, 1)}, false},
		{"EASY/cores/per-node=2", []workload.Job{job(1, 2001), job(2, 1)}, true},
	} {
		var l load
		var err error
		for _, j := range x.jobs {
			if err == nil {
				err = l.add(batchOf(x.policy), sim.Node{Name: "n1", CPU: 4000}, j, cluster.Foreground, 1)
			}
		}
		if (err != nil) != x.wrong {
			t.Errorf("%s, %+v: %v", x.policy, x.jobs, err)
		}
	}
}

// drawEvents draws events of nodes and jobs. Nodes return, and held jobs are released or cancelled.
func drawEvents(t *rapid.T, jobs []workload.Job, nodes int) (events []workload.Event) {
	pairs := [][2]workload.EventKind{
		{workload.NodeDrains, workload.NodeReturns}, {workload.NodeFails, workload.NodeReturns},
		{workload.NodeSpeeds, workload.NodeSpeeds},
		{workload.JobHeld, workload.JobReleased}, {workload.JobHeld, workload.JobCancels},
	}
	for range rapid.IntRange(0, 4).Draw(t, "events") {
		pair, job := rapid.SampledFrom(pairs).Draw(t, "pair"), rapid.SampledFrom(jobs).Draw(t, "job")
		e := workload.Event{At: job.Submit, Job: job.ID}
		if pair[0].AboutNode() {
			e = workload.Event{At: job.Submit, Node: fmt.Sprint("n", rapid.IntRange(1, nodes).Draw(t, "node"))}
		}
		for _, kind := range pair {
			e.Kind, e.Speed = kind, 0
			if kind == workload.NodeSpeeds {
				e.Speed = cluster.Parts(rapid.IntRange(100_000, 1_000_000).Draw(t, "speed"))
			}
			e.At += cluster.Time(rapid.Int64Range(0, 3000e6).Draw(t, "later"))
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, func(a, b workload.Event) int { return cmp.Compare(a.At, b.At) })
	if sim.CheckEvents(events, sim.Units(nodes), jobs) != nil { // a job is held again after its last release
		return nil
	}
	return events
}
