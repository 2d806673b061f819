package bench

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/internal/freeport"
)

const root = "../.."

// patience bounds the start and the end of everything.
const patience = time.Minute

// built is the path of aliquotd, built from the present source.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(folder, "aliquotd")
	out, err := exec.Command("go", "build", "-o", path, root+"/cmd/aliquotd").CombinedOutput()
	os.Stderr.Write(out)
	return path, err
})

// folder is shared by all benchmarks of this run.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "aliquot-bench-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// manager is a single manager with its state on disk.
type manager struct {
	url, dir string
	token    string
}

// startManager starts a manager in a process of its own and returns when it accepts jobs.
func startManager(b *testing.B, args ...string) *manager {
	b.Helper()
	program, err := built()
	if err != nil {
		b.Fatalf("build aliquotd: %v", err)
	}
	rest, raft, dir := freeport.Take(), freeport.Take(), b.TempDir()
	m := &manager{url: "http://" + rest, dir: dir}
	spawn(b, filepath.Join(dir, "log"), program, append([]string{
		"manager", "--data", filepath.Join(dir, "data"), "--secrets", m.secrets(), "--store", filepath.Join(dir, "store"),
		"--rest", rest, "--raft", raft,
	}, args...)...)
	m.awaitImages(b)
	return m
}

// awaitImages returns when the manager answers and has an image.
func (m *manager) awaitImages(b *testing.B) {
	b.Helper()
	await(b, "the manager", func() bool {
		text, err := os.ReadFile(filepath.Join(m.secrets(), "admin.token"))
		m.token = strings.TrimSpace(string(text))
		if err != nil {
			return false
		}
		images, err := m.client(b).Images(context.Background())
		return err == nil && len(images) > 0
	})
}

func (m *manager) secrets() string { return filepath.Join(m.dir, "secrets") }

// client returns a client with connections of its own.
func (m *manager) client(b *testing.B) *client.Client {
	b.Helper()
	c, err := client.New(client.Options{Managers: []string{m.url}, Token: m.token, Patience: time.Millisecond})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

// spawn starts a process that ends with the benchmark. If the benchmark fails, spawn shows the process's log.
func spawn(b *testing.B, log, program string, args ...string) *os.Process {
	b.Helper()
	out, err := os.Create(log)
	if err != nil {
		b.Fatal(err)
	}
	process := exec.Command(program, args...)
	process.Stderr = out
	if err := process.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		process.Process.Signal(syscall.SIGTERM)
		late := time.AfterFunc(patience, func() { process.Process.Kill() })
		process.Wait()
		late.Stop()
		out.Close()
		if text, _ := os.ReadFile(log); b.Failed() {
			b.Logf("%s said:\n%s", program, text)
		}
	})
	return process.Process
}

// await polls until the condition holds.
func await(b *testing.B, what string, holds func() bool) {
	b.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.Fatalf("%s: not within %v", what, patience)
		}
	}
}
