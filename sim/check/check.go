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

// most is how many violations are reported.
const most = 20

// Schedule verifies what a run of the jobs under the setup came to; spans is all that was
// recorded. The error names what is wrong, the first of it if it is much.
func Schedule(setup sim.Setup, jobs []workload.Job, result sim.Result, spans []sim.Span) error {
	if setup.Cost == nil {
		setup.Cost = sim.Constant(setup.Penalty)
	}
	c := &checker{setup: setup}
	held := map[int64][]sim.Span{}
	for _, s := range spans {
		held[s.Job] = append(held[s.Job], s)
	}
	c.complete(jobs, result, held)
	c.skipped(result.Skipped)
	for _, o := range result.Jobs {
		c.job(o, held[o.ID])
	}
	c.nodes(jobs, spans)
	c.measures(result, result.Summary(), spans)
	if c.count > most {
		c.broken = append(c.broken, fmt.Errorf("and %d more", c.count-most))
	}
	return errors.Join(c.broken...)
}

// checker collects what is broken.
type checker struct {
	setup  sim.Setup
	broken []error
	count  int

	preemptions, migrations int     // of all jobs
	resumed, moved          float64 // memory of their tasks, in GB
}

func (c *checker) fail(format string, args ...any) {
	if c.count++; c.count <= most {
		c.broken = append(c.broken, fmt.Errorf(format, args...))
	}
}

// complete verifies that every job ended or was skipped, once, and nothing else happened.
func (c *checker) complete(jobs []workload.Job, result sim.Result, held map[int64][]sim.Span) {
	stream := map[int64]workload.Job{}
	for _, j := range jobs {
		stream[j.ID] = j
	}
	seen := map[int64]int{}
	for _, o := range result.Jobs {
		if o.Job != stream[o.ID] {
			c.fail("job %d ended as %+v, but was %+v", o.ID, o.Job, stream[o.ID])
		}
		seen[o.ID]++
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

// job verifies what one job held.
func (c *checker) job(o sim.Outcome, held []sim.Span) {
	slices.SortFunc(held, func(a, b sim.Span) int { return cmp.Compare(a.From, b.From) })
	if len(held) == 0 || held[0].From != o.Started || held[len(held)-1].To != o.Ended || o.Started < o.Submit {
		c.fail("job %d was submitted at %v, started at %v and ended at %v; it ran in %d spans", o.ID, o.Submit, o.Started, o.Ended, len(held))
		return
	}
	last := cluster.Time(0)
	for _, s := range held {
		if s.From < last || s.To <= s.From {
			c.fail("job %d: the span from %v to %v follows one that ends at %v", o.ID, s.From, s.To, last)
		}
		if len(s.Nodes) != o.Tasks || s.Share < 1 || s.Share > o.Need {
			c.fail("job %d: from %v on it has %v on %d nodes for each of its %d tasks, which need %v", o.ID, s.From, s.Share, len(s.Nodes), o.Tasks, o.Need)
		}
		if g := s.Grant; g.Cap != s.Share || g.Guaranteed < 0 || g.Guaranteed > g.Cap || g.Tier == cluster.Background && g.Guaranteed > 0 {
			c.fail("job %d: from %v on it has %v in each task, granted as %+v", o.ID, s.From, s.Share, g)
		}
		last = s.To
	}
	c.work(o, held)
	c.penalties(o, held)
}

// work verifies that the job has made the progress that it needed when it ends, and not before.
func (c *checker) work(o sim.Outcome, held []sim.Span) {
	var done sum
	for _, s := range held {
		if !s.Paying {
			done = done.plus(s.Share, s.To-s.From)
		}
	}
	final := held[len(held)-1]
	needed, early := sum{}.plus(o.Need, o.Runtime), sum{}.plus(o.Need, o.Runtime).plus(final.Share, 1)
	if done.less(needed) || !done.less(early) {
		c.fail("job %d ends with progress of %.6f of what it needs", o.ID, done.float()/needed.float())
	}
}

// penalties verifies that the job pays when it was rescheduled, in full, and then only, and
// that its rescheduling was counted.
func (c *checker) penalties(o sim.Outcome, held []sim.Span) {
	preemptions, migrations, moved := 0, 0, 0
	due := held[0].From
	for i, s := range held {
		if i > 0 {
			before := held[i-1]
			switch left := left(before.Nodes, s.Nodes); {
			case before.To < s.From:
				preemptions++
				due = s.From + c.setup.Cost.Resume(&o.Job)
			case left > 0:
				migrations++
				moved += left
				due = s.From + c.setup.Cost.Move(&o.Job, left)
			}
		}
		if s.Paying && s.To > due || !s.Paying && s.From < due {
			c.fail("job %d: from %v to %v paying is %v, but it has to pay until %v", o.ID, s.From, s.To, s.Paying, due)
		}
	}
	c.preemptions, c.migrations = c.preemptions+preemptions, c.migrations+migrations
	c.resumed, c.moved = c.resumed+gigabytes(o.Job, preemptions*o.Tasks), c.moved+gigabytes(o.Job, moved)
	if preemptions != o.Preemptions || migrations != o.Migrations || moved != o.Moved {
		c.fail("job %d was preempted %d times and migrated %d times with %d tasks, but %d, %d and %d were counted",
			o.ID, preemptions, migrations, moved, o.Preemptions, o.Migrations, o.Moved)
	}
}

// left counts the tasks that are no longer on their nodes.
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
