package client_test

import (
	"context"
	"errors"
	"fmt"
	"github.com/google/go-cmp/cmp"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for; it is never reached by one that passes.
const patience = 20 * time.Second

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func connect(t *testing.T, managers ...string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{Managers: managers, Token: webtest.Admin, Patience: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// fail forwards requests to the cluster unless trouble answers them itself.
func fail(t *testing.T, c *webtest.Cluster,
	trouble func(w http.ResponseWriter, r *http.Request, next http.Handler)) *httptest.Server {
	handler := web.NewHandler(web.Options{Manager: c})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { trouble(w, r, handler) }))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}

// deaf returns the address of a manager that does not answer.
func deaf(t *testing.T) string {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}

var small = api.JobSpec{CPU: "500m", Memory: "64Mi", Command: []string{"true"}}

func TestNextManagerIsAskedWhenOneIsDown(t *testing.T) {
	w := webtest.New(t)
	c := connect(t, deaf(t), w.Serve(t).URL)
	for range 2 {
		if _, err := c.Submit(within(t), small, ""); err != nil {
			t.Fatal(err)
		}
	}
	if jobs, _, _ := w.Latest().Counts(); jobs != 2 {
		t.Errorf("%d jobs, want 2", jobs)
	}
}

func TestWithoutAnyManagerTheErrorIsUnreachable(t *testing.T) {
	_, err := connect(t, deaf(t), deaf(t)).Nodes(within(t))
	var u *client.Unreachable
	if !errors.As(err, &u) || len(u.Causes) != 2 {
		t.Errorf("error %v", err)
	}
}

func TestLostAnswerDoesNotSubmitTwice(t *testing.T) {
	w := webtest.New(t)
	var lost atomic.Int32
	server := fail(t, w, func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if lost.Add(1) > 2 {
			next.ServeHTTP(rw, r)
			return
		}
		next.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	})
	accepted, err := connect(t, server.URL).Submit(within(t), small, "")
	if err != nil {
		t.Fatal(err)
	}
	if jobs, _, _ := w.Latest().Counts(); jobs != 1 || !accepted.Repeated {
		t.Errorf("%d jobs, answer %+v; want one job, repeated", jobs, accepted)
	}
}

func TestUnknownOutcomeIsAskedAgainWithTheSameKey(t *testing.T) {
	w := webtest.New(t)
	var asked atomic.Int32
	w.Fault = func(cluster.Action) error {
		if asked.Add(1) < 3 {
			return fmt.Errorf("propose: %w", web.ErrUncertain)
		}
		return nil
	}
	if _, err := connect(t, w.Serve(t).URL).Submit(within(t), small, ""); err != nil {
		t.Fatal(err)
	}
	if jobs, _, _ := w.Latest().Counts(); jobs != 1 {
		t.Errorf("%d jobs, want 1", jobs)
	}
}

func TestLeaderIsWaitedFor(t *testing.T) {
	w := webtest.New(t)
	w.SetDown(true)
	var asked atomic.Int32
	server := fail(t, w, func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if asked.Add(1) == 3 {
			w.SetDown(false)
		}
		next.ServeHTTP(rw, r)
	})
	if _, err := connect(t, server.URL).Nodes(within(t)); err != nil {
		t.Errorf("the leader came back and the client says %v", err)
	}
}

func TestLeaderIsNotWaitedForForever(t *testing.T) {
	w := webtest.New(t)
	w.SetDown(true)
	c, err := client.New(client.Options{Managers: []string{w.Serve(t).URL}, Token: webtest.Admin,
		Patience: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Nodes(within(t)); client.Code(err) != "no_leader" {
		t.Errorf("error %v", err)
	}
}

func TestLeaderIsAskedOnceItIsKnown(t *testing.T) {
	leader, follower := webtest.New(t), webtest.New(t)
	leader.Must(t, cluster.SetPolicy{Name: "at the leader", Period: cluster.Minute})
	server := leader.Serve(t)
	follower.Following, follower.Leader = true, server.URL
	c := connect(t, follower.Serve(t).URL, server.URL)
	first, err := c.Policy(within(t))
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.Policy(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if first.Name == "at the leader" || second.Name != "at the leader" {
		t.Errorf("%q, then %q; want the follower's policy, then the leader's", first.Name, second.Name)
	}
}

func TestProblemNamesItsFieldOnce(t *testing.T) {
	for _, c := range []struct{ field, detail, want string }{
		{"job", "there is no job j7", "there is no job j7 (x)"},
		{"name", `there is no policy "x"`, `there is no policy "x" (x)`},
		{"cpu", "is no amount of CPU", "cpu: is no amount of CPU (x)"},
		{"memory", "is no amount of memory", "memory: is no amount of memory (x)"},
		{"disk", "needs an image of kind disk; busybox has none", "disk: needs an image of kind disk; busybox has none (x)"},
		{"memory", "must be from 16Mi", "memory: must be from 16Mi (x)"},
		{"cpu", "a task needs 64000m", "cpu: a task needs 64000m (x)"},
		{"node", "it would break the promises to j7", "it would break the promises to j7 (x)"},
		{"start", "node n1 is in maintenance already", "node n1 is in maintenance already (x)"},
		{"trace.text", "it has 7 lines", "trace.text: it has 7 lines (x)"},
		{"", "the token has expired", "the token has expired (x)"},
	} {
		p := &client.Problem{Problem: api.Problem{Code: "x", Field: c.field, Detail: c.detail}}
		if p.Error() != c.want {
			t.Errorf("%s, %s: %s, want %s", c.field, c.detail, p, c.want)
		}
	}
}

func TestRefusalIsAProblemAndNotTriedAgain(t *testing.T) {
	var asked atomic.Int32
	server := fail(t, webtest.New(t), func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		asked.Add(1)
		next.ServeHTTP(rw, r)
	})
	_, err := connect(t, server.URL).Job(within(t), "j7")
	var p *client.Problem
	if !errors.As(err, &p) || p.Code != "not_found" || p.Status != 404 || err.Error() != "there is no job j7 (not_found)" {
		t.Errorf("error %v", err)
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestAnswerOfSomethingElseIsNoAnswer(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	if _, err := connect(t, server.URL).Nodes(within(t)); client.Code(err) != "unexpected" {
		t.Errorf("error %v", err)
	}
}

func TestSecretsDoNotTravelInTheClear(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://127.0.0.1:7420": true, "localhost:7420": true, "http://[::1]:7420/": true, "https://manager.example": true,
		"http://manager.example": false, "http://192.0.2.1:7420": false, "ftp://127.0.0.1": false,
		"http://127.0.0.1/v1": false, "": false,
	} {
		if _, err := client.New(client.Options{Managers: []string{address}, Token: "alq_x"}); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	var carried atomic.Bool
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { carried.Store(true) }))
	defer thief.Close()
	server := httptest.NewServer(http.RedirectHandler(thief.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	if _, err := connect(t, server.URL).Nodes(within(t)); err == nil || carried.Load() {
		t.Errorf("error %v, redirected: %v", err, carried.Load())
	}
}

func TestEventsResumeWhereTheStreamBroke(t *testing.T) {
	w := webtest.New(t)
	opened := make(chan struct{}, 8)
	server := fail(t, w, func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.URL.Path == "/v1/events" {
			opened <- struct{}{}
		}
		next.ServeHTTP(rw, r)
	})
	c := connect(t, server.URL, deaf(t))
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	submit := func() {
		t.Helper()
		if _, err := c.Submit(ctx, small, ""); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for e, err := range c.Events(ctx, client.EventFilter{Kinds: []string{"job_submitted"}, Hello: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind != "" {
			got = append(got, e.Job)
		}
		switch {
		case len(got) == 3:
			cancel()
		case e.Kind == "" && len(opened) == 1:
			submit()
		case e.Job == "j1":
			server.CloseClientConnections()
			submit()
			submit()
		}
	}
	if text := strings.Join(got, " "); text != "j1 j2 j3" || len(opened) < 2 {
		t.Errorf("events of %s over %d connections, want j1 j2 j3 over two", text, len(opened))
	}
}

func TestEventsTooOldAreAnError(t *testing.T) {
	w := webtest.New(t)
	w.Keep = w.Latest().Revision
	for _, err := range connect(t, w.Serve(t).URL).Events(within(t), client.EventFilter{Since: "1"}) {
		if client.Code(err) != "resume_too_old" {
			t.Errorf("error %v", err)
		}
		return
	}
	t.Error("the stream was silent")
}

func TestWaitReturnsTheEndedJob(t *testing.T) {
	w := webtest.New(t)
	n1 := w.Join(t, "n1", 2000, 512*cluster.MiB)
	c := connect(t, w.Serve(t).URL)
	if _, err := c.Submit(within(t), small, ""); err != nil {
		t.Fatal(err)
	}
	w.Run(t, 1, 500, n1)
	done := make(chan api.Job)
	go func() {
		j, err := c.Wait(within(t), "j1")
		if err != nil {
			t.Error(err)
		}
		done <- j
	}()
	w.Exit(t, cluster.RunID{Job: 1, Number: 1}, 4)
	if j := <-done; j.State != "failed" || *j.Tasks[0].Exit.Code != 4 {
		t.Errorf("%+v", j)
	}
	if j, err := c.Wait(within(t), "j1"); err != nil || j.State != "failed" {
		t.Errorf("waiting for what has ended: %v, %v", j.State, err)
	}
}

func TestJobsComePageByPage(t *testing.T) {
	w := webtest.New(t)
	var queries []url.Values
	server := fail(t, w, func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		q := r.URL.Query()
		if r.Method == http.MethodGet {
			queries = append(queries, q)
			q.Set("limit", "2")
			r.URL.RawQuery = q.Encode()
		}
		next.ServeHTTP(rw, r)
	})
	c := connect(t, server.URL)
	for range 5 {
		if _, err := c.Submit(within(t), small, ""); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for j, err := range c.Jobs(within(t), client.JobFilter{Limit: 4}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, j.ID)
	}
	if got := strings.Join(ids, " "); got != "j5 j4 j3 j2" || len(queries) != 2 {
		t.Errorf("%s in %d pages", got, len(queries))
	}
}

func TestHistoryIsGatheredUpToTheLimit(t *testing.T) {
	w := webtest.New(t)
	c := connect(t, w.Serve(t).URL)
	for range 3 {
		if _, err := c.Submit(within(t), small, ""); err != nil {
			t.Fatal(err)
		}
	}
	events, err := c.History(within(t), client.EventFilter{Kinds: []string{"job_submitted"}}, 2)
	if err != nil || len(events) != 2 || events[0].Job != "j3" {
		t.Errorf("%+v, %v", events, err)
	}
}

func TestLogIsReadFromAnOffset(t *testing.T) {
	w := webtest.New(t)
	n1 := w.Join(t, "n1", 2000, 512*cluster.MiB)
	c := connect(t, w.Serve(t).URL)
	if _, err := c.Submit(within(t), small, ""); err != nil {
		t.Fatal(err)
	}
	w.Run(t, 1, 500, n1)
	w.Print(cluster.RunID{Job: 1, Number: 1}, "one\ntwo\n")
	log, err := c.Logs(within(t), "j1", client.LogQuery{Offset: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if text, err := io.ReadAll(log); err != nil || string(text) != "two\n" {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestPushedImageSurvivesALostConnection(t *testing.T) {
	w := webtest.New(t)
	var lost atomic.Bool
	server := fail(t, w, func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method == http.MethodPost && lost.CompareAndSwap(false, true) {
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(rw, r)
	})
	folder := t.TempDir()
	source := client.ImageSource{Kernel: filepath.Join(folder, "k"), Initrd: filepath.Join(folder, "i"), Cmdline: "quiet"}
	for _, path := range []string{source.Kernel, source.Initrd} {
		if err := os.WriteFile(path, []byte(strings.Repeat("x", 1<<20)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	image, err := connect(t, server.URL).PushImage(within(t), "mine", source)
	if err != nil {
		t.Fatal(err)
	}
	if image.SizeBytes != 2<<20+5 || image.Cmdline != "quiet" {
		t.Errorf("%+v", image)
	}
	if _, err := connect(t, server.URL).PushImage(within(t), "mine",
		client.ImageSource{Kernel: folder, Initrd: folder}); err == nil {
		t.Error("a folder was pushed as a kernel")
	}
}

func TestTheOverviewAndTheMapAreRead(t *testing.T) {
	site := webtest.New(t)
	c := connect(t, site.Serve(t).URL)
	site.Join(t, "n1", 1000, 512*cluster.MiB)
	o, err := c.Overview(within(t))
	if err != nil || o.Nodes["ready"] != 1 || o.CPU.CapacityMillicores != 1000 {
		t.Errorf("%+v, %v", o, err)
	}
	m, err := c.Map(within(t), "")
	if err != nil || len(m.Nodes) != 1 || m.Nodes[0].Name != "n1" {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err = c.Map(within(t), "n1"); err != nil || len(m.Nodes) != 0 {
		t.Errorf("after the last: %+v, %v", m, err)
	}
}

func TestThePastIsReadPageByPage(t *testing.T) {
	site := webtest.New(t)
	c := connect(t, site.Serve(t).URL)
	node := site.Join(t, "n1", 1000, 512*cluster.MiB)
	job, err := c.Submit(within(t), api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"true"}}, "")
	if err != nil {
		t.Fatal(err)
	}
	site.Advance(cluster.Minute)
	site.Run(t, 1, 500, node)
	site.SetUsage(cluster.RunID{Job: 1, Number: 1}, 450, cluster.MiB)
	site.Sample()
	site.Advance(cluster.Minute)
	site.Sample()
	var states []string
	for s, err := range c.JobTimeline(within(t), job.Job) {
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, s.State)
	}
	for s, err := range c.Timeline(within(t), "n1", client.Stretch{}) {
		if err != nil {
			t.Fatal(err)
		}
		states = append(states, s.Node)
	}
	if diff := cmp.Diff([]string{"running", "waiting", "n1"}, states); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
	series, err := c.Series(within(t), client.Stretch{Rows: 10})
	if err != nil || series.Rows != 10 {
		t.Errorf("%+v, %v", series.Axis, err)
	}
	if of, err := c.NodeSeries(within(t), "n1", client.Stretch{}); err != nil || of.Rows != 60 {
		t.Errorf("%+v, %v", of.Axis, err)
	}
	if used, err := c.JobUsage(within(t), job.Job, 0, client.Stretch{}); err != nil || len(used.Tasks) != 1 {
		t.Errorf("%+v, %v", used, err)
	}
	for _, err := range c.JobTimeline(within(t), "j9") {
		if client.Code(err) != "not_found" {
			t.Errorf("a job that is not there: %v", err)
		}
	}
}

func TestManagersAndPoliciesAreListed(t *testing.T) {
	site := webtest.New(t)
	site.Others = []web.Replica{{ID: 2}}
	c := connect(t, site.Serve(t).URL)
	if list, err := c.Managers(within(t)); err != nil || len(list) != 2 || !list[0].Leads || list[1].Status != "unknown" {
		t.Errorf("managers %+v, %v", list, err)
	}
	if list, err := c.Policies(within(t)); err != nil || len(list) != 2 || list[0].Name != "FCFS" {
		t.Errorf("policies %+v, %v", list, err)
	}
}

func TestAManagerWithoutSimulationsSaysSo(t *testing.T) {
	c := connect(t, webtest.New(t).Serve(t).URL)
	_, err := c.StartSimulation(within(t), api.NewSimulation{Policies: []string{"FCFS"}, Live: &api.LiveJobs{}})
	if client.Code(err) != "conflict" {
		t.Errorf("starting: %v", err)
	}
	if list, err := c.Simulations(within(t)); err != nil || len(list) != 0 {
		t.Errorf("listing: %v, %v", list, err)
	}
	_, noState := c.Simulation(within(t), "s1")
	_, noReport := c.SimulationReport(within(t), "s1")
	cancelled, removed := c.CancelSimulation(within(t), "s1"), c.RemoveSimulation(within(t), "s1")
	for _, err := range []error{noState, noReport, cancelled, removed} {
		if client.Code(err) != "not_found" {
			t.Errorf("one that is not there: %v", err)
		}
	}
}
