package store

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/internal/freeport"
)

// BenchmarkPropose writes to a real disk, shared by all members, over loopback.
func BenchmarkPropose(b *testing.B) {
	for _, members := range []int{1, 3} {
		for _, clients := range []int{1, 64} {
			b.Run(fmt.Sprintf("members=%d/clients=%d", members, clients), func(b *testing.B) {
				benchmarkPropose(b, together(b, members), clients)
			})
		}
	}
}

// together opens members that know each other, and returns one of them.
func together(b *testing.B, count int) (s *Store) {
	members := map[uint64]Member{}
	for id := range uint64(count) {
		members[id+1] = Member{fmt.Sprint("m", id+1), freeport.Take()}
	}
	for id := range members {
		cfg := aloneIn(b.TempDir())
		cfg.Replica, cfg.Members = id, members
		var err error
		if s, err = Open(cfg); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(s.Close)
	}
	read(b, s) // there is a leader
	return s
}

func benchmarkPropose(b *testing.B, s *Store, clients int) {
	took := make([]time.Duration, b.N)
	var next atomic.Int64
	var writing sync.WaitGroup
	b.ResetTimer()
	for range clients {
		writing.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				began := time.Now()
				if r, err := s.Propose(b.Context(), setPolicy(fmt.Sprint("p", i))); err != nil || r.Rejection != nil {
					b.Error(err, r.Rejection)
				}
				took[i-1] = time.Since(began)
			}
		})
	}
	writing.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[b.N/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[b.N*99/100].Microseconds()), "p99-µs")
}

// BenchmarkRead asks a single replica.
func BenchmarkRead(b *testing.B) {
	s := alone(b, b.TempDir())
	propose(b, s, cluster.Command{Actor: root, Action: cluster.SetPolicy{Name: "p", Period: cluster.Minute}})
	for b.Loop() {
		if _, err := s.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
