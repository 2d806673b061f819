package deadline

import "aliquot/cluster"

// crowd counts tasks by their levels.
type crowd [Quarters + 1]int

// fits reports whether the nodes have room for the tasks. A task with three quarters or four needs a node, which it
// shares with single quarters at most, and two tasks with two quarters share one. So the tasks fit if the wide ones do
// and the quarters suffice.
func (c *crowd) fits(nodes int) bool {
	return c[4]+c[3]+(c[2]+1)/2 <= nodes && 4*c[4]+3*c[3]+2*c[2]+c[1] <= Quarters*nodes
}

// add counts the tasks if they fit, and reports whether they do.
func (c *crowd) add(level, tasks, nodes int) bool {
	if c[level] += tasks; c.fits(nodes) {
		return true
	}
	c[level] -= tasks
	return false
}

// room is the number of nodes that may be used.
type room struct {
	all   int // the floors of jobs that have started have to fit on them
	plan  int // floors of jobs that start now have to fit on them
	raise int // the rest
}

// fill gives the runs, which are in order, their levels at a time: the floors of those that have started, then those of
// others, which start with that, and then each in order gets as much as fits. A strict rule has no floors: jobs are
// paused for others that come before them.
func fill(runs []Run, at cluster.Time, nodes room, strict bool) {
	var c crowd
	var before [64]int
	was := before[:0]
	for i := range runs {
		r := &runs[i]
		was, r.Level = append(was, r.Level), 0
		if !strict && r.Started && c.add(r.Floor, r.Tasks, nodes.all) {
			r.Level = r.Floor
		}
	}
	for i := range runs {
		if r := &runs[i]; !strict && !r.Started && c.add(r.Floor, r.Tasks, nodes.plan) {
			r.Level = r.Floor
		}
	}
	for i := range runs {
		r := &runs[i]
		if r.Level > 0 || strict && c.add(r.Floor, r.Tasks, nodes.raise) {
			r.Level = max(r.Level, r.Floor)
			r.raise(&c, nodes.raise)
		}
	}
	charge(runs, was, at)
}

// charge lets runs pay for moves, and starts others. Any change may move the tasks of all runs that share nodes.
func charge(runs []Run, was []int, at cluster.Time) {
	changed := false
	for i := range runs {
		changed = changed || runs[i].Level != was[i]
	}
	for i := range runs {
		r := &runs[i]
		if r.Started && r.Move > 0 && changed && (r.Level != was[i] || r.Level < Quarters) {
			r.Stalled = at + r.Move
		}
		r.Started = r.Started || r.Level > 0
	}
}

// raise gives the run the highest level that fits.
func (r *Run) raise(c *crowd, nodes int) {
	c[r.Level] -= r.Tasks
	for level := Quarters; level > r.Floor; level-- {
		if c.add(level, r.Tasks, nodes) {
			r.Level = level
			return
		}
	}
	c[r.Floor] += r.Tasks
}
