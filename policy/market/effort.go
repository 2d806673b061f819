package market

import (
	"cmp"
	"slices"
)

// BestEffort returns the plan without any slot: tasks join the queue of a site when their parents have ended, in HEFT
// order, and take the earliest start that delays nobody. On several sites a task joins the one with the fewest tasks
// among those with enough processors, the first of these. No tasks arrive but those of the workflow.
func (q *Queried) BestEffort() (Plan, bool) { return q.BestEffortAmid(nil) }

// Arrival is a task of somebody else that joins the queue later.
type Arrival struct {
	At Time
	Job
}

// BestEffortAmid returns the plan of best effort if others arrive at the first site, in order of time.
func (q *Queried) BestEffortAmid(arrivals []Arrival) (Plan, bool) {
	e := effort{Workflow: q.Workflow, arrivals: arrivals}
	for r, m := range q.markets() {
		e.free = append(e.free, m.plan)
		e.most = append(e.most, q.Sites[r].Procs)
		ends := make([]Time, 0, len(m.starts))
		for _, l := range q.Sites[r].Running {
			ends = append(ends, l.End)
		}
		for i, start := range m.starts {
			ends = append(ends, start+m.queue[i].Run)
		}
		e.ends = append(e.ends, ends)
	}
	return e.plan()
}

// BestEffort returns the plan without any slot bought: the tasks wait in the queue, and fill its holes.
func (a *Advertised) BestEffort() (Plan, bool) {
	e := effort{Workflow: a.Workflow, ends: make([][]Time, a.Sites)}
	for r := range a.Sites {
		e.free = append(e.free, profileOf(a.Slots, r))
		e.most = append(e.most, slices.Max(e.free[r].free))
	}
	return e.plan()
}

// effort plans best effort.
type effort struct {
	*Workflow
	free []*Profile
	most []int    // processors, by site
	ends [][]Time // of the tasks on each site

	arrivals []Arrival // that have not come
}

// plan places the tasks as they become ready.
func (e *effort) plan() (Plan, bool) {
	ranks := e.ranks(len(e.free))
	place := make([]int, len(e.Tasks)) // in HEFT order
	for at, i := range e.order(ranks) {
		place[i] = at
	}
	plan := Plan{Cost: e.Area(), Places: make([]Place, len(e.Tasks))}
	open, at := make([]int, len(e.Tasks)), make([]Time, len(e.Tasks))
	var ready []int
	for i := range e.Tasks {
		if open[i] = len(e.parents[i]); open[i] == 0 {
			ready = append(ready, i)
		}
	}
	for len(ready) > 0 {
		next := slices.MinFunc(ready, func(a, b int) int {
			return cmp.Or(cmp.Compare(at[a], at[b]), cmp.Compare(place[a], place[b]))
		})
		ready = slices.DeleteFunc(ready, func(i int) bool { return i == next })
		if !e.put(next, at[next], &plan) {
			return Plan{}, false
		}
		for _, c := range e.children[next] {
			at[c.task] = max(at[c.task], plan.Places[next].Start+e.Tasks[next].Run)
			if open[c.task]--; open[c.task] == 0 {
				ready = append(ready, c.task)
			}
		}
	}
	plan.measure(e.Workflow)
	return plan, true
}

// put places one task, and reports false if it fits nowhere.
func (e *effort) put(task int, now Time, plan *Plan) bool {
	e.admit(now)
	t := e.Tasks[task]
	site, fewest, start := -1, 0, Ever
	for r := range e.free {
		n := e.present(r, now)
		at := e.free[r].Earliest(e.ready(task, r, plan.Places), t.Run, t.Procs)
		if e.most[r] >= t.Procs && at < Ever && (site < 0 || n < fewest) {
			site, fewest, start = r, n, at
		}
	}
	if site < 0 {
		return false
	}
	e.free[site].Take(start, start+t.Run, t.Procs)
	e.ends[site] = append(e.ends[site], start+t.Run)
	plan.Places[task] = Place{Site: site, Start: start}
	return true
}

// admit lets others join the queue of the first site until a time.
func (e *effort) admit(now Time) {
	for ; len(e.arrivals) > 0 && e.arrivals[0].At <= now; e.arrivals = e.arrivals[1:] {
		a := e.arrivals[0]
		start := e.free[0].Earliest(a.At, a.Run, a.Procs)
		e.free[0].Take(start, start+a.Run, a.Procs)
	}
}

// present returns the number of tasks that run or wait on a site at a time.
func (e *effort) present(site int, now Time) (n int) {
	for _, end := range e.ends[site] {
		if end > now {
			n++
		}
	}
	return n
}
