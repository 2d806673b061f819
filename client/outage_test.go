package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// mortal is a manager that can go away with all connections and come back.
type mortal struct {
	*webtest.Cluster
	server *httptest.Server
	away   atomic.Bool
	lost   chan error // the outages that the client reported
	client *client.Client
}

func newMortal(t *testing.T) *mortal {
	m := &mortal{Cluster: webtest.New(t), lost: make(chan error, 9)}
	m.server = fail(t, m.Cluster, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if m.away.Load() {
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
	})
	c, err := client.New(client.Options{Managers: []string{m.server.URL}, Token: webtest.Admin,
		Patience: time.Millisecond, Lost: func(err error) { m.lost <- err }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	m.client = c
	n1 := m.Join(t, "n1", 2000, 512*cluster.MiB)
	if _, err := c.Submit(within(t), small, ""); err != nil {
		t.Fatal(err)
	}
	m.Cluster.Run(t, 1, 500, n1)
	return m
}

// restart goes away until the client has noticed it, lets things happen meanwhile, and comes back.
func (m *mortal) restart(meanwhile func()) {
	m.away.Store(true)
	m.server.CloseClientConnections()
	<-m.lost
	meanwhile()
	m.away.Store(false)
}

var theRun = cluster.RunID{Job: 1, Number: 1}

// signals passes text on, and says when the given text has come.
type signals struct {
	strings.Builder
	awaited string
	came    chan struct{}
}

func (s *signals) Write(p []byte) (int, error) {
	n, err := s.Builder.Write(p)
	if s.awaited != "" && strings.Contains(s.String(), s.awaited) {
		s.awaited = ""
		close(s.came)
	}
	return n, err
}

func TestAFollowedLogLosesAndDoublesNothingWhenAManagerRestarts(t *testing.T) {
	m := newMortal(t)
	m.Print(theRun, "one\n")
	out := &signals{awaited: "one\n", came: make(chan struct{})}
	done := make(chan error)
	go func() { done <- m.client.FollowLog(within(t), "j1", client.LogQuery{}, out) }()
	<-out.came
	m.restart(func() { m.Print(theRun, "two\n") })
	m.Print(theRun, "three\n")
	m.Exit(t, theRun, 0)
	if err := <-done; err != nil || out.String() != "one\ntwo\nthree\n" {
		t.Errorf("followed %q, %v", out.String(), err)
	}
	if len(m.lost) > 0 {
		t.Errorf("the outage was reported again: %v", <-m.lost)
	}
}

func TestAFollowedLogGoesOnWhenAManagerEndsItEarly(t *testing.T) {
	w := webtest.New(t)
	var ended atomic.Bool
	server := fail(t, w, func(rw http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.URL.Query().Get("follow") == "true" && !ended.Swap(true) {
			_, _ = rw.Write([]byte("on")) // in good order, as a manager that stops
			w.Exit(t, theRun, 0)
			return
		}
		next.ServeHTTP(rw, r)
	})
	n1, c := w.Join(t, "n1", 2000, 512*cluster.MiB), connect(t, server.URL)
	if _, err := c.Submit(within(t), small, ""); err != nil {
		t.Fatal(err)
	}
	w.Run(t, 1, 500, n1)
	w.Print(theRun, "one\ntwo\n")
	var out strings.Builder
	if err := c.FollowLog(within(t), "j1", client.LogQuery{}, &out); err != nil || out.String() != "one\ntwo\n" {
		t.Errorf("followed %q, %v", out.String(), err)
	}
}

func TestAFollowedLogGoesOnWithTheRunsThatComeAfterAFailure(t *testing.T) {
	w := webtest.New(t)
	c := connect(t, w.Serve(t).URL)
	n1 := w.Join(t, "n1", 2000, 512*cluster.MiB)
	spec := small
	spec.Restart = &api.Restart{OnFailure: 2}
	if _, err := c.Submit(within(t), spec, ""); err != nil {
		t.Fatal(err)
	}
	out := &signals{awaited: "one\n", came: make(chan struct{})}
	done := make(chan error)
	go func() { done <- c.FollowLog(within(t), "j1", client.LogQuery{}, out) }()
	w.Print(theRun, "one\n")
	w.Run(t, 1, 500, n1)
	<-out.came
	w.Exit(t, theRun, 1)
	w.Run(t, 1, 500, n1)
	w.Exit(t, cluster.RunID{Job: 1, Number: 2}, 1) // without output
	w.Print(cluster.RunID{Job: 1, Number: 3}, "three\n")
	w.Run(t, 1, 500, n1)
	w.Exit(t, cluster.RunID{Job: 1, Number: 3}, 0)
	if err := <-done; err != nil || out.String() != "one\nthree\n" {
		t.Errorf("followed %q, %v", out.String(), err)
	}
	var first strings.Builder
	if err := c.FollowLog(within(t), "j1", client.LogQuery{Run: 1}, &first); err != nil || first.String() != "one\n" {
		t.Errorf("of run 1 alone %q, %v", first.String(), err)
	}
}

func TestFollowedEventsGoOnAfterAnOutage(t *testing.T) {
	m := newMortal(t)
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	kinds := make(chan string, 9)
	go func() {
		defer close(kinds)
		filter := client.EventFilter{Kinds: []string{"job_held", "job_released"}, Hello: true}
		for e, err := range m.client.Events(ctx, filter) {
			if err != nil {
				t.Error(err)
			}
			kinds <- e.Kind
		}
	}()
	<-kinds // the stream is open
	m.Must(t, cluster.Hold{Job: 1})
	got := []string{<-kinds}
	m.restart(func() { m.Must(t, cluster.Release{Job: 1}) })
	got = append(got, <-kinds, <-kinds)
	cancel()
	for kind := range kinds {
		got = append(got, kind)
	}
	if want := []string{"job_held", "", "job_released"}; !slices.Equal(got, want) {
		t.Errorf("followed %q, want %q", got, want)
	}
}

func TestWaitGoesOnAfterAnOutage(t *testing.T) {
	m := newMortal(t)
	done := make(chan error)
	go func() {
		j, err := m.client.Wait(within(t), "j1")
		if err == nil && j.State != "succeeded" {
			t.Errorf("the job %s", j.State)
		}
		done <- err
	}()
	m.restart(func() { m.Exit(t, theRun, 0) })
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestManagersThatNeverAnsweredAreNotWaitedFor(t *testing.T) {
	c, err := client.New(client.Options{Managers: []string{deaf(t)}, Token: webtest.Admin,
		Lost: func(error) { t.Error("an outage of managers that may not exist") }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var unreachable *client.Unreachable
	if _, err := c.Wait(within(t), "j1"); !errors.As(err, &unreachable) {
		t.Errorf("waited until %v", err)
	}
}
