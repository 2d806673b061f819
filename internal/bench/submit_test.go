package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/client"
	"aliquot/internal/freeport"
	"aliquot/web/api"
)

var job = api.JobSpec{CPU: "500m", Memory: "96Mi", Command: []string{"/bin/true"}}

// BenchmarkSubmission measures the time from the sending of a job to the answer that it is durable on disk, by a new
// manager. The cluster has no nodes: all jobs wait, and the leader keeps deciding on all of them.
func BenchmarkSubmission(b *testing.B) {
	for _, count := range []int{1, 64} {
		b.Run(fmt.Sprintf("clients=%d", count), func(b *testing.B) {
			m := startManager(b, "--link", freeport.Take(), "--image", madeUpImage(b))
			var clients []*client.Client
			for range count {
				clients = append(clients, m.client(b))
			}
			submit(b, clients)
		})
	}
}

// submit divides b.N submissions among the clients.
func submit(b *testing.B, clients []*client.Client) {
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var sending sync.WaitGroup
	b.ResetTimer()
	for _, c := range clients {
		sending.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				began := time.Now()
				if _, err := c.Submit(b.Context(), job, ""); err != nil {
					b.Error(err)
					return
				}
				took[i-1] = time.Since(began)
			}
		})
	}
	sending.Wait()
	b.StopTimer()
	report(b, took)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// madeUpImage returns a folder with an image that is never booted.
func madeUpImage(b *testing.B) string {
	dir := b.TempDir()
	for _, name := range []string{"kernel", "initrd", "cmdline"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
