package calendar

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"aliquot/cluster"
)

// width is the range of the number of nodes that requests want: powers of two, all equally likely.
type width struct{ least, greatest int }

var widths = []width{{1, 64}, {32, 1024}}

// draw draws a request for some time before the horizon. It may start later by up to three times its length.
func (w width) draw(dice *rand.Rand, horizon cluster.Time) Ask {
	lengths := [...]cluster.Time{60, 300, 900, 1800, 3600, 10800}
	lasts := lengths[dice.IntN(len(lengths))] * cluster.Second
	from := cluster.Time(dice.Int64N(int64(horizon)))
	sizes := 1
	for w.least<<sizes <= w.greatest {
		sizes++
	}
	return Ask{From: from, Latest: from + 3*lasts, Lasts: lasts, Nodes: w.least << dice.IntN(sizes)}
}

// filled returns a calendar of 1,024 nodes with that many bookings, which take about 65 % of the nodes' time, and its
// horizon.
func (w width) filled(bookings int) (*Calendar, cluster.Time) {
	const nodes, sample = 1024, 10_000
	dice := rand.New(rand.NewPCG(1, 0))
	work := 0.0
	for range sample {
		a := w.draw(dice, 1)
		work += float64(a.Lasts) * float64(a.Nodes)
	}
	horizon := cluster.Time(work / sample * float64(bookings) / (0.65 * nodes))
	c := New(0, nodes)
	for booked := 0; booked < bookings; {
		a := w.draw(dice, horizon)
		if start, free := c.Earliest(a); start != Never {
			c.Book(start, start+a.Lasts, free.First(a.Nodes))
			booked++
		}
	}
	return c, horizon
}

// percentiles reports percentiles of the durations of a benchmark's operations, in microseconds.
func percentiles(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2])/1e3, "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100])/1e3, "p99-µs")
}

// each runs a benchmark on calendars with few and many, narrow and wide bookings.
func each(b *testing.B, run func(b *testing.B, w width, c *Calendar, horizon cluster.Time)) {
	for _, w := range widths {
		for _, bookings := range []int{1_000, 10_000, 100_000} {
			var c *Calendar
			var horizon cluster.Time
			b.Run(fmt.Sprintf("nodes=%d-%d/bookings=%d", w.least, w.greatest, bookings), func(b *testing.B) {
				if c == nil {
					c, horizon = w.filled(bookings)
				}
				run(b, w, c, horizon)
			})
		}
	}
}

// BenchmarkEarliest finds the earliest fit on 1,024 nodes, by identity.
func BenchmarkEarliest(b *testing.B) {
	each(b, func(b *testing.B, w width, c *Calendar, horizon cluster.Time) {
		dice := rand.New(rand.NewPCG(2, 0))
		var times []time.Duration
		for b.Loop() {
			a := w.draw(dice, horizon)
			begun := time.Now()
			c.Earliest(a)
			times = append(times, time.Since(begun))
		}
		percentiles(b, times)
	})
}

// BenchmarkBook books nodes that were found free; BenchmarkRelease releases them.
func BenchmarkBook(b *testing.B) {
	each(b, func(b *testing.B, w width, c *Calendar, horizon cluster.Time) {
		times, _ := bookAndRelease(b, w, c, horizon)
		percentiles(b, times)
	})
}

func BenchmarkRelease(b *testing.B) {
	each(b, func(b *testing.B, w width, c *Calendar, horizon cluster.Time) {
		_, times := bookAndRelease(b, w, c, horizon)
		percentiles(b, times)
	})
}

func bookAndRelease(b *testing.B, w width, c *Calendar, horizon cluster.Time) (book, release []time.Duration) {
	dice := rand.New(rand.NewPCG(2, 0))
	for b.Loop() {
		a := w.draw(dice, horizon)
		start, free := c.Earliest(a)
		if start == Never {
			continue
		}
		nodes := free.First(a.Nodes)
		begun := time.Now()
		c.Book(start, start+a.Lasts, nodes)
		booked := time.Now()
		c.Release(start, start+a.Lasts, nodes)
		book, release = append(book, booked.Sub(begun)), append(release, time.Since(booked))
	}
	return book, release
}
