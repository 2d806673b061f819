package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"aliquot/cluster"
	"aliquot/sim"
	"aliquot/workload"
)

// most is the greatest number of violations that are reported.
const most = 20

// Schedule verifies the result of a run of the jobs under the setup, by everything that the run recorded. The error
// lists the violations, at most the first twenty.
func Schedule(setup sim.Setup, jobs []workload.Job, result sim.Result, seen sim.Recording) error {
	if setup.Cost == nil {
		setup.Cost = sim.Constant(setup.Penalty)
	}
	c := &checker{setup: setup, events: numbered(setup), initials: initials(setup, jobs), stream: map[int64]workload.Job{},
		on: meet(seen.Spans), given: map[int64][]cluster.Time{}}
	for _, j := range jobs {
		c.stream[j.ID] = j
	}
	if c.slows() || c.on != nil {
		c.slack = 3 * cluster.Time(result.Instants)
	}
	for _, k := range seen.Kills {
		c.given[k.Job] = append(c.given[k.Job], k.At)
	}
	held := map[int64][]sim.Span{}
	for _, s := range seen.Spans {
		held[s.Job] = append(held[s.Job], s)
	}
	if bandwidth, slow := setup.Cost.(sim.PlannedMoves); slow {
		c.bandwidth = float64(bandwidth)
		c.moves(result, seen.Moves, held)
	} else {
		c.nodes(seen.Spans)
		c.conditions(seen.Spans)
		c.together()
	}
	c.complete(jobs, result, held)
	c.skipped(result.Skipped)
	c.after(result)
	for _, o := range result.Jobs {
		c.job(o, held[o.ID])
		c.preemptions, c.migrations = c.preemptions+o.Preemptions, c.migrations+o.Migrations
	}
	c.stopped(result.Stopped, held)
	c.windows(result)
	c.measures(result, result.Summary(), seen.Spans)
	if c.count > most {
		c.broken = append(c.broken, fmt.Errorf("and %d more", c.count-most))
	}
	return errors.Join(c.broken...)
}

// checker collects violations.
type checker struct {
	setup    sim.Setup
	broken   []error
	count    int
	events   []event
	initials map[int64]sim.Span // spans without length: positions of jobs that existed before
	stream   map[int64]workload.Job
	given    map[int64][]cluster.Time // when the policy gave up the work of jobs
	on       neighbours
	slack    cluster.Time // accuracy of a job's progress where speeds change, in millicore-microseconds

	bandwidth float64         // at which moves take time, in GB/s
	trips     map[int64]*trip // of the jobs, where moves take time; nil: they do not
	claims    []claim         // on the memory of nodes, of all trips

	preemptions, migrations int     // of all jobs whose work was done
	resumed, moved          float64 // memory of the tasks that were resumed or moved, in GB
}

func (c *checker) fail(format string, args ...any) {
	if c.count++; c.count <= most {
		c.broken = append(c.broken, fmt.Errorf(format, args...))
	}
}

// complete verifies that every job ended or was skipped, exactly once, and that no other job did.
func (c *checker) complete(jobs []workload.Job, result sim.Result, held map[int64][]sim.Span) {
	stream, seen := c.stream, map[int64]int{}
	for _, o := range result.Jobs {
		if o.Job != stream[o.ID] {
			c.fail("job %d ended as %+v, but was %+v", o.ID, o.Job, stream[o.ID])
		}
		seen[o.ID]++
	}
	for _, s := range result.Stopped {
		if s.Job != stream[s.ID] {
			c.fail("job %d stopped as %+v, but was %+v", s.ID, s.Job, stream[s.ID])
		}
		seen[s.ID]++
	}
	for _, s := range result.Skipped {
		if len(held[s.ID]) > 0 {
			c.fail("job %d was skipped, but ran", s.ID)
		}
		seen[s.ID]++
	}
	for _, j := range jobs {
		if seen[j.ID] != 1 {
			c.fail("job %d ended or was skipped %d times", j.ID, seen[j.ID])
		}
	}
	for id := range held {
		if _, known := stream[id]; !known {
			c.fail("job %d ran, but is not in the stream", id)
		}
	}
}

// job verifies the spans of a job whose work was done.
func (c *checker) job(o sim.Outcome, held []sim.Span) {
	slices.SortFunc(held, func(a, b sim.Span) int { return cmp.Compare(a.From, b.From) })
	if len(held) == 0 || c.started(o, held) != o.Started || held[len(held)-1].To != o.Ended || o.Started < o.Since() {
		c.fail("job %d was submitted at %v, started at %v and ended at %v; it ran in %d spans", o.ID, o.Submit, o.Started,
			o.Ended, len(held))
		return
	}
	kills := c.held(o, held, true)
	if lost := c.failures(o.ID, kills); o.FailOnLoss && len(lost) > 0 {
		c.fail("job %d fails on loss, but went on when a node failed under it at %v", o.ID, lost[0])
	}
	c.work(o, held, kills)
}

// started returns when a job with these spans first held something.
func (c *checker) started(o sim.Outcome, held []sim.Span) cluster.Time {
	if b := c.setup.Initials[o.ID]; b.Placement != nil || b.Saved {
		return 0
	}
	return held[0].From
}

// held verifies the spans of a job, whether it has done its work or not, and returns when it lost its work.
func (c *checker) held(o sim.Outcome, held []sim.Span, done bool) (kills []cluster.Time) {
	last := cluster.Time(0)
	for _, s := range held {
		if s.From < last || s.To <= s.From {
			c.fail("job %d: the span from %v to %v follows one that ends at %v", o.ID, s.From, s.To, last)
		}
		if len(s.Nodes) != o.Tasks || s.Share < 1 || s.Share > o.Need {
			c.fail("job %d: from %v on it has %v on %d nodes for each of its %d tasks, which need %v", o.ID, s.From, s.Share,
				len(s.Nodes), o.Tasks, o.Need)
		}
		for _, n := range s.Nodes {
			if n < 1 || int(n) > len(c.setup.Nodes) {
				continue // that is found elsewhere
			}
			if most := c.setup.Nodes[n-1].Speed.Ceiling(o.Need); s.Share > most {
				c.fail("job %d: from %v on it has %v in each task, and node %d lets a task use %v", o.ID, s.From, s.Share, n, most)
			}
		}
		if g := s.Grant; g.Cap != s.Share || g.Guaranteed < 0 || g.Guaranteed > g.Cap ||
			g.Tier == cluster.Background && g.Guaranteed > 0 {
			c.fail("job %d: from %v on it has %v in each task, granted as %+v", o.ID, s.From, s.Share, g)
		}
		last = s.To
	}
	if kills = c.kills(o, held, done); len(kills) != o.Kills {
		c.fail("job %d lost its work %d times, but %d were counted", o.ID, len(kills), o.Kills)
	}
	c.penalties(o, held, kills)
	return kills
}

// work verifies that the job has made the required progress, since it last lost its work, exactly when it ends.
func (c *checker) work(o sim.Outcome, held []sim.Span, kills []cluster.Time) {
	begin := cluster.Time(0)
	if len(kills) > 0 {
		begin = kills[len(kills)-1]
	}
	var done sum
	for _, s := range held {
		if !s.Paying && s.From >= begin {
			done = c.progress(done, s)
		}
	}
	final := held[len(held)-1]
	needed := sum{}.plus(o.Need*whole, o.Runtime)
	least, early := needed, needed.plus(final.Share*whole, 1).plus(whole, c.slack)
	if len(kills) > 0 { // a part of a microsecond is kept
		least = sum{}.plus(o.Need*whole, o.Runtime-1)
	}
	if done.less(least) || !done.less(early) {
		c.fail("job %d ends with progress of %.6f of what it needs", o.ID, done.float()/needed.float())
	}
}

// penalties verifies that the job pays in full after each rescheduling and at no other time, and that its
// reschedulings were counted. A job that lost its work begins anew, for which it does not pay.
func (c *checker) penalties(o sim.Outcome, held []sim.Span, kills []cluster.Time) {
	preemptions, migrations, moved := 0, 0, 0
	due, before := cluster.Time(0), c.initials[o.ID]
	for _, s := range held {
		left := left(before.Nodes, s.Nodes)
		lost := 0
		for lost < len(kills) && kills[lost] <= s.From {
			lost++
		}
		switch {
		case lost > 0 && slices.Contains(c.given[o.ID], kills[lost-1]) && s.Paying && before.To == s.From && left == 0:
			// It is yet to be stopped.
		case before.Nodes == nil || lost > 0:
			kills, due = kills[lost:], s.From
		case before.To < s.From || before.Share == 0:
			preemptions++
			due = s.From + c.setup.Cost.Resume(&o.Job)
		case left > 0:
			migrations++
			moved += left
			due = s.From + c.setup.Cost.Move(&o.Job, left)
		}
		if c.trips == nil && (s.Paying && s.To > due || !s.Paying && s.From < due) {
			c.fail("job %d: from %v to %v paying is %v, but it has to pay until %v", o.ID, s.From, s.To, s.Paying, due)
		}
		before = s
	}
	c.resumed, c.moved = c.resumed+gigabytes(o.Job, preemptions*o.Tasks), c.moved+gigabytes(o.Job, moved)
	if preemptions != o.Preemptions || migrations != o.Migrations || moved != o.Moved {
		c.fail("job %d was preempted %d times and migrated %d times with %d tasks, but %d, %d and %d were counted",
			o.ID, preemptions, migrations, moved, o.Preemptions, o.Migrations, o.Moved)
	}
}

// left returns the number of tasks that are no longer on their nodes.
func left(before, after []cluster.NodeID) (tasks int) {
	stay := map[cluster.NodeID]int{}
	for _, n := range after {
		stay[n]++
	}
	for _, n := range before {
		if stay[n]--; stay[n] < 0 {
			tasks++
		}
	}
	return tasks
}
