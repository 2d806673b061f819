package main

import (
	"fmt"
	"strings"
	"time"

	"aliquot/internal/wording"
	"aliquot/sim/sweep"
)

// unsplit is the kind of the whole log. How long its few runs take cannot be told from those of others.
const unsplit = "unsplit log"

// tally counts the trials of a crew and shows how far it is and how long the rest will take.
type tally struct {
	*progress
	workers           int
	total, kept, done int
	pace              sweep.Pace
	unforetold        int // of the trials to come
}

// begin counts anew; what was learnt of how long trials take stays.
func (t *tally) begin(total int, todo []job) {
	t.kept, t.done, t.total, t.unforetold = total-len(todo), 0, total, 0
	t.pace.Forget()
	for _, j := range todo {
		if j.kind == unsplit {
			t.unforetold++
		} else {
			t.pace.Expect(j.Trial, j.kind, j.count)
		}
	}
}

func (t *tally) step(j job, took time.Duration) {
	t.done++
	if j.kind == unsplit {
		t.unforetold--
	} else {
		t.pace.Done(j.Trial, j.kind, j.count, took.Seconds())
	}
	t.show(t.text)
}

// left says how long the trials to come will take.
func (t *tally) left() string {
	span := wording.Span(t.pace.Left() / float64(max(1, t.workers)))
	if t.unforetold == 0 {
		return span
	}
	return fmt.Sprintf("%s, and %s of the %s, not foretold,", span, wording.Count(t.unforetold, "run"), unsplit)
}

func (t *tally) text() string {
	text := fmt.Sprintf("%d of %d trials, %s left", t.kept+t.done, t.total, t.left())
	if !t.terminal {
		return text
	}
	const width = 40
	return fmt.Sprintf("[%-*s] %s", width, strings.Repeat("#", width*(t.kept+t.done)/max(1, t.total)), text)
}
