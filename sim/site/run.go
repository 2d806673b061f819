package site

import (
	"errors"
	"fmt"
	"slices"

	"aliquot/policy/hetero"
)

// Setup describes a simulation.
type Setup struct {
	Site       *Site
	Policy     hetero.Policy
	Period     hetero.Ticks       // between decisions of policies that are periodic
	Experience *hetero.Experience // predicts times, and learns from completed runs; nil: predictions are the true times
	Skip       bool               // leave out jobs that may run nowhere, instead of refusing the stream
	Watch      func(ended int) error
}

// Fate is what became of a job.
type Fate struct {
	Job
	Skipped     bool
	Parallel    bool
	Resource    int          // index of the machine or cluster of its last run
	Start, End  hetero.Ticks // of its last run
	Preemptions int          // begun runs that lost their machines
	Kills       int          // those whose work was given up
	Bumps       int          // planned runs that lost their place before they began
}

// Run simulates the jobs until all have ended.
func Run(setup Setup, jobs []Job) ([]Fate, error) {
	m := &simulation{Setup: setup, table: setup.Site.Times, queues: make([][]*run, len(setup.Site.Machines))}
	if setup.Period < 1 {
		return nil, errors.New("the period must be at least a millisecond")
	}
	m.learn()
	if err := m.begin(jobs); err != nil {
		return nil, err
	}
	for m.left > 0 {
		if err := m.instant(); err != nil {
			return nil, err
		}
	}
	return m.fates, nil
}

// run is a run with its true course.
type run struct {
	hetero.Run
	machines  []int
	predicted hetero.Ticks // its time
	takes     hetero.Ticks // its true time
	planned   hetero.Ticks // its start by the plan
}

// simulation is a simulation in progress.
type simulation struct {
	Setup
	table   *hetero.Table // predicted times
	fresh   bool          // nothing was learnt since the table was made
	now     hetero.Ticks
	fates   []Fate
	order   []int // jobs to come, by submission
	waiting []hetero.Work
	live    []*run
	queues  [][]*run // by machine, in the order of the plan
	left    int      // number of jobs that have not ended
	ended   int
}

// begin sorts the jobs and looks for those that may run nowhere.
func (m *simulation) begin(jobs []Job) error {
	var impossible []int
	for i, j := range jobs {
		f := Fate{Job: j, Skipped: m.table.Shortest(j.Type, m.Policy.IsParallel()) >= hetero.Never}
		m.fates = append(m.fates, f)
		if f.Skipped {
			impossible = append(impossible, i)
			continue
		}
		m.order = append(m.order, i)
	}
	m.left = len(m.order)
	if len(impossible) > 0 && !m.Skip {
		return m.refused(impossible)
	}
	slices.SortStableFunc(m.order, func(a, b int) int { return int(jobs[a].Submit - jobs[b].Submit) })
	return m.fits()
}

// fits refuses a stream whose times could add up to more than the policies can count: if every job ended last.
func (m *simulation) fits() error {
	last, longest := m.Period, make([]hetero.Ticks, len(m.table.Types))
	for k := range longest {
		longest[k] = max(m.table.Longest(k), m.Site.Times.Longest(k))
	}
	if len(m.order) > 0 {
		last += m.fates[m.order[len(m.order)-1]].Submit
	}
	for _, i := range m.order {
		last += longest[m.fates[i].Type]
	}
	if many := max(len(m.order), len(m.Site.Machines)); last > hetero.MostTime/hetero.Ticks(max(1, many)) {
		return fmt.Errorf("the job times could add up to more than can be counted: the last of %d jobs could end at %d ms, "+
			"on %d machines; take fewer jobs, or count submissions from the first", len(m.order), last, len(m.Site.Machines))
	}
	return nil
}

func (m *simulation) refused(impossible []int) error {
	j := m.fates[impossible[0]].Job
	why := "may run on no machine that is up"
	if m.Experience != nil {
		why = "has no experience on any machine that is up"
	}
	return fmt.Errorf("%d of %d jobs can never run under %v: job %s: its type %s %s", len(impossible), len(m.fates), m.Policy,
		j.ID, m.Site.Times.Types[j.Type], why)
}

// instant goes to the next time at which something happens: runs end, jobs come, the policy decides, runs begin.
func (m *simulation) instant() error {
	at := min(m.nextRun(), m.nextJob())
	if at >= hetero.Never {
		return fmt.Errorf("%d jobs wait, and nothing will happen", m.left)
	}
	m.now = at
	m.endRuns()
	m.takeJobs()
	if len(m.waiting) > 0 {
		m.decide()
	}
	m.startRuns()
	if m.Watch != nil {
		return m.Watch(m.ended)
	}
	return nil
}

// nextJob returns when the next job is looked at: at once, or at the next multiple of the period.
func (m *simulation) nextJob() hetero.Ticks {
	if len(m.order) == 0 {
		return hetero.Never
	}
	at := m.fates[m.order[0]].Submit
	if m.Policy.Periodic() {
		at = (at + m.Period - 1) / m.Period * m.Period
	}
	return at
}

// nextRun returns when the next run ends or begins.
func (m *simulation) nextRun() hetero.Ticks {
	at := hetero.Never
	for machine, queue := range m.queues {
		switch {
		case len(queue) == 0:
		case queue[0].Begun:
			at = min(at, queue[0].Start+queue[0].takes)
		case queue[0].machines[0] == machine && m.free(queue[0]):
			at = min(at, max(m.now, queue[0].planned))
		}
	}
	return at
}

// free reports whether a run is the next on all of its machines.
func (m *simulation) free(r *run) bool {
	return !slices.ContainsFunc(r.machines, func(i int) bool { return m.queues[i][0] != r })
}

func (m *simulation) endRuns() {
	for _, queue := range m.queues {
		if len(queue) > 0 && queue[0].Begun && queue[0].Start+queue[0].takes <= m.now {
			m.end(queue[0])
		}
	}
}

func (m *simulation) end(r *run) {
	m.remove(r)
	f := &m.fates[r.Job]
	f.Parallel, f.Resource, f.Start, f.End = r.Parallel, r.Resource, r.Start, m.now
	m.left--
	m.ended++
	if m.Experience != nil && r.Done == 0 {
		m.observe(r)
	}
}

// remove takes a run off its machines.
func (m *simulation) remove(r *run) {
	is := func(o *run) bool { return o == r }
	m.live = slices.DeleteFunc(m.live, is)
	for _, i := range r.machines {
		m.queues[i] = slices.DeleteFunc(m.queues[i], is)
	}
}

func (m *simulation) takeJobs() {
	for m.nextJob() <= m.now {
		i := m.order[0]
		m.order = m.order[1:]
		j := m.fates[i].Job
		m.waiting = append(m.waiting, hetero.Work{Job: i, Type: j.Type, Level: j.Level, Submit: j.Submit})
	}
}

func (m *simulation) startRuns() {
	for machine := range m.queues {
		queue := m.queues[machine]
		if len(queue) > 0 && !queue[0].Begun && queue[0].planned <= m.now && m.free(queue[0]) {
			queue[0].Start, queue[0].Begun = m.now, true
		}
	}
}

// decide puts a decision into force.
func (m *simulation) decide() {
	m.learn()
	d := m.Policy.Decide(m.table, m.now, m.held(), m.waiting)
	gone := map[int]bool{}
	for _, r := range d.Preempted {
		m.fates[r.Job].Preemptions++
		if !m.Policy.Suspends() {
			m.fates[r.Job].Kills++
		}
		gone[r.Job] = true
	}
	for _, r := range d.Bumped {
		m.fates[r.Job].Bumps++
		gone[r.Job] = true
	}
	for _, r := range d.Withdrawn {
		gone[r.Job] = true
	}
	for _, r := range slices.Clone(m.live) {
		if gone[r.Job] {
			m.remove(r)
		}
	}
	for _, r := range d.Runs {
		m.add(r)
		gone[r.Job] = true
	}
	m.waiting = slices.DeleteFunc(m.waiting, func(w hetero.Work) bool { return gone[w.Job] })
}

// add puts a new run behind those that the plan begins before it.
func (m *simulation) add(r hetero.Run) {
	times := m.Site.Times.Sequential
	if r.Parallel {
		times = m.Site.Times.Parallel
	}
	n := &run{Run: r, machines: m.table.Machines(r), predicted: r.End - r.Start, planned: r.Start,
		takes: r.Rest(times[r.Type][r.Resource])}
	m.live = append(m.live, n)
	for _, i := range n.machines {
		at := slices.IndexFunc(m.queues[i], func(o *run) bool { return !o.Begun && o.planned > n.planned })
		if at < 0 {
			at = len(m.queues[i])
		}
		m.queues[i] = slices.Insert(m.queues[i], at, n)
	}
}

// held returns the runs that have not ended, with their ends as they are predicted now. Runs that take their predicted
// time keep their intervals.
func (m *simulation) held() (all []hetero.Run) {
	plan := slices.Clone(m.live)
	slices.SortStableFunc(plan, func(a, b *run) int { return int(a.planned - b.planned) })
	free := make([]hetero.Ticks, len(m.queues))
	for _, r := range plan {
		h := r.Run
		for _, i := range r.machines {
			h.Start = max(h.Start, free[i])
		}
		if r.Begun {
			h.Start, h.Saved = r.Start, r.After(m.now-r.Start, r.takes)
		}
		if h.End = h.Start + r.predicted; r.Begun {
			h.End = max(h.End, m.now+1) // it has not ended yet, whatever was predicted
		}
		for _, i := range r.machines {
			free[i] = h.End
		}
		all = append(all, h)
	}
	return all
}
