package trials

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"aliquot/internal/terminal"
	"aliquot/sim"
	"aliquot/sim/sweep"
	"aliquot/wording"
)

// Unforetold is the kind of the unsplit log of a report. It has few trials, and the run times of others do not
// forecast theirs.
const Unforetold = "unsplit log"

// tally counts the trials of a pool and shows the progress and the remaining time. Workers report the progress of
// their trials to it.
type tally struct {
	*terminal.Progress
	workers           int
	mu                sync.Mutex
	total, kept, done int
	pace              sweep.Pace
	unforetold        int // number of future trials without a forecast
	long              map[string]part
}

// part is the progress of a long trial.
type part struct {
	sweep.Trial
	sim.Progress
}

// long is the time after which the progress of a trial is shown.
const long = 10 * time.Second

// begin restarts the count. Run times learnt before are kept.
func (t *tally) begin(total int, todo []Entry) {
	t.kept, t.done, t.total, t.unforetold = total-len(todo), 0, total, 0
	t.long = map[string]part{}
	t.pace.Forget()
	for _, j := range todo {
		if j.Kind == Unforetold {
			t.unforetold++
		} else {
			t.pace.Expect(j.Trial, j.Kind, j.count)
		}
	}
}

// inside records the progress of a trial.
func (t *tally) inside(j Entry, p sim.Progress, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if took >= long {
		t.long[j.Key()] = part{j.Trial, p}
	}
	t.Show(t.text)
}

// step records the end of a trial.
func (t *tally) step(j Entry, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done++
	delete(t.long, j.Key())
	if j.Kind == Unforetold {
		t.unforetold--
	} else {
		t.pace.Done(j.Trial, j.Kind, j.count, took.Seconds())
	}
	t.Show(t.text)
}

// left returns the remaining time in words; empty while nothing is known.
func (t *tally) left() string {
	var spans []string
	if seconds := t.pace.Left(); seconds > 0 {
		spans = append(spans, wording.Span(seconds/float64(max(1, t.workers))))
	}
	if t.unforetold > 0 {
		spans = append(spans, fmt.Sprintf("%s of the %s, not foretold,", wording.Count(t.unforetold, "run"), Unforetold))
	}
	if len(spans) == 0 {
		return ""
	}
	return strings.Join(spans, ", and ") + " left"
}

// text returns the progress of all trials in words.
func (t *tally) text() string {
	over := t.kept + t.done
	text := fmt.Sprintf("%d of %d trials", over, t.total)
	if left := t.left(); left != "" {
		text += ", " + left
	}
	if len(t.long) > 0 {
		text += "; " + t.parts()
	}
	if !t.Terminal() {
		return text
	}
	const width = 20
	return fmt.Sprintf("[%-*s] %s", width, strings.Repeat("#", width*over/max(1, t.total)), text)
}

// parts returns the progress of long trials in words.
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
