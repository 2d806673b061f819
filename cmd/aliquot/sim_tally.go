package main

import (
	"fmt"
	"strings"
	"time"

	"aliquot/internal/wording"
	"aliquot/sim/sweep"
)

// tally counts the trials of a crew and shows how far it is and how long the rest will take.
type tally struct {
	*progress
	workers           int
	total, kept, done int
	pace              sweep.Pace
}

func (t *tally) begin(kept int, todo []job) {
	t.kept, t.done, t.total = kept, 0, kept+len(todo)
	t.pace = sweep.Pace{}
	for _, j := range todo {
		t.pace.Expect(j.Policy, j.count)
	}
}

func (t *tally) step(j job, took time.Duration) {
	t.done++
	t.pace.Done(j.Policy, j.count, took.Seconds())
	t.show(t.text)
}

func (t *tally) text() string {
	left := wording.Span(t.pace.Left() / float64(max(1, t.workers)))
	text := fmt.Sprintf("%d of %d trials, %s left", t.kept+t.done, t.total, left)
	if !t.terminal {
		return text
	}
	const width = 40
	return fmt.Sprintf("[%-*s] %s", width, strings.Repeat("#", width*(t.kept+t.done)/max(1, t.total)), text)
}
