package check

import (
	"maps"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// whole is the rate of progress on a node at full speed. Amounts of progress are multiplied by it.
const whole = cluster.CPU(cluster.Whole)

// event is an event of the stream with the number of its node; 0: it concerns a job.
type event struct {
	workload.Event
	node cluster.NodeID
}

// numbered numbers the nodes of the events.
func numbered(setup sim.Setup) (events []event) {
	numbers := map[string]cluster.NodeID{}
	for i, n := range setup.Nodes {
		numbers[n.Name] = cluster.NodeID(i + 1)
	}
	for _, e := range setup.Events {
		events = append(events, event{e, numbers[e.Node]})
	}
	return events
}

// of reports whether the event concerns the job.
func (e event) of(job int64) bool { return e.node == 0 && e.Job == job }

// slows reports whether any node ever changes its speed.
func (c *checker) slows() bool {
	return slices.ContainsFunc(c.events, func(e event) bool { return e.Kind == workload.NodeSpeeds })
}

// progress adds what a job did in a span, at the speed of its slowest node and among its neighbours, times whole.
func (c *checker) progress(done sum, s sim.Span) sum {
	if c.on != nil {
		return c.mixed(done, s)
	}
	return c.sped(done, s, s.From, s.To, cluster.Whole)
}

// sped adds what a job did in a part of a span at a rate on nodes at full speed.
func (c *checker) sped(done sum, s sim.Span, from, to cluster.Time, rate cluster.Parts) sum {
	if !c.slows() {
		return done.plus(s.Share*cluster.CPU(rate), to-from)
	}
	speeds := map[cluster.NodeID]cluster.Parts{}
	for _, e := range c.events {
		if e.Kind != workload.NodeSpeeds || e.At >= to {
			continue
		}
		if e.At > from {
			done = done.plus(s.Share*cluster.CPU(rate*slowest(s.Nodes, speeds)/cluster.Whole), e.At-from)
			from = e.At
		}
		speeds[e.node] = e.Speed
	}
	return done.plus(s.Share*cluster.CPU(rate*slowest(s.Nodes, speeds)/cluster.Whole), to-from)
}

// slowest returns the least speed of the nodes. A node that is not in the map has full speed.
func slowest(nodes []cluster.NodeID, speeds map[cluster.NodeID]cluster.Parts) cluster.Parts {
	least := cluster.Whole
	for _, n := range nodes {
		if speed, changed := speeds[n]; changed {
			least = min(least, speed)
		}
	}
	return least
}

// kills returns the times at which a node failed under a job. A job whose work is done at that time has ended before
// the failure. A job that lost its placement by an earlier event of the same time has nothing to lose.
func (c *checker) kills(o sim.Outcome, held []sim.Span, done bool) (times []cluster.Time) {
	if c.trips != nil {
		return c.trips[o.ID].kills
	}
	c.anew(o, held)
	times = slices.Clone(c.given[o.ID])
	gone := cluster.Time(-1) // when an event last took the job's placement
	for _, e := range c.events {
		if e.of(o.ID) {
			gone = e.At
		}
		if e.Kind != workload.NodeFails || gone == e.At || slices.Contains(times, e.At) {
			continue
		}
		under := slices.ContainsFunc(held, func(s sim.Span) bool {
			return s.From < e.At && e.At <= s.To && slices.Contains(s.Nodes, e.node)
		})
		if e.At == 0 && slices.Contains(c.initials[o.ID].Nodes, e.node) || under && !(done && e.At == o.Ended) {
			times = append(times, e.At)
		}
	}
	slices.Sort(times)
	return times
}

// failures returns those of the job's kills that were failures of nodes, not the policy's decisions.
func (c *checker) failures(job int64, kills []cluster.Time) []cluster.Time {
	return slices.DeleteFunc(slices.Clone(kills), func(at cluster.Time) bool { return slices.Contains(c.given[job], at) })
}

// disturbs reports whether an event in that time may have taken the job's place: the job was held, or a node has to be
// left.
func (c *checker) disturbs(job int64, after, to cluster.Time) bool {
	return slices.ContainsFunc(c.events, func(e event) bool {
		left := e.node != 0 && e.Kind != workload.NodeReturns && e.Kind != workload.NodeSpeeds
		return (left || e.of(job)) && after < e.At && e.At <= to
	})
}

// anew verifies where the policy gave up the job's work. Only KEASY does so, and only for a job that goes from the
// background to the foreground of other nodes without a gap. It does so again only after an event that took its place.
func (c *checker) anew(o sim.Outcome, held []sim.Span) {
	for k, at := range c.given[o.ID] {
		i := slices.IndexFunc(held, func(s sim.Span) bool { return s.From == at })
		again := k > 0 && !c.disturbs(o.ID, c.given[o.ID][k-1], at)
		if again || i < 1 || held[i-1].To != at || held[i-1].Grant.Tier != cluster.Background ||
			held[i].Grant.Tier != cluster.Foreground || left(held[i-1].Nodes, held[i].Nodes) == 0 {
			c.fail("job %d starts anew at %v, but it was not in the background of other nodes, or not for the first time", o.ID, at)
		}
	}
}

// stopped verifies jobs that ended before their work was done: their spans are valid, and an event explains each stop.
func (c *checker) stopped(jobs []sim.Stopped, held map[int64][]sim.Span) {
	for _, s := range jobs {
		spans := held[s.ID]
		slices.SortFunc(spans, func(a, b sim.Span) int { return int(a.From - b.From) })
		kills := c.failures(s.ID, c.held(s.Outcome, spans, false))
		for _, span := range spans {
			if span.From < s.Started || span.To > s.Ended {
				c.fail("job %d ran from %v to %v, but started at %v and stopped at %v",
					s.ID, span.From, span.To, s.Started, s.Ended)
			}
		}
		if s.FailOnLoss && len(kills) > 0 && (s.Why != cluster.Failed || kills[0] != s.Ended) {
			c.fail("job %d fails on loss, but stopped at %v as %v when a node had failed under it at %v", s.ID, s.Ended, s.Why,
				kills[0])
		}
		if s.Cut {
			c.missed(s)
			continue
		}
		why := workload.JobCancels
		if s.Why == cluster.Failed && len(kills) > 0 {
			why = workload.NodeFails
		}
		if !slices.ContainsFunc(c.events, func(e event) bool {
			return e.At == s.Ended && e.Kind == why && (e.Job == s.ID || e.Kind.AboutNode())
		}) {
			c.fail("job %d stopped at %v as %v, but no event said so", s.ID, s.Ended, s.Why)
		}
	}
}

// conditions verifies three rules: no task runs on a node that is down, no task comes to a node that drains or is
// closed, and a held job has no placement.
func (c *checker) conditions(spans []sim.Span) {
	last := maps.Clone(c.initials)
	sorted := slices.Clone(spans)
	slices.SortStableFunc(sorted, func(a, b sim.Span) int { return int(a.From - b.From) })
	for _, s := range sorted {
		before := last[s.Job]
		if before.To != s.From {
			before.Nodes = nil
		}
		last[s.Job] = s
		for _, id := range slices.Compact(slices.Sorted(slices.Values(s.Nodes))) {
			if count(s.Nodes, id) > count(before.Nodes, id) && !c.opens(id, s.From) {
				c.fail("at %v job %d comes to node %d, which takes no others", s.From, s.Job, id)
			}
		}
		for _, e := range c.events {
			within := s.From < e.At && e.At < s.To
			if within && e.Kind == workload.NodeFails && slices.Contains(s.Nodes, e.node) {
				c.fail("job %d runs from %v to %v on node %s, which fails at %v", s.Job, s.From, s.To, e.Node, e.At)
			}
			if within && (e.Kind == workload.JobHeld || e.Kind == workload.JobCancels) && e.of(s.Job) {
				c.fail("job %d runs from %v to %v, but at %v there is a %s", s.Job, s.From, s.To, e.At, e.Kind)
			}
		}
		if c.isHeld(s.Job, s.From) {
			c.fail("job %d runs from %v on, but is held", s.Job, s.From)
		}
	}
}

func count(nodes []cluster.NodeID, id cluster.NodeID) (tasks int) {
	for _, n := range nodes {
		if n == id {
			tasks++
		}
	}
	return tasks
}

// opens reports whether the node takes tasks after the events of that time.
func (c *checker) opens(id cluster.NodeID, at cluster.Time) bool {
	if id < 1 || int(id) > len(c.setup.Nodes) {
		return true // c.nodes reports the missing node
	}
	open := c.setup.Nodes[id-1].Condition == cluster.NodeOpen
	for _, e := range c.events {
		if e.At <= at && e.node == id && e.Kind != workload.NodeSpeeds {
			open = e.Kind == workload.NodeReturns
		}
	}
	return open
}

// isHeld reports whether the job is held after the events of that time.
func (c *checker) isHeld(job int64, at cluster.Time) (held bool) {
	for _, e := range c.events {
		if e.At <= at && e.of(job) {
			held = e.Kind == workload.JobHeld
		}
	}
	return held
}
