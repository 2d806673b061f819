package reserve

import (
	"slices"

	"aliquot/cluster"
	"aliquot/policy/calendar"
)

// Request asks for nodes.
type Request struct {
	Ready    cluster.Time // earliest start, not before the calendar begins
	Deadline cluster.Time // latest end; calendar.Never: none
	Lasts    cluster.Time // reserved duration, above 0
	Nodes    int          // how many, at least 1
	Among    calendar.Set // acceptable nodes; nil: all
}

// latest returns the latest start.
func (q *Request) latest() cluster.Time {
	if q.Deadline == calendar.Never {
		return calendar.Never
	}
	return q.Deadline - q.Lasts
}

// Finder finds starts. It keeps memory for reuse and nothing else.
type Finder struct {
	steps calendar.Steps
	run   union
	free  calendar.Set // that are free for the duration from the present start on
	last  calendar.Set // the free nodes of the last rectangle
}

// Find returns the start that the rule chooses, and the nodes: of those that are free for the duration, the ones with
// the lowest ids. It returns calendar.Never if the request does not fit. Without a deadline, every rule takes the first
// fit: otherwise the rules that like much room would put the job behind all others.
func (f *Finder) Find(c *calendar.Calendar, rule Rule, q Request) (start cluster.Time, nodes calendar.Set) {
	if q.latest() < q.Ready {
		return calendar.Never, nil
	}
	if rule == FF || q.Deadline == calendar.Never {
		start, free := c.Earliest(calendar.Ask{From: q.Ready, Latest: q.latest(), Lasts: q.Lasts, Nodes: q.Nodes,
			Among: q.Among})
		return start, free.First(q.Nodes)
	}
	chosen := f.choose(c, rule, &q)
	if chosen.next == calendar.Never {
		return calendar.Never, nil
	}
	f.free = slices.Grow(f.free[:0], f.run.words)[:f.run.words]
	clear(f.free)
	for step := chosen.step; step < chosen.end; step++ {
		unite(f.free, f.steps.Busy(step))
	}
	invert(f.free)
	return chosen.next, f.free.First(q.Nodes)
}

// choose examines all candidate starts (Algorithm 3) and returns the chosen one.
func (f *Finder) choose(c *calendar.Calendar, rule Rule, q *Request) candidates {
	c.Steps(q.Ready, q.Deadline, q.Among, &f.steps)
	f.run.reset(&f.steps)
	chosen := candidates{next: calendar.Never}
	var best, r rectangle
	var ends cluster.Time // of the last rectangle
	for t := begin(&f.steps, q); t.next != calendar.Never; t.advance() {
		if r.nodes = f.run.free(t.step, t.end); r.nodes < q.Nodes {
			continue
		}
		if rule.lasting() {
			r.lasts, ends = f.stretch(c, t, r.lasts, ends)
		}
		if chosen.next == calendar.Never || rule.better(r, best) {
			chosen, best = *t, r
		}
	}
	return chosen
}

// stretch returns the length and the end of the rectangle of a candidate. Given are those of the last one, which is
// the same if its nodes are and it has not ended.
func (f *Finder) stretch(c *calendar.Calendar, t *candidates, lasts, ends cluster.Time) (length, end cluster.Time) {
	f.free = f.run.put(t.step, f.free)
	if t.next < ends && slices.Equal(f.free, f.last) {
		return lasts, ends
	}
	f.free, f.last = f.last, f.free
	if ends = c.FreeUntil(t.next+t.Lasts, f.last); ends == calendar.Never {
		ends = max(t.Deadline, c.Last())
	}
	return ends - c.FreeSince(t.next, f.last), ends
}

// candidates are the starts worth examining, in order: the ready time, the latest start, each step's begin, and each
// start with which the job would end at a step's begin. Nodes are gained only at the ready time and at begins of steps,
// so some start fits if and only if a candidate does.
type candidates struct {
	*calendar.Steps
	*Request
	next cluster.Time // the present candidate; calendar.Never: none is left
	step int          // the step that contains it
	end  int          // the first step that begins when the job ends, or later
	back int          // steps whose begin less the duration is not after the present candidate
}

// begin returns the candidates, at the ready time.
func begin(steps *calendar.Steps, q *Request) *candidates {
	t := &candidates{Steps: steps, Request: q, next: q.Ready}
	t.reach()
	return t
}

// advance goes to the next candidate.
func (t *candidates) advance() {
	now := t.next
	t.next = calendar.Never
	if now >= t.latest() {
		return
	}
	t.next = t.latest()
	if t.step+1 < len(t.At) {
		t.next = min(t.next, t.At[t.step+1])
	}
	for t.back < len(t.At) && t.At[t.back] <= now+t.Lasts {
		t.back++
	}
	if t.back < len(t.At) {
		t.next = min(t.next, t.At[t.back]-t.Lasts)
	}
	if t.step+1 < len(t.At) && t.At[t.step+1] <= t.next {
		t.step++
	}
	t.reach()
}

// reach sets the end of the run of steps that the job overlaps.
func (t *candidates) reach() {
	for t.end < len(t.At) && t.At[t.end] < t.next+t.Lasts {
		t.end++
	}
}
