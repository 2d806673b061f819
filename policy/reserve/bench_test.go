package reserve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

const (
	benchNodes    = 1_024
	liveRequests  = 100_000
	benchBusyPart = 0.65 // of the nodes' time
)

// sizes are powers of two from 1<<low to 1<<high nodes.
type sizes struct{ low, high int }

func (s sizes) String() string { return fmt.Sprintf("nodes=%d-%d", 1<<s.low, 1<<s.high) }

func (s sizes) draw(dice *rand.Rand, horizon cluster.Time) Request {
	lengths := [...]cluster.Time{60, 300, 900, 1800, 3600, 10800}
	lasts := lengths[dice.IntN(len(lengths))] * cluster.Second
	ready := cluster.Time(dice.Int64N(int64(horizon)))
	slack := cluster.Time(3 * dice.Float64() * float64(lasts))
	return Request{Ready: ready, Lasts: lasts, Deadline: ready + lasts + slack,
		Nodes: 1 << (s.low + dice.IntN(s.high-s.low+1))}
}

// filled returns a calendar with the live reservations, and its horizon.
func (s sizes) filled(f *Finder) (*calendar.Calendar, cluster.Time) {
	dice, work := rand.New(rand.NewPCG(1, 0)), 0.0
	for range 10_000 {
		q := s.draw(dice, 1)
		work += float64(q.Lasts) * float64(q.Nodes) / 10_000
	}
	horizon := cluster.Time(work * liveRequests / (benchBusyPart * benchNodes))
	c := calendar.New(0, benchNodes)
	for live := 0; live < liveRequests; {
		q := s.draw(dice, horizon)
		if start, nodes := f.Find(c, FF, q); start != calendar.Never {
			c.Book(start, start+q.Lasts, nodes)
			live++
		}
	}
	return c, horizon
}

func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	if len(times) > 0 {
		b.ReportMetric(float64(times[len(times)/2])/1e3, "p50-µs")
		b.ReportMetric(float64(times[len(times)*99/100])/1e3, "p99-µs")
	}
}

// BenchmarkAdmission decides on a request and books its nodes, with 100,000 live reservations on 1,024 nodes. The
// booking is released again, which BenchmarkRelease measures.
func BenchmarkAdmission(b *testing.B) {
	benchmark(b, func(admit, _ []time.Duration) []time.Duration { return admit })
}

func BenchmarkRelease(b *testing.B) {
	benchmark(b, func(_, release []time.Duration) []time.Duration { return release })
}

func benchmark(b *testing.B, of func(admit, release []time.Duration) []time.Duration) {
	for _, s := range []sizes{{5, 10}, {0, 6}} {
		var f Finder
		c, horizon := s.filled(&f)
		for _, rule := range Rules {
			b.Run(fmt.Sprintf("%v/%v", s, rule), func(b *testing.B) {
				dice := rand.New(rand.NewPCG(2, 0))
				var admit, release []time.Duration
				for b.Loop() {
					q := s.draw(dice, horizon)
					begun := time.Now()
					start, nodes := f.Find(c, rule, q)
					if start != calendar.Never {
						c.Book(start, start+q.Lasts, nodes)
					}
					booked := time.Now()
					admit = append(admit, booked.Sub(begun))
					if start != calendar.Never {
						c.Release(start, start+q.Lasts, nodes)
						release = append(release, time.Since(booked))
					}
				}
				percentiles(b, of(admit, release))
			})
		}
	}
}

// BenchmarkFirstFitByCount finds the first fit where any nodes do.
func BenchmarkFirstFitByCount(b *testing.B) {
	for _, s := range []sizes{{5, 10}, {0, 6}} {
		var f Finder
		c, horizon := s.filled(&f)
		b.Run(s.String(), func(b *testing.B) {
			dice := rand.New(rand.NewPCG(2, 0))
			var times []time.Duration
			for b.Loop() {
				q := s.draw(dice, horizon)
				begun := time.Now()
				c.EarliestAny(q.Ready, q.Lasts, q.Nodes)
				times = append(times, time.Since(begun))
			}
			percentiles(b, times)
		})
	}
}

// BenchmarkDecideAfterAnEnd decides when a job has ended while 100,000 jobs wait for their promised intervals.
func BenchmarkDecideAfterAnEnd(b *testing.B) {
	w := newWorld(b, "reserve/FF", benchNodes)
	first := w.submit(1, cluster.Window{Lasts: second})
	if _, err := w.decide(); err != nil {
		b.Fatal(err)
	}
	for i := range cluster.Time(liveRequests) {
		from := (1 + i/benchNodes) * second
		id := w.submit(1, cluster.Window{Ready: from, Deadline: from + second, Lasts: second})
		node := cluster.NodeID(1 + i%benchNodes)
		if err := w.Promise([]cluster.Promise{{Job: id, From: from, Until: from + second,
			Nodes: []cluster.NodeID{node}}}); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Adopt(cluster.Adopt{}); err != nil { // the submissions are seen
		b.Fatal(err)
	}
	w.End(first)
	for w.Decide(w.View()); b.Loop(); {
		w.Decide(w.View())
	}
}
