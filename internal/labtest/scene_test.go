package labtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/web/api"
)

// A scene is one test's time in the lab.
type scene struct {
	*lab
	t      *testing.T
	ctx    context.Context
	alarms *atomic.Int64 // errors of watchers
}

// scenePatience bounds a whole test. A passing test never reaches it.
const scenePatience = 15 * time.Minute

// begin gives the test an empty, healthy cluster with the tests' policy, and watches the nodes' memory until the test
// ends. Other tests may run beside it, on nodes of their own.
func begin(t *testing.T) *scene { return beginFor(t, 0) }

// beginFor is begin for a test that takes longer.
func beginFor(t *testing.T, longer time.Duration) *scene {
	t.Helper()
	runBeside()
	s := enter(t, theLab, scenePatience+longer)
	s.watchMemory()
	return s
}

// beginAlone is begin for a test that measures CPU.
func beginAlone(t *testing.T) *scene {
	t.Helper()
	standAlone()
	s := enter(t, theLab, scenePatience)
	s.watchMemory()
	return s
}

// enter gives the test an empty, healthy cluster in a lab for a limited time.
func enter(t *testing.T, in func() (*lab, error), limit time.Duration) *scene {
	t.Helper()
	l, err := in()
	if err != nil {
		t.Fatal(err)
	}
	if l.spoiled != "" {
		t.Fatal("the lab could not be mended and emptied before ", l.spoiled)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	s := &scene{lab: l, t: t, ctx: ctx, alarms: new(atomic.Int64)}
	t.Cleanup(s.explain)
	l.spoiled = t.Name()
	s.empty()
	l.spoiled = ""
	return s
}

// maxAlarms limits the errors of one watcher that are printed.
const maxAlarms = 20

// watch looks again and again until the test ends, and reports each error.
func (s *scene) watch(look func(context.Context) error) {
	ctx, cancel := context.WithCancel(s.ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for alarms := 0; ctx.Err() == nil && alarms < maxAlarms; {
			if err := look(ctx); err != nil {
				alarms++
				s.alarms.Add(1)
				s.t.Error(err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(tick):
			}
		}
	})
	s.t.Cleanup(func() {
		cancel()
		done.Wait()
	})
}

// explain prints the logs and events if the test failed.
func (s *scene) explain() {
	if !s.t.Failed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	events, err := s.api.History(ctx, client.EventFilter{}, 80)
	if err != nil {
		s.t.Log(err)
	}
	for _, e := range slices.Backward(events) {
		s.t.Log(line(e))
	}
	s.t.Logf("run %s\n%s", s.run, s.tails(25))
}

// line formats an event for people.
func line(e api.Event) string {
	out := e.At.Format("15:04:05.000 ") + e.Kind
	if e.Job != "" {
		out += " " + e.Job
	}
	if e.Task != nil && *e.Task >= 0 {
		out += fmt.Sprintf("/%d/%d", *e.Task, e.Run)
	}
	for _, part := range []string{e.From, e.Node, e.Text} {
		if part != "" {
			out += " " + part
		}
	}
	if e.ShareMillicores > 0 {
		out += fmt.Sprintf(" %dm", e.ShareMillicores)
	}
	return out
}

// empty ends all jobs and returns when nothing is left of them.
func (s *scene) empty() {
	s.t.Helper()
	s.ok(s.mend())
	s.need(s.api.SetPolicy(s.ctx, api.Policy{Name: policyName, Period: period.String()}))
	for _, p := range s.places {
		s.need(s.api.SetNode(s.ctx, p.name, "uncordon"))
	}
	for _, j := range s.jobs() {
		if j.Ended == nil {
			s.need(s.api.Cancel(s.ctx, j.ID, "the next test begins"))
		}
	}
	s.eventually("the cluster is empty", ended, func() error {
		for _, j := range s.jobs() {
			if j.Ended == nil {
				return fmt.Errorf("%s is %s", j.ID, j.State)
			}
		}
		for _, p := range s.places {
			if err := s.wantNoGuest(p.name); err != nil {
				return err
			}
		}
		return nil
	})
}

// wantNoGuest returns an error if the machine shows VMs on the node.
func (s *scene) wantNoGuest(node string) error {
	if guests := s.guests()[node]; len(guests) > 0 {
		return fmt.Errorf("%s has %v", node, guests)
	}
	return nil
}

func (s *scene) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// need is ok for orders to the cluster.
func (s *scene) need(_ api.Accepted, err error) {
	s.t.Helper()
	s.ok(err)
}

// eventually repeats look until it returns nil.
func (s *scene) eventually(what string, within time.Duration, look func() error) {
	s.t.Helper()
	if err := retry(within, look); err != nil {
		s.t.Fatalf("not within %v: %s: %v", within, what, err)
	}
}

// submit submits jobs and returns their ids.
func (s *scene) submit(specs ...api.JobSpec) (ids []string) {
	s.t.Helper()
	for _, spec := range specs {
		accepted, err := s.api.Submit(s.ctx, spec, "")
		s.ok(err)
		ids = append(ids, accepted.Job)
	}
	return ids
}

// submitOne is submit for one job.
func (s *scene) submitOne(spec api.JobSpec) string {
	s.t.Helper()
	return s.submit(spec)[0]
}

func (s *scene) job(id string) api.Job {
	s.t.Helper()
	j, err := s.api.Job(s.ctx, id)
	s.ok(err)
	return j
}

func (s *scene) jobs() (jobs []api.Job) {
	s.t.Helper()
	for j, err := range s.api.Jobs(s.ctx, client.JobFilter{Limit: 200}) {
		s.ok(err)
		jobs = append(jobs, j)
	}
	return jobs
}

func (s *scene) node(name string) api.Node {
	s.t.Helper()
	n, err := s.api.Node(s.ctx, name)
	s.ok(err)
	return n
}

// await returns the job when it is in the state. An end in another state fails the test at once.
func (s *scene) await(id, state string, within time.Duration) api.Job {
	s.t.Helper()
	return s.awaitThat(id, state, within, func(j api.Job) bool { return j.State == state })
}

// awaitThat returns the job when the condition holds.
func (s *scene) awaitThat(id, what string, within time.Duration, holds func(api.Job) bool) api.Job {
	s.t.Helper()
	for deadline := time.Now().Add(within); ; time.Sleep(tick) {
		j := s.job(id)
		switch {
		case holds(j):
			return j
		case j.Ended != nil:
			s.t.Fatalf("%s has ended, want %s: %s", id, what, show(j))
		case time.Now().After(deadline):
			nodes, err := s.api.Nodes(s.ctx)
			s.ok(err)
			s.t.Fatalf("%s is not %s within %v: %s\nnodes: %s", id, what, within, show(j), show(nodes))
		}
	}
}

// show formats a value as REST returns it, for failures.
func show(what any) string {
	text, err := json.MarshalIndent(what, "", "  ")
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// output returns the task's output so far.
func (s *scene) output(id string, task int) string {
	s.t.Helper()
	return s.read(id, client.LogQuery{Task: task})
}

func (s *scene) read(id string, query client.LogQuery) string {
	s.t.Helper()
	stream, err := s.api.Logs(s.ctx, id, query)
	if client.Code(err) == "no_logs" { // the task has not started yet
		return ""
	}
	s.ok(err)
	defer stream.Close()
	text, err := io.ReadAll(stream)
	s.ok(err)
	return string(text)
}

// stride is the step of a counting guest between two lines.
const stride = 1000

// counting returns a job whose tasks count to n and print every stride-th number.
func counting(n int, cpu string) api.JobSpec {
	return shell(fmt.Sprintf("i=0; while [ $i -lt %d ]; do i=$((i+1)); [ $((i%%%d)) = 0 ] && echo $i; done; exit 0", n,
		stride), cpu)
}

// endless is enough to count for a whole test.
const endless = 1_000_000_000

// shell returns a job of one small task that runs a shell script.
func shell(script, cpu string) api.JobSpec {
	return api.JobSpec{CPU: cpu, Memory: "96Mi", Command: []string{"/bin/sh", "-c", script}}
}

// counted returns how many numbers the task has printed. It fails if one is missing, repeated or out of order.
func (s *scene) counted(id string, task int) int {
	s.t.Helper()
	text := s.output(id, task)
	text = text[:strings.LastIndex(text, "\n")+1] // the last line may be incomplete
	lines := strings.Fields(text)
	for i, found := range lines {
		if want := strconv.Itoa((i + 1) * stride); found != want {
			s.t.Fatalf("%s/%d: line %d is %q, want %s: the guest did not count on where it was", id, task, i+1, found, want)
		}
	}
	return len(lines)
}

// awaitCount returns when the task has printed the given number of lines.
func (s *scene) awaitCount(id string, task, lines int, within time.Duration) {
	s.t.Helper()
	s.eventually(fmt.Sprintf("%s/%d writes line %d", id, task, lines), within, func() error {
		if n := s.counted(id, task); n < lines {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	})
}

// events returns the job's past events, oldest first; an empty id selects all jobs and nodes.
func (s *scene) events(id string, kinds ...string) []api.Event {
	s.t.Helper()
	events, err := s.api.History(s.ctx, client.EventFilter{Job: id, Kinds: kinds}, 5000)
	s.ok(err)
	slices.Reverse(events)
	return events
}
