package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"aliquot/internal/wording"
	"aliquot/sim"
	"aliquot/sim/sweep"
)

// unsplit is the kind of the whole log. How long its few runs take cannot be told from those of others.
const unsplit = "unsplit log"

// tally counts the trials of a crew and shows how far it is and how long the rest will take. Workers tell it how far
// inside their trials they are.
type tally struct {
	*progress
	workers           int
	mu                sync.Mutex
	total, kept, done int
	pace              sweep.Pace
	unforetold        int // of the trials to come
	long              map[string]part
}

// part is how much of a trial that takes long is done.
type part struct {
	sweep.Trial
	sim.Progress
}

// long is how long a trial runs before it is spoken of.
const long = 10 * time.Second

// begin counts anew; what was learnt of how long trials take stays.
func (t *tally) begin(total int, todo []job) {
	t.kept, t.done, t.total, t.unforetold = total-len(todo), 0, total, 0
	t.long = map[string]part{}
	t.pace.Forget()
	for _, j := range todo {
		if j.kind == unsplit {
			t.unforetold++
		} else {
			t.pace.Expect(j.Trial, j.kind, j.count)
		}
	}
}

// inside notes how far a trial is that has run for some time.
func (t *tally) inside(j job, p sim.Progress, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if took >= long {
		t.long[j.Key()] = part{j.Trial, p}
	}
	t.show(t.text)
}

// step notes that a trial is over.
func (t *tally) step(j job, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
	delete(t.long, j.Key())
	if j.kind == unsplit {
		t.unforetold--
	} else {
		t.pace.Done(j.Trial, j.kind, j.count, took.Seconds())
	}
	t.show(t.text)
}

// left says how long the trials to come will take; nothing as long as nothing is known.
func (t *tally) left() string {
	var spans []string
	if seconds := t.pace.Left(); seconds > 0 {
		spans = append(spans, wording.Span(seconds/float64(max(1, t.workers))))
	}
	if t.unforetold > 0 {
		spans = append(spans, fmt.Sprintf("%s of the %s, not foretold,", wording.Count(t.unforetold, "run"), unsplit))
	}
	if len(spans) == 0 {
		return ""
	}
	return strings.Join(spans, ", and ") + " left"
}

func (t *tally) text() string {
	over := t.kept + t.done
	text := fmt.Sprintf("%d of %d trials", over, t.total)
	if left := t.left(); left != "" {
		text += ", " + left
	}
	if len(t.long) > 0 {
		text += "; " + t.parts()
	}
	if !t.terminal {
		return text
	}
	const width = 20
	return fmt.Sprintf("[%-*s] %s", width, strings.Repeat("#", width*over/max(1, t.total)), text)
}

// parts says of trials that take long how far they are.
func (t *tally) parts() string {
	var parts []part
	for _, p := range t.long {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return a.Compare(b.Trial) })
	var texts []string
	for _, p := range parts {
		texts = append(texts, fmt.Sprintf("%d%% of %s under %s", 100*p.Ended/max(1, p.Jobs), p.Trace, p.Policy))
	}
	return some(texts)
}
