package cluster

import (
	"iter"
	"slices"
	"sort"
)

// Part is an interval on nodes in which a job with a deadline is promised a part of its work. A Part is immutable.
type Part struct {
	From, Until Time     // in microseconds
	Nodes       []NodeID // those of the tasks, by index, as in Promise
}

// Limits on the parts of a promise.
const (
	MaxParts = 8 // of a promise

	maxGains     = 4096 // times at which a part may begin, the last of which are tried
	leastPart    = Minute
	leadsPerPart = 10 // a part lasts that many leads at least, so that pausing and resuming takes a tenth of it at most
)

// shortest returns the least length of a part whose VMs are started that long before.
func shortest(lead Time) Time { return max(leastPart, leadsPerPart*lead) }

// over returns the promise over some parts, in order.
func (p Promise) over(parts []Part) *Promise {
	p.From, p.Until, p.Nodes, p.Later = parts[0].From, parts[0].Until, parts[0].Nodes, nil
	if len(parts) > 1 {
		p.Later = parts[1:]
	}
	return &p
}

// next returns the promise without its first part. It must have several.
func (p *Promise) next() *Promise {
	next := p.over(p.Later)
	next.Met, next.Since, next.Had = false, 0, 0
	return next
}

// each yields the promise as if each of its parts were all of it, in order. A nil promise has none.
func (p *Promise) each() iter.Seq[*Promise] {
	return func(yield func(*Promise) bool) {
		switch {
		case p == nil:
			return
		case len(p.Later) == 0:
			yield(p)
			return
		}
		first := *p
		first.Later = nil
		if !yield(&first) {
			return
		}
		for i := range p.Later {
			if !yield(first.over(p.Later[i : i+1])) {
				return
			}
		}
	}
}

// uses reports whether a part of the promise is on the node. A nil promise uses none.
func (p *Promise) uses(node NodeID) bool {
	return p != nil && (contains(p.Nodes, node) ||
		slices.ContainsFunc(p.Later, func(part Part) bool { return contains(part.Nodes, node) }))
}

// Parts lists the intervals of the promise, in order: one, unless its work is promised in several parts.
func (p *Promise) Parts() []Part {
	return append([]Part{{p.From, p.Until, p.Nodes}}, p.Later...)
}

// End returns the end of the last part.
func (p *Promise) End() Time {
	if len(p.Later) > 0 {
		return p.Later[len(p.Later)-1].Until
	}
	return p.Until
}

// laterLength returns the length of all parts but the first.
func (p *Promise) laterLength() (sum Time) {
	for i := range p.Later {
		sum += p.Later[i].Until - p.Later[i].From
	}
	return sum
}

// seated returns the promise with the nodes that find names for each part; nil: it has none for one of them.
func (p *Promise) seated(find func(part *Promise) []NodeID) *Promise {
	var parts []Part
	for part := range p.each() {
		nodes := find(part)
		if nodes == nil {
			return nil
		}
		parts = append(parts, Part{part.From, part.Until, nodes})
	}
	return p.over(parts)
}

// endPart lets the next part of a promise follow one whose time is over. Until it counts the job runs like any other.
func (t *transaction) endPart(p *Promise) {
	next := p.next()
	next.Short = next.lacks(t.Job(p.Job), t.Now) > 0
	t.keep(next)
	t.markNodesChanged()
	t.emitJob(JobPartOver, p.Job, Cause{Why: []Reason{t.told(next)}})
	switch j := t.edit(p.Job); {
	case t.Target(p.Job) == nil:
		t.wish(p.Job)
	case j.Why.Code == WhyKept:
		j.Why = Reason{Job: j.ID, Code: WhyPlaced, Values: []int64{1000}} // until the decision says otherwise
	}
}

// equal reports whether both are the same interval on the same nodes.
func (p Part) equal(o Part) bool {
	return p.From == o.From && p.Until == o.Until && slices.Equal(p.Nodes, o.Nodes)
}

// sameNodes reports whether each part of both promises, which have the same number, is on the same nodes.
func (p *Promise) sameNodes(o *Promise) bool {
	return slices.Equal(p.Nodes, o.Nodes) && slices.EqualFunc(p.Later, o.Later, func(a, b Part) bool {
		return slices.Equal(a.Nodes, b.Nodes)
	})
}

// gaps are what a promise in parts is looked for in.
type gaps struct {
	bookings
	from, by Time // earliest begin, latest end
	lead     Time // of each part
	room     func(Reservation) []NodeID
}

// inParts returns parts that hold the work of a new job with a deadline; nil: none were found.
func (b bookings) inParts(spec *Spec) []Part {
	if b.StoreFree < 0 {
		return nil // nothing can be paused
	}
	lead := b.lead(spec)
	room := func(r Reservation) []NodeID {
		nodes, _ := b.fit(spec, spec.Tasks, r)
		return nodes
	}
	g := gaps{b, max(b.Now, spec.Deadline.Ready) + lead, spec.Deadline.By, lead, room}
	return g.fill(b.padded(spec.Deadline.lasts(spec, spec.Tasks)))
}

// paused returns the promise in parts of a job that is not pausable, if that keeps its deadline.
func (b bookings) paused(spec *Spec) []Alternative {
	if spec.Deadline.Pausable || b.Format < parts || *b.looks > maxLooks {
		return nil
	}
	list := b.once().inParts(spec)
	if list == nil {
		return nil
	}
	first := Reservation{list[0].From, list[0].Until - list[0].From}
	return []Alternative{{Reservation: first, Tasks: spec.Tasks, By: spec.Deadline.By, Parts: list}}
}

// find returns an interval of a length or, if there is none, parts that have that length together; nil: none were
// found.
func (g gaps) find(length Time, pausable bool) []Part {
	parts := g.latest(length)
	if parts == nil && pausable && (g.StoreFree >= 0 || g.Format < keepsParts) {
		parts = g.fill(length)
	}
	return parts
}

// fill returns parts that have a length together, as late as possible: it takes the last gap that is long enough for
// a part, as much of it as is needed, and goes on before it. Each lies as a whole on the same nodes. nil: there are too
// few gaps, or it has looked at too many nodes.
func (g gaps) fill(length Time) []Part {
	var parts []Part // the last first
	least, most := shortest(g.lead), max(maxLooks, *g.looks+maxLooks/10)
	starts, ends := g.gains(), g.ends(g.from+least, g.by, maxTries)
	for end := g.by; end-least >= g.from && len(parts) < MaxParts && *g.looks <= most; {
		nodes := g.room(Reservation{end - least, least})
		if nodes == nil {
			i := sort.Search(len(ends), func(i int) bool { return ends[i] < end })
			if ends = ends[i:]; len(ends) == 0 {
				return nil
			}
			end = ends[0]
			continue
		}
		part := g.longest(Part{end - least, end, nodes}, end-length, starts)
		parts = append(parts, part)
		if length -= part.Until - part.From; length <= 0 {
			slices.Reverse(parts)
			return parts
		}
		end = part.From - g.lead
	}
	return nil
}

// longest returns the longest part that ends like one for which there is room, and does not begin before a time. It
// begins as room is gained.
func (g gaps) longest(part Part, from Time, starts []Time) Part {
	try := func(start Time) bool {
		nodes := g.room(Reservation{start, part.Until - start})
		if nodes != nil && start < part.From {
			part.From, part.Nodes = start, nodes
		}
		return nodes != nil
	}
	switch {
	case from >= part.From:
		part.From = from
		return part
	case from >= g.from && try(from):
		return part
	}
	first, _ := slices.BinarySearch(starts, max(from, g.from))
	last, _ := slices.BinarySearch(starts, part.From)
	between := starts[first:last]
	sort.Search(len(between), func(i int) bool { return try(between[i]) })
	return part
}

// gains returns the times at which a part may begin because there is room that there was not before, in order.
func (g gaps) gains() []Time {
	starts := []Time{g.from}
	from, until := g.from-g.lead+1, g.by-g.lead
	for x := range g.calendar.backward(from, until) {
		if x.cpu < 0 {
			starts = append(starts, x.at+g.lead)
		}
		if len(starts) > maxGains {
			break
		}
	}
	for end := range g.freed(from, until) {
		starts = append(starts, end+g.lead)
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}
