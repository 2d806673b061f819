package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/internal/freeport"
	"aliquot/web/api"
)

// modelled is a cluster of modelled nodes that the command runs.
type modelled struct {
	*testing.T
	api   *client.Client
	stdin io.WriteCloser
	ended chan error
}

// startModel starts the command and returns once the cluster is filled.
func startModel(t *testing.T, flags ...string) *modelled {
	t.Helper()
	m := &modelled{T: t, ended: make(chan error, 1)}
	rest, data := freeport.TakeRow(3), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	out, says := io.Pipe()
	c := command()
	c.SetArgs(append([]string{"model", "--rest", rest, "--data", data, "--log-level", "error"}, flags...))
	c.SetOut(says)
	stdin, keyboard := io.Pipe()
	c.SetIn(stdin)
	m.stdin = keyboard
	go func() {
		err := c.ExecuteContext(ctx)
		says.CloseWithError(err)
		m.ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		keyboard.Close()
		if err := <-m.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	line := make([]byte, 512)
	if n, err := out.Read(line); err != nil || !strings.Contains(string(line[:n]), "modelled node") {
		t.Fatalf("it says %q, %v", line[:n], err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	token, err := os.ReadFile(filepath.Join(data, "secrets/admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	m.api, err = client.New(client.Options{Managers: []string{"http://" + rest}, Token: strings.TrimSpace(string(token))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.api.Close)
	return m
}

// submit submits a job and returns its id.
func (m *modelled) submit(spec api.JobSpec) string {
	m.Helper()
	a, err := m.api.Submit(m.Context(), spec, "")
	if err != nil {
		m.Fatal(err)
	}
	return a.Job
}

// await returns the job once the condition holds.
func (m *modelled) await(id, what string, holds func(api.Job) bool) api.Job {
	m.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		j, err := m.api.Job(m.Context(), id)
		if err != nil {
			m.Fatal(err)
		}
		if holds(j) {
			return j
		}
		if time.Now().After(end) {
			m.Fatalf("%s is not %s: %+v", id, what, j)
		}
	}
}

func is(state string) func(api.Job) bool { return func(j api.Job) bool { return j.State == state } }

func TestAModelledClusterIsFilledAndDoesWithJobsWhatARealOneDoes(t *testing.T) {
	m := startModel(t, "--nodes", "6", "--vms", "40")
	running := 0
	for j, err := range m.api.Jobs(t.Context(), client.JobFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		running += j.Phases["running"]
	}
	if running != 40 {
		t.Errorf("%d VMs run, want 40", running)
	}

	short := m.submit(api.JobSpec{Tasks: 2, CPU: "100m", Memory: "64Mi", Command: []string{"work", "0.1"}})
	fails := m.submit(api.JobSpec{CPU: "100m", Memory: "64Mi", Command: []string{"work", "0.1", "3"}})
	if j := m.await(short, "at its end", func(j api.Job) bool { return j.Ended != nil }); j.State != "succeeded" {
		t.Errorf("it ended as %s: %s", j.State, j.Cause)
	}
	if j := m.await(fails, "at its end", func(j api.Job) bool {
		return j.Ended != nil
	}); j.State != "failed" || *j.Tasks[0].Exit.Code != 3 {
		t.Errorf("it ended as %s: %+v", j.State, j.Tasks[0].Exit)
	}

	held := m.submit(api.JobSpec{CPU: "100m", Memory: "64Mi", Command: []string{"serve", "10"}})
	m.await(held, "running", is("running"))
	if _, err := m.api.Hold(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	if j := m.await(held, "paused", func(j api.Job) bool { return j.Tasks[0].State == "paused" }); j.State != "held" {
		t.Errorf("a held job is %s", j.State)
	}
	if _, err := m.api.Release(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	home := m.await(held, "running again", is("running")).Tasks[0]
	if home.Run != 1 {
		t.Errorf("it was started %d times", home.Run)
	}
	if _, err := m.api.SetNode(t.Context(), home.Node, "drain"); err != nil {
		t.Fatal(err)
	}
	if away := m.await(held, "on another node", func(j api.Job) bool {
		return j.State == "running" && j.Tasks[0].Node != home.Node
	}); away.Tasks[0].Run != 1 {
		t.Errorf("it was started anew: %+v", away.Tasks[0])
	}
}

func TestAModelledNodeTellsTheVersionOfItsMonitor(t *testing.T) {
	m := startModel(t, "--nodes", "1", "--vms", "1")
	if n, err := m.api.Node(t.Context(), "n1"); err != nil || n.Program != version {
		t.Errorf("it is %q, not %q; %v", n.Program, version, err)
	}
}

func TestALostModelledNodeIsSilent(t *testing.T) {
	m := startModel(t, "--nodes", "3", "--vms", "3", "--lost", "1", "--lease", "5s")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		n, err := m.api.Node(t.Context(), "n3")
		if err != nil {
			t.Fatal(err)
		}
		if n.Health == "silent" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("it is %s", n.Health)
		}
	}
}

func TestAnAttachedModelledClusterEndsWithItsInput(t *testing.T) {
	m := startModel(t, "--nodes", "0", "--vms", "0", "--attached")
	if nodes, err := m.api.Nodes(t.Context()); err != nil || len(nodes) != 0 {
		t.Fatalf("%d nodes, %v", len(nodes), err)
	}
	m.stdin.Close()
	select {
	case err := <-m.ended:
		m.ended <- err
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
}

func TestAModelledClusterListensOnLoopbackOnly(t *testing.T) {
	for _, flags := range [][]string{{"--rest", "10.0.0.1:7420"}, {"--rest", "7420"}, {"--nodes", "0"},
		{"--nodes", "-1", "--vms", "0"}, {"--nodes", "2", "--lost", "3"}} {
		if out, err := run(t.Context(), append([]string{"model"}, flags...)...); err == nil ||
			!strings.Contains(err.Error(), "--") {
			t.Errorf("%v: %q, %v", flags, out, err)
		}
	}
}

func TestAModelledClusterIsCounted(t *testing.T) {
	for want, n := range map[string][2]int{
		"1 VM runs on 1 modelled node":    {1, 1},
		"40 VMs run on 6 modelled nodes":  {40, 6},
		"no VMs run on no modelled nodes": {0, 0},
	} {
		if got := populated(n[0], n[1]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
