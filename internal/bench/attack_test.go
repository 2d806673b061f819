package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/guest/protocol"
	"aliquot/internal/freeport"
	"aliquot/web/api"
)

// Terms of an attack, and its greatest cost.
const (
	siege      = time.Minute
	pace       = 2 << 20 // bytes of bodies per second
	idlers     = 5000    // connections
	readers    = 4       // of the whole log
	logSize    = 1 << 30
	mostGrowth = 300 << 20 // bytes of resident memory
)

// BenchmarkUnderAttack lets attackers with a user's token send the worst bodies, read a log of 1 GiB again and again
// and hold thousands of idle connections, for a minute, against a manager with one modelled node. It measures how long
// health takes meanwhile and fails if the manager's resident memory grows too much.
func BenchmarkUnderAttack(b *testing.B) {
	m, process := startModel(b)
	logged := m.fillLog(b)
	before := resident(b, process.Pid)
	ctx, end := context.WithTimeout(b.Context(), siege)
	defer end()
	var attackers sync.WaitGroup
	var sent, open, read atomic.Int64
	attackers.Go(func() { m.sendBodies(ctx, &sent) })
	attackers.Go(func() { m.idle(ctx, &open) })
	for range readers {
		attackers.Go(func() { m.readLog(ctx, logged, &read) })
	}
	most, took := before, []time.Duration(nil)
	for ctx.Err() == nil {
		began := time.Now()
		if err := m.healthy(); err != nil {
			b.Error(err)
		}
		took = append(took, time.Since(began))
		most = max(most, resident(b, process.Pid))
		time.Sleep(50 * time.Millisecond)
	}
	attackers.Wait()
	report(b, took)
	b.ReportMetric(float64(most-before)/(1<<20), "MiB-more")
	if sent.Load() < pace*int64(siege/time.Second)/2 || open.Load() < idlers || read.Load() < logSize {
		b.Errorf("the attack was too weak: %d bytes sent, %d connections open, %d bytes of the log read", sent.Load(),
			open.Load(), read.Load())
	}
	if most-before > mostGrowth {
		b.Errorf("the manager's memory grew from %d to %d MiB", before>>20, most>>20)
	}
}

// startModel starts a manager with one modelled node.
func startModel(b *testing.B) (*manager, *os.Process) {
	b.Helper()
	program, err := built()
	if err != nil {
		b.Fatalf("build aliquotd: %v", err)
	}
	rest, dir := freeport.Take(), b.TempDir()
	m := &manager{url: "http://" + rest, dir: dir}
	process := spawn(b, filepath.Join(dir, "log"), program, "model", "--nodes", "1", "--vms", "0", "--data", dir,
		"--rest", rest)
	m.awaitImages(b)
	return m, process
}

// fillLog returns a running job whose output has the greatest allowed size.
func (m *manager) fillLog(b *testing.B) (id string) {
	b.Helper()
	user := m.client(b)
	accepted, err := user.Submit(b.Context(), api.JobSpec{CPU: "100m", Memory: "96Mi", Command: []string{"serve", "1"},
		Limits: &api.Limits{LogBytes: "1Gi"}}, "")
	if err != nil {
		b.Fatal(err)
	}
	await(b, "the job", func() bool {
		j, err := user.Job(b.Context(), accepted.Job)
		return err == nil && j.State == "running"
	})
	out, err := os.OpenFile(filepath.Join(m.dir, "store/runs", accepted.Job, "0/1/output"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	line := bytes.Repeat([]byte("x"), 16<<10)
	for written := 0; written < logSize; written += len(line) {
		if err := protocol.WriteOutput(out, protocol.Chunk{Stream: protocol.Stdout, Data: line}); err != nil {
			b.Fatal(err)
		}
	}
	return accepted.Job
}

// worst are bodies that cost a careless parser many times their size.
func worst() (bodies []string) {
	const size = 512 << 10
	return []string{
		`{"labels":` + strings.Repeat("[", size) + `}`,
		`{"args":[` + strings.Repeat(`"",`, size/3) + `""]}`,
		`{"env":{` + strings.Repeat(`"a":"",`, size/7) + `"b":""}}`,
		`{"name":"` + strings.Repeat(`\u0041`, size/6) + `"}`,
		`{"cpu":1` + strings.Repeat("0", size) + `}`,
		strings.Repeat("\x00", size),
	}
}

// sendBodies posts the worst bodies in turn, at the attack's pace, and counts the bytes that were answered.
func (m *manager) sendBodies(ctx context.Context, sent *atomic.Int64) {
	bodies, began := worst(), time.Now()
	for i := 0; ctx.Err() == nil; i++ {
		for _, path := range []string{"/v1/jobs", "/v1/simulations"} {
			body := bodies[i%len(bodies)]
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+path, strings.NewReader(body))
			if err != nil {
				continue
			}
			request.Header.Set("Authorization", "Bearer "+m.token)
			request.Header.Set("Content-Type", "application/json")
			if answer, err := http.DefaultClient.Do(request); err == nil {
				io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
				sent.Add(int64(len(body)))
			}
			time.Sleep(time.Until(began.Add(time.Duration(sent.Load()) * time.Second / pace)))
		}
	}
}

// idle opens connections, counts them, and says nothing.
func (m *manager) idle(ctx context.Context, count *atomic.Int64) {
	var open []net.Conn
	for range idlers {
		if c, err := net.Dial("tcp", strings.TrimPrefix(m.url, "http://")); err == nil {
			open = append(open, c)
			count.Add(1)
		}
	}
	<-ctx.Done()
	for _, c := range open {
		c.Close()
	}
}

// readLog reads the whole output of the job again and again, and counts its bytes.
func (m *manager) readLog(ctx context.Context, job string, read *atomic.Int64) {
	reader, err := client.New(client.Options{Managers: []string{m.url}, Token: m.token})
	if err != nil {
		return
	}
	defer reader.Close()
	for ctx.Err() == nil {
		if stream, err := reader.Logs(ctx, job, client.LogQuery{}); err == nil {
			n, _ := io.Copy(io.Discard, stream)
			read.Add(n)
			stream.Close()
		}
	}
}

// healthy asks for the manager's health on a connection of its own.
func (m *manager) healthy() error {
	alone := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	answer, err := alone.Get(m.url + "/v1/health")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s", answer.Status)
	}
	return nil
}

// resident returns the resident memory of a process, in bytes.
func resident(b *testing.B, pid int) int64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
