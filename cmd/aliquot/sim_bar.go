package main

import (
	"fmt"
	"io"
	"time"

	"aliquot/sim/sweep"
)

// bar shows how far a sweep is: a moving bar on a terminal, a line now and then elsewhere.
type bar struct {
	out      io.Writer
	terminal bool
	now      func() time.Time
	workers  int

	total, kept, done int
	start, shown      time.Time
	pace              sweep.Pace
}

func newBar(out io.Writer, workers int) *bar {
	return &bar{out: out, terminal: terminal(out) != nil, now: time.Now, workers: workers}
}

func (b *bar) begin(kept int, todo []job) {
	b.kept, b.done, b.total = kept, 0, kept+len(todo)
	b.start = b.now()
	b.shown = b.start
	b.pace = sweep.Pace{}
	for _, j := range todo {
		b.pace.Expect(j.Policy, j.count)
	}
}

func (b *bar) step(j job, took time.Duration) {
	b.done++
	b.pace.Done(j.Policy, j.count, took.Seconds())
	every := 30 * time.Second
	if b.terminal {
		every = 200 * time.Millisecond
	}
	if b.now().Sub(b.shown) >= every {
		b.show()
	}
}

func (b *bar) show() {
	b.shown = b.now()
	left := span(b.pace.Left() / float64(max(1, b.workers)))
	if !b.terminal {
		fmt.Fprintf(b.out, "%d of %d trials, %s left\n", b.kept+b.done, b.total, left)
		return
	}
	const width = 40
	full := width * (b.kept + b.done) / max(1, b.total)
	fmt.Fprintf(b.out, "\r[%-*s] %d of %d trials, %s left\x1b[K", width, "########################################"[:full], b.kept+b.done, b.total, left)
}

func (b *bar) end() {
	if b.done > 0 && b.terminal {
		b.show()
		fmt.Fprintln(b.out)
	}
}
