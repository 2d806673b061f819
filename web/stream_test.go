package web_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// patience is longer than a passing test ever waits.
const patience = 20 * time.Second

// open opens a stream that ends with the test, or earlier by the returned function.
func (s *site) open(path, token string, header ...string) (*bufio.Scanner, func()) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	request, err := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	response, err := s.Client().Do(request)
	if err != nil {
		s.Fatal(err)
	}
	end := func() {
		cancel()
		response.Body.Close()
	}
	s.Cleanup(end)
	if response.StatusCode != 200 {
		s.Fatalf("%s answered %s", path, response.Status)
	}
	return bufio.NewScanner(response.Body), end
}

// next reads one server-sent event as "kind id".
func next(t testing.TB, lines *bufio.Scanner) string {
	t.Helper()
	var kind, id string
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			kind = value
		case "id":
			id = value
		case "":
			return kind + " " + id
		}
	}
	t.Fatalf("the stream ended: %v", lines.Err())
	return ""
}

func TestEventStreamSaysHelloThenFollows(t *testing.T) {
	s := newSite(t)
	revision := s.Latest().Revision
	lines, _ := s.open("/v1/events", webtest.Viewer)
	if got := next(t, lines); !strings.HasPrefix(got, fmt.Sprintf("hello %d.", revision)) {
		t.Fatalf("first came %q", got)
	}
	s.submit(small)
	if got, want := next(t, lines), fmt.Sprintf("job_submitted %d.0", revision+1); got != want {
		t.Errorf("then came %q, want %q", got, want)
	}
}

func TestEventStreamResumesAfterTheLastOne(t *testing.T) {
	s := newSite(t)
	s.submit(small)
	at := s.Latest().Revision
	s.submit(small)
	s.want(200, "DELETE", "/v1/jobs/j2", webtest.Alice, "")
	for _, how := range []func() *bufio.Scanner{
		func() *bufio.Scanner {
			l, _ := s.open(fmt.Sprintf("/v1/events?since=%d", at), webtest.Viewer)
			return l
		},
		func() *bufio.Scanner {
			l, _ := s.open(fmt.Sprintf("/v1/events?since=%d.0", at), webtest.Viewer)
			return l
		},
		func() *bufio.Scanner {
			l, _ := s.open("/v1/events?since=1", webtest.Viewer, fmt.Sprintf("Last-Event-ID: %d.0", at))
			return l
		},
	} {
		lines := how()
		got := []string{next(t, lines), next(t, lines), next(t, lines), next(t, lines)}
		want := []string{"hello", fmt.Sprintf("job_submitted %d.0", at+1), fmt.Sprintf("job_ending %d.0", at+2),
			fmt.Sprintf("job_ended %d.1", at+2)}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("message %d is %q, want %q", i, got[i], want[i])
			}
		}
	}
}

func TestEventStreamIsFiltered(t *testing.T) {
	s := newSite(t)
	at := s.Latest().Revision
	s.Join(t, "n1", 2000, 512*cluster.MiB)
	s.submit(small)
	s.submit(small)
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	for query, want := range map[string]string{
		"job=j1&kind=job_end*": "job_ending",
		"kind=job_ended":       "job_ended",
		"node=n1":              "node_joined",
		"job=j2":               "job_submitted",
	} {
		lines, _ := s.open(fmt.Sprintf("/v1/events?since=%d&%s", at, query), webtest.Viewer)
		next(t, lines)
		if got, _, _ := strings.Cut(next(t, lines), " "); got != want {
			t.Errorf("%s: first came %s, want %s", query, got, want)
		}
	}
}

// beating returns a site whose streams send heartbeats every few milliseconds.
func beating(t *testing.T) *site {
	c := webtest.New(t)
	handler := web.NewHandlerWith(web.Options{Manager: c}, 5*time.Millisecond, 1000, 2)
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &site{c, t, server}
}

func TestEventStreamBeats(t *testing.T) {
	s := beating(t)
	lines, _ := s.open("/v1/events?since=3.0&kind=job_ended", webtest.Viewer)
	next(t, lines)
	last := fmt.Sprintf("heartbeat %d.0", s.Latest().Revision)
	for got := next(t, lines); got != last; got = next(t, lines) {
		if !strings.HasPrefix(got, "heartbeat ") {
			t.Fatalf("came %q, want only heartbeats", got)
		}
	}
}

func TestStreamOutlivesTheTimeOfOneRequest(t *testing.T) {
	c := webtest.New(t)
	server := httptest.NewUnstartedServer(web.NewHandlerWith(web.Options{Manager: c}, 5*time.Millisecond, 1000, 2))
	server.Config.ReadTimeout, server.Config.WriteTimeout = 50*time.Millisecond, 50*time.Millisecond
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s := &site{c, t, server}
	lines, _ := s.open("/v1/events", webtest.Viewer)
	for range 50 { // five times as long as a request may take
		next(t, lines)
	}
}

func TestEventStreamEndsWithItsToken(t *testing.T) {
	s := beating(t)
	lines, _ := s.open("/v1/events", webtest.Viewer)
	next(t, lines)
	s.want(200, "DELETE", "/v1/tokens/t-viewer", webtest.Admin, "")
	for lines.Scan() {
	}
	if lines.Err() != nil {
		t.Errorf("the stream broke instead of ending: %v", lines.Err())
	}
	s.want(401, "GET", "/v1/jobs", webtest.Viewer, "")
}

func TestAFollowedLogEndsWithItsToken(t *testing.T) {
	s := beating(t)
	n1 := s.Join(t, "n1", 2000, 512*cluster.MiB)
	s.Run(t, s.submit(small), 500, n1)
	s.Print(cluster.RunID{Job: 1, Number: 1}, "one\n")
	lines, _ := s.open("/v1/jobs/j1/logs?follow=true", webtest.Alice)
	if !lines.Scan() || lines.Text() != "one" {
		t.Fatalf("read %q, want one", lines.Text())
	}
	s.want(200, "DELETE", "/v1/tokens/t-alice", webtest.Admin, "")
	for lines.Scan() {
	}
	if lines.Err() != nil {
		t.Errorf("the log broke instead of ending: %v", lines.Err())
	}
}

func TestGuessingTokensIsSlowedDown(t *testing.T) {
	s := beating(t)
	s.want(401, "GET", "/v1/jobs", "alq_1", "")
	s.want(401, "GET", "/v1/jobs", "alq_2", "")
	if r := s.want(429, "GET", "/v1/jobs", "alq_3", ""); r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	s.want(200, "GET", "/v1/jobs", webtest.Alice, "")
}

func TestOneTokenCannotFloodTheManager(t *testing.T) {
	c := webtest.New(t)
	server := httptest.NewServer(web.NewHandlerWith(web.Options{Manager: c}, time.Hour, 1, 1))
	defer server.Close()
	s := &site{c, t, server}
	s.want(200, "GET", "/v1/jobs", webtest.Alice, "")
	s.want(429, "GET", "/v1/jobs", webtest.Alice, "")
	s.want(200, "GET", "/v1/jobs", webtest.Bob, "")
}

func TestStreamsOfOneOwnerAreBoundedWithAnyToken(t *testing.T) {
	s := newSite(t)
	var other api.CreatedToken
	s.want(201, "POST", "/v1/tokens", webtest.Admin, `{"name": "second", "role": "viewer", "owner": "viewer"}`).into(t, &other)
	var ends []func()
	for i := range 128 {
		lines, end := s.open("/v1/events", []string{webtest.Viewer, other.Secret}[i%2])
		next(t, lines)
		ends = append(ends, end)
	}
	if r := s.want(429, "GET", "/v1/events", webtest.Viewer, ""); !strings.Contains(r.text, "too_many_streams") {
		t.Error(r.text)
	}
	lines, end := s.open("/v1/events", webtest.Alice)
	next(t, lines)
	for _, end := range append(ends, end) {
		end()
	}
}

func TestShutdownEndsOpenStreams(t *testing.T) {
	s := newSite(t)
	lines, _ := s.open("/v1/events", webtest.Viewer)
	next(t, lines)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.Config.Shutdown(ctx); err != nil {
		t.Fatalf("shut down with a stream open: %v", err)
	}
	for lines.Scan() {
	}
}

func TestLogsAreReadAndFollowed(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 512*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	run := cluster.RunID{Job: id, Number: 1}
	s.Print(run, "one\ntwo\n")
	if r := s.want(200, "GET", "/v1/jobs/j1/logs?offset=4", webtest.Alice, ""); r.text != "two\n" ||
		r.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%s: %q", r.header.Get("Content-Type"), r.text)
	}
	lines, _ := s.open("/v1/jobs/j1/logs?follow=true", webtest.Alice)
	for _, want := range []string{"one", "two"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("read %q, want %q", lines.Text(), want)
		}
	}
	s.Print(run, "three\n")
	if !lines.Scan() || lines.Text() != "three" {
		t.Fatalf("followed %q, want three", lines.Text())
	}
	s.Exit(t, run, 0)
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("the log goes on after the end: %q, %v", lines.Text(), lines.Err())
	}
}

const resilient = `{"name": "small", "cpu": "500m", "memory": "64Mi", "command": ["true"], "restart": {"onFailure": 1}}`

func TestAFollowedLogGoesOnUntilTheTaskHasEndedForGood(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 512*cluster.MiB)
	id := s.submit(resilient)
	lines, _ := s.open("/v1/jobs/j1/logs?follow=true", webtest.Alice) // before its first run
	expect := func(want string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("read %q, want %q: %v", lines.Text(), want, lines.Err())
		}
	}
	s.Print(cluster.RunID{Job: id, Number: 1}, "one\n")
	s.Run(t, id, 500, n1)
	expect("one")
	one, _ := s.open("/v1/jobs/j1/logs?follow=true&run=1", webtest.Alice)
	s.Exit(t, cluster.RunID{Job: id, Number: 1}, 1)
	if !one.Scan() || one.Text() != "one" || one.Scan() {
		t.Errorf("of one run %q is read", one.Text())
	}
	s.want(200, "POST", "/v1/jobs/j1/hold", webtest.Alice, "")
	s.want(200, "POST", "/v1/jobs/j1/release", webtest.Alice, "")
	s.Run(t, id, 500, n1)
	s.Print(cluster.RunID{Job: id, Number: 2}, "two\n")
	expect("two")
	s.Exit(t, cluster.RunID{Job: id, Number: 2}, 0)
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("the log goes on after the end: %q, %v", lines.Text(), lines.Err())
	}
}

func TestAFollowedLogPassesOverARunThatWasStoppedBeforeItsFirstOutput(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 512*cluster.MiB)
	id := s.submit(small)
	s.Place(t, id, 500, n1)
	run, task := cluster.RunID{Job: id, Number: 1}, cluster.TaskID{Job: id}
	m := s.Move(t, cluster.Move{Kind: cluster.Start, Task: task, To: n1, CPU: 500})
	s.Report(t, n1, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenBooting, Cap: 500, Platform: "q35-7.2"})
	s.want(200, "POST", "/v1/jobs/j1/hold", webtest.Alice, "")
	m = s.Move(t, cluster.Move{Kind: cluster.Stop, Task: task, From: n1})
	s.Report(t, n1, cluster.Observation{Run: run, Move: m.ID, Seen: cluster.SeenAbsent})
	lines, _ := s.open("/v1/jobs/j1/logs?follow=true", webtest.Alice)
	s.want(200, "POST", "/v1/jobs/j1/release", webtest.Alice, "")
	s.Print(cluster.RunID{Job: id, Number: 2}, "two\n")
	s.Run(t, id, 500, n1)
	s.Exit(t, cluster.RunID{Job: id, Number: 2}, 0)
	if !lines.Scan() || lines.Text() != "two" || lines.Scan() {
		t.Errorf("read %q, %v", lines.Text(), lines.Err())
	}
}

func TestAFollowedLogOfAJobThatIsCancelledBeforeItStartsEndsEmpty(t *testing.T) {
	s := newSite(t)
	s.submit(small)
	lines, _ := s.open("/v1/jobs/j1/logs?follow=true", webtest.Alice)
	s.want(200, "DELETE", "/v1/jobs/j1", webtest.Alice, "")
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("read %q, %v", lines.Text(), lines.Err())
	}
}
