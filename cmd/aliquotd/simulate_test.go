package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/manager/simulations"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// The children of these tests are this program again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "simulate" {
		main()
		return
	}
	os.Exit(m.Run())
}

// bench returns a running runner.
type bench struct {
	*testing.T
	*simulations.Runner
}

func newBench(t *testing.T, dir string, limits simulations.Limits) *bench {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, err := simulations.Open(simulations.Config{
		Dir: dir, Command: []string{self, "simulate"}, Check: checkOrder, Limits: limits, Clock: time.Now, Log: zerolog.Nop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	return &bench{t, r}
}

func (b *bench) start(o web.SimulationOrder) string {
	b.Helper()
	s, err := b.Start(o)
	if err != nil {
		b.Fatal(err)
	}
	return s.ID
}

// await waits until the simulation has ended.
// await waits long: on a busy machine a process of the lowest priority gets next to nothing.
func (b *bench) await(id string, done func(api.Simulation) bool) api.Simulation {
	b.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		for _, s := range b.List() {
			if s.ID == id && done(s) {
				return s
			}
		}
	}
	b.Fatalf("simulation %s: %+v", id, b.List())
	return api.Simulation{}
}

func ended(s api.Simulation) bool { return s.Ended != nil }

const threeJobs = "id,submit,tasks,cpu,mem,runtime\n1,0,2,1,0.4,100\n2,10,1,1,0.4,200\n3,20,1,0.5,0.1,50\n"

func order(trace string, policies ...string) web.SimulationOrder {
	return web.SimulationOrder{
		Source: "native", Trace: trace, Nodes: 2, Policies: policies, Period: 10 * cluster.Minute,
		Penalty: 5 * cluster.Minute, Impossible: "skip",
	}
}

// long returns a stream whose simulation takes a while.
func long() string {
	var text strings.Builder
	text.WriteString("id,submit,tasks,cpu,mem,runtime\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d,%d,1,0.9,0.1,%d\n", i+1, i/10, 1000+i%977)
	}
	return text.String()
}

func TestATraceIsSimulatedUnderEachPolicyByAChild(t *testing.T) {
	b := newBench(t, t.TempDir(), simulations.Usual)
	id := b.start(order(threeJobs, "FCFS", "GreedyPM */per/opt=min/minvt=600"))
	if s := b.await(id, ended); s.State != "done" || s.ReportBytes == 0 {
		t.Fatalf("%+v", s)
	}
	report, err := b.Report(id)
	if err != nil || len(report.Runs) != 2 || len(report.Nodes) != 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, run := range report.Runs {
		measures := map[string]float64{}
		for _, m := range run.Measures {
			measures[m.Name] = m.Value
		}
		if run.Jobs != 3 || measures["max_bounded_stretch"] != run.Stretches[100] || !slices.IsSorted(run.Stretches) ||
			!run.Complete {
			t.Errorf("%s: %d jobs, %v, %v", run.Policy, run.Jobs, measures, run.Stretches)
		}
		work, held := 0.0, 0.0
		for _, u := range run.Course.Utilization {
			work += u * 2 * run.Course.StepSeconds
		}
		for _, s := range run.Spans {
			held += s.Share * float64(len(s.Nodes)) * (s.ToSeconds - s.FromSeconds)
		}
		if work < held-0.001 || work > held+0.001 {
			t.Errorf("%s: the course grants %v node-seconds, the spans %v", run.Policy, work, held)
		}
	}
	if fcfs := report.Runs[0].Spans; fcfs[0].Job != 1 || fcfs[0].ToSeconds != 100 || fcfs[0].Yield != 1 {
		t.Errorf("the first that FCFS lets end is %+v", fcfs[0])
	}
}

func TestLiveJobsAreSimulatedOnNodesAsTheyAre(t *testing.T) {
	b := newBench(t, t.TempDir(), simulations.Usual)
	o := order("", "GreedyPM */per/opt=min/minvt=600")
	o.Source, o.Nodes = "live", 0
	o.LiveNodes = []web.SimulatedNode{{Name: "big", CPU: 2000, Memory: cluster.Bytes(1 << 30)},
		{Name: "small", CPU: 500, Memory: cluster.Bytes(1 << 28)}}
	o.LiveJobs = []web.SimulatedJob{{ID: 17, Tasks: 2, Need: 1000, Memory: 100 * cluster.MiB, Runtime: cluster.Hour},
		{ID: 18, Tasks: 1, Need: 99_000, Memory: cluster.MiB, Runtime: cluster.Hour}}
	id := b.start(o)
	if s := b.await(id, ended); s.State != "done" {
		t.Fatalf("%+v", s)
	}
	report, err := b.Report(id)
	if err != nil || report.Nodes[1] != "small" || report.Runs[0].Spans[0].Job != 17 ||
		report.Runs[0].Skipped[0].Job != 18 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestLiveJobsStayOnTheirProcessorsInASimulation(t *testing.T) {
	b := newBench(t, t.TempDir(), simulations.Usual)
	o := order("", "MEASY")
	o.Source, o.Nodes = "live", 0
	o.LiveNodes = []web.SimulatedNode{{Name: "n", CPU: 2000, Memory: 1 << 30, Cores: 2}}
	for i, core := range []cluster.CoreID{2, 1} {
		j := web.SimulatedJob{ID: int64(17 + i), Tasks: 1, Need: 1000, Memory: cluster.MiB, Runtime: cluster.Hour,
			Estimate: cluster.Hour}
		j.Now.Placement = &cluster.Placement{Grant: cluster.Foreground.Grant(1000), Nodes: []cluster.NodeID{1},
			Cores: []cluster.CoreID{core}}
		o.LiveJobs = append(o.LiveJobs, j)
	}
	id := b.start(o)
	if s := b.await(id, ended); s.State != "done" {
		t.Fatalf("%+v", s)
	}
	report, err := b.Report(id)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range report.Runs[0].Spans {
		if s.ToSeconds != 3600 || s.Yield != 1 {
			t.Errorf("two jobs, each on a core of its own: %+v", s)
		}
	}
}

func TestALiveJobKeepsItsClassInASimulation(t *testing.T) {
	o := web.SimulationOrder{Source: "live", LiveNodes: []web.SimulatedNode{{Name: "n", CPU: 1000, Memory: 1 << 30}},
		LiveJobs: []web.SimulatedJob{{ID: 17, Tasks: 1, Class: cluster.EitherClass}}}
	if jobs, _, err := streamOf(t.TempDir(), o); err != nil || jobs[0].Class != cluster.EitherClass {
		t.Errorf("%+v, %v", jobs, err)
	}
}

func TestALiveJobThatFailsOnLossDoesSoInASimulation(t *testing.T) {
	o := web.SimulationOrder{Source: "live", LiveNodes: []web.SimulatedNode{{Name: "n", CPU: 1000, Memory: 1 << 30}},
		LiveJobs: []web.SimulatedJob{{ID: 17, Tasks: 1, Fails: true}, {ID: 18, Tasks: 1}}}
	jobs, _, err := streamOf(t.TempDir(), o)
	if err != nil || !jobs[0].FailOnLoss || jobs[1].FailOnLoss {
		t.Errorf("%+v, %v", jobs, err)
	}
}

func TestAChildThatFailsSaysWhy(t *testing.T) {
	swf := order("1 0 5 100 2 100 1024 2 200 1024 1 1 1 1 1 -1 -1 -1\n", "EASY")
	swf.Source, swf.Cores = "swf", 2
	wrong := order("id,submit,tasks,cpu,mem,runtime\n1,0,none,1,0.4,100\n", "FCFS")
	refused := order("id,submit,tasks,cpu,mem,runtime\n1,0,1,9,0.4,100\n", "FCFS")
	refused.Impossible = "refuse"
	b := newBench(t, t.TempDir(), simulations.Usual)
	for _, c := range []struct {
		order web.SimulationOrder
		state string
		says  string
	}{{swf, "done", ""}, {wrong, "failed", "line 2: tasks"}, {refused, "failed", "could never run"}} {
		id := b.start(c.order)
		if s := b.await(id, ended); s.State != c.state || !strings.Contains(s.Error, c.says) ||
			strings.Contains(s.Error, "Usage") {
			t.Errorf("%+v, want %s: %s", s, c.state, c.says)
		}
		if _, err := b.Report(id); (err == nil) != (c.state == "done") {
			t.Errorf("the report: %v", err)
		}
	}
	for _, bad := range []web.SimulationOrder{order(threeJobs, "Guess"), {Source: "native", Policies: []string{"FCFS"},
		Period: cluster.Minute, Cost: "much"}} {
		if _, err := b.Start(bad); err == nil {
			t.Errorf("%+v is queued", bad)
		}
	}
}

func TestTheRefusalOfAnUnknownPolicyNamesTheField(t *testing.T) {
	for _, body := range []string{
		`{"policies": ["Guess"], "trace": {"format": "native", "text": "x", "nodes": 1}}`,
		`{"policies": ["Guess"], "live": {}}`,
	} {
		c := webtest.New(t)
		c.Simulations = newBench(t, t.TempDir(), simulations.Usual).Runner
		request, err := http.NewRequestWithContext(t.Context(), "POST", c.Serve(t).URL+"/v1/simulations",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+webtest.Admin)
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var problem api.Problem
		if err := json.NewDecoder(response.Body).Decode(&problem); err != nil || problem.Code != "invalid" ||
			problem.Field != "policies" {
			t.Errorf("%s: %+v, %v", body, problem, err)
		}
	}
}

func TestASimulationIsCancelledAndBounded(t *testing.T) {
	limits := simulations.Usual
	limits.Waiting = 1
	b := newBench(t, t.TempDir(), limits)
	slow := order(long(), "GreedyPM */per/opt=min/minvt=600")
	running := b.start(slow)
	b.await(running, func(s api.Simulation) bool { return s.State == "running" })
	waiting := b.start(slow)
	if _, err := b.Start(slow); err == nil || !strings.Contains(err.Error(), "already wait") {
		t.Errorf("one too many: %v", err)
	}
	if b.Remove(running) == nil {
		t.Error("one that runs is removed")
	}
	for _, id := range []string{waiting, running} {
		if err := b.Cancel(id); err != nil {
			t.Error(err)
		}
		if s := b.await(id, ended); s.State != "cancelled" {
			t.Errorf("%+v", s)
		}
	}
	if err := b.Remove(running); err != nil || len(b.List()) != 1 {
		t.Errorf("%v, %d are left", err, len(b.List()))
	}
}

func TestAChildIsEndedForItsTimeAndMemory(t *testing.T) {
	slow := order(long(), "GreedyPM */per/opt=min/minvt=600")
	limits := simulations.Usual
	limits.Time = 300 * time.Millisecond
	b := newBench(t, t.TempDir(), limits)
	if s := b.await(b.start(slow), ended); s.State != "failed" || !strings.Contains(s.Error, "took longer than") {
		t.Errorf("%+v", s)
	}
	limits = simulations.Usual
	limits.Memory = 24 << 20
	b = newBench(t, t.TempDir(), limits)
	if s := b.await(b.start(slow), ended); s.State != "failed" ||
		!strings.Contains(s.Error, "more memory than the limit of 24 MiB") {
		t.Errorf("%+v", s)
	}
}

// process returns the folder in /proc of the process with the word among its arguments.
func (b *bench) process(word string) string {
	b.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		b.Fatal(err)
	}
	for _, line := range lines {
		if text, err := os.ReadFile(line); err == nil && bytes.Contains(text, []byte(word)) {
			return filepath.Dir(line)
		}
	}
	b.Fatalf("no process has %s among its arguments", word)
	return ""
}

func (b *bench) read(path string) string {
	b.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

func TestAChildRunsAtTheLowestPriorityOnOneCoreWithItsMemoryBounded(t *testing.T) {
	b := newBench(t, t.TempDir(), simulations.Usual)
	id := b.start(order(long(), "GreedyPM */per/opt=min/minvt=600"))
	b.await(id, func(s api.Simulation) bool { return s.Progress != nil })
	child := b.process(id)
	_, stat, _ := strings.Cut(b.read(child+"/stat"), ") ")
	if nice := strings.Fields(stat)[16]; nice != "19" {
		t.Errorf("its nice value is %s, want 19", nice)
	}
	if bound := regexp.MustCompile(`Max data size +2147483648 +2147483648 +bytes`); !bound.MatchString(b.read(child +
		"/limits")) {
		t.Errorf("its data are not bounded by 2 GiB:\n%s", b.read(child+"/limits"))
	}
	environment := strings.Split(b.read(child+"/environ"), "\x00")
	for _, want := range []string{"GOMAXPROCS=1", "GOMEMLIMIT=1610612736"} {
		if !slices.Contains(environment, want) {
			t.Errorf("its environment %q lacks %s", environment, want)
		}
	}
}

func TestSimulationsAreKeptWithinBoundsAndOverARestart(t *testing.T) {
	dir, limits := t.TempDir(), simulations.Usual
	limits.Stored = 2
	b := newBench(t, dir, limits)
	var ids []string
	for range 3 {
		ids = append(ids, b.start(order(threeJobs, "FCFS")))
		b.await(ids[len(ids)-1], ended)
	}
	again := newBench(t, dir, limits)
	list := again.List()
	if len(list) != 2 || list[0].ID != ids[2] || list[1].ID != ids[1] {
		t.Errorf("kept are %+v", list)
	}
	if report, err := again.Report(ids[2]); err != nil || len(report.Runs) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}
