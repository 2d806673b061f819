package deadline

import (
	"slices"
	"sort"

	"aliquot/cluster"
)

// step is an event: a job becomes ready or ends. Its runs are in order, with the levels that they had before it.
type step struct {
	at   cluster.Time
	runs []Run
	used int // quarters from the step on
}

// Plan is the future by the rule, if nothing else happens.
//
// Invariant: each step follows from the one before and the jobs that become ready in between.
type Plan struct {
	Nodes  int  // number of nodes that it counts on
	All    int  // number of nodes that there are
	Late   bool // a run that is not hopeless at the begin misses its deadline
	strict bool // floors would make a run late: work ended early, and jobs started that should not have
	steps  []*step
	coming []*Job // jobs that are not ready at the first step, by ready time
}

// Trial is the part of a plan that a new job changes.
type Trial struct {
	job      *Job
	from, to int // steps of the plan that are replaced
	steps    []*step
	whole    *Plan // in place of the plan; nil: only these steps
}

// NewPlan returns the plan from a time on, of the runs and of jobs that become ready later. Both must be in order.
func NewPlan(at cluster.Time, nodes, all int, runs []Run, coming []*Job) *Plan {
	p := &Plan{Nodes: nodes, All: all, coming: coming}
	p.begin(&step{at: at, runs: runs}, 0)
	return p
}

// begin replaces the plan from its first step on by what follows from another one, up to the step at which both
// are the same. known is the number of steps that may be the same.
func (p *Plan) begin(first *step, known int) {
	old := p.steps[len(p.steps)-known:]
	p.strict = false
	steps, same, late := p.run(first, old, false)
	if late {
		p.strict = true
		if strict, _, lateStill := p.run(first, nil, false); !lateStill {
			p.steps, p.Late = strict, false
			return
		}
		p.strict = false
	}
	p.steps, p.Late = append(steps, old[same:]...), late
}

// run lists the steps from the first on, until they are those of old ones again, and returns the number of these that
// are replaced. If it is brief, it stops at a step at which a run has missed its deadline.
func (p *Plan) run(first *step, old []*step, brief bool) (steps []*step, same int, late bool) {
	coming := p.coming[p.after(first.at):]
	for s := first; ; {
		for same < len(old) && old[same].at < s.at {
			same++
		}
		if s != first && same < len(old) && s.equal(old[same]) {
			return steps, same, late
		}
		steps = append(steps, s)
		at := Never
		if len(coming) > 0 {
			at = coming[0].Ready
		}
		next, missed := s.next(p.room(), p.strict, at)
		if late = late || missed; next == nil || missed && brief {
			return steps, len(old), late
		}
		for len(coming) > 0 && coming[0].Ready == next.at {
			next.enter(coming[0].fresh())
			coming = coming[1:]
		}
		s = next
	}
}

func (p *Plan) room() room { return room{p.All, p.Nodes, p.Nodes} }

// after returns the index of the first job that becomes ready after a time.
func (p *Plan) after(at cluster.Time) int {
	return sort.Search(len(p.coming), func(i int) bool { return p.coming[i].Ready > at })
}

// enter adds a run in its place.
func (s *step) enter(r Run) {
	i, _ := slices.BinarySearchFunc(s.runs, r, Run.compare)
	s.runs = slices.Insert(s.runs, i, r)
}

// next returns the next step, at a time at the latest, and whether a run has missed its deadline then. The step is nil
// if nothing happens any more.
func (s *step) next(nodes room, strict bool, at cluster.Time) (next *step, late bool) {
	runs := make([]Run, len(s.runs), len(s.runs)+1)
	copy(runs, s.runs)
	fill(runs, s.at, nodes, strict)
	s.used = 0
	for i := range runs {
		s.used += runs[i].Tasks * runs[i].Level
	}
	return s.lasting(runs, at)
}

// lasting returns the next step if the runs of this one have the levels that they are given with.
func (s *step) lasting(runs []Run, at cluster.Time) (next *step, late bool) {
	for i := range runs {
		at = min(at, runs[i].ends(s.at))
	}
	if at == Never {
		return nil, len(runs) > 0
	}
	kept := runs[:0]
	for i := range runs {
		r := &runs[i]
		if r.pass(s.at, at); r.Left == 0 {
			late = late || at > r.Deadline
			continue
		}
		late = late || r.Hopeless(at)
		kept = append(kept, *r)
	}
	return &step{at: at, runs: kept}, late
}

// equal reports whether the steps are the same.
func (s *step) equal(o *step) bool {
	return s.at == o.at && slices.Equal(s.runs, o.runs)
}

// Follow makes a plan that was right one that is right at a later time, with the runs of then, which are in order.
func (p *Plan) Follow(at cluster.Time, runs []Run) {
	i := p.step(at)
	now := &step{at: at, runs: runs}
	p.coming = p.coming[p.after(at):]
	if !p.Late && !p.strict && i >= 0 && now.equal(p.at(i, at)) {
		now.used = p.steps[i].used
		p.steps = p.steps[i:]
		p.steps[0] = now
		return
	}
	known := len(p.steps) - 1 - i
	if p.strict {
		known = 0
	}
	p.begin(now, known)
}

// step returns the index of the step that a time is in; -1: it is before all of them.
func (p *Plan) step(at cluster.Time) int {
	return sort.Search(len(p.steps), func(i int) bool { return p.steps[i].at > at }) - 1
}

// at returns the state at a time in a step.
func (p *Plan) at(i int, at cluster.Time) *step {
	s := p.steps[i]
	if s.at == at {
		return s
	}
	runs := make([]Run, len(s.runs), len(s.runs)+1)
	copy(runs, s.runs)
	fill(runs, s.at, p.room(), p.strict)
	for i := range runs {
		runs[i].pass(s.at, at)
	}
	return &step{at: at, runs: runs}
}

// Try returns the change of the plan by a job, which must not be ready before the plan begins, and whether all
// deadlines are kept with it.
func (p *Plan) Try(j *Job) (t Trial, kept bool) {
	if p.strict {
		return p.tryAnew(j)
	}
	i := max(0, p.step(j.Ready))
	first := p.at(i, j.Ready).with(j)
	t.from, t.job = i, j
	if first.at > p.steps[i].at {
		t.from++
	}
	var late bool
	t.steps, t.to, late = p.run(first, p.steps[t.from:], true)
	t.to += t.from
	return t, !late && !p.Late
}

// tryAnew tries the job in a plan of its own.
func (p *Plan) tryAnew(j *Job) (t Trial, kept bool) {
	t.job = j
	first, coming := p.steps[0], p.coming
	if j.Ready <= first.at {
		first = first.with(j)
	} else {
		coming = slices.Insert(slices.Clone(coming), p.after(j.Ready), j)
	}
	t.whole = NewPlan(first.at, p.Nodes, p.All, first.runs, coming)
	return t, !t.whole.Late
}

// with returns the step with a job that becomes ready at it.
func (s *step) with(j *Job) *step {
	more := &step{at: s.at, runs: slices.Clone(s.runs)}
	more.enter(j.fresh())
	return more
}

// Accept puts a trial into force, unless the plan has changed since.
func (p *Plan) Accept(t Trial) {
	if t.whole != nil {
		*p = *t.whole
		return
	}
	p.steps = slices.Replace(p.steps, t.from, t.to, t.steps...)
	if i := p.after(t.job.Ready); t.job.Ready > p.steps[0].at {
		p.coming = slices.Insert(p.coming, i, t.job)
	}
}

// Planned returns the part of all nodes that the plan uses in an interval, from 0 to 1.
func (p *Plan) Planned(from, until cluster.Time) float64 {
	used := 0.
	for i := max(0, p.step(from)); i < len(p.steps) && p.steps[i].at < until; i++ {
		end := until
		if i+1 < len(p.steps) {
			end = min(end, p.steps[i+1].at)
		}
		if begin := max(from, p.steps[i].at); begin < end {
			used += float64(p.steps[i].used) * float64(end-begin)
		}
	}
	return used / Quarters / float64(p.All) / float64(until-from)
}

// Levels returns the runs of the first step with the levels that they get: as on all nodes if that keeps all deadlines,
// else as planned. until is when that changes, at the latest.
func (p *Plan) Levels() (runs []Run, until cluster.Time) {
	first, next := p.steps[0], Never
	if len(p.coming) > 0 {
		next = p.coming[0].Ready
	}
	for _, nodes := range []room{{p.All, p.Nodes, p.All}, p.room()} {
		runs = slices.Clone(first.runs)
		fill(runs, first.at, nodes, p.strict)
		s, late := first.lasting(slices.Clone(runs), next)
		if s == nil {
			return runs, Never
		}
		if until = s.at; nodes == p.room() || !late && !p.harms(s) {
			break
		}
	}
	return runs, until
}

// harms reports whether a run misses its deadline after a step.
func (p *Plan) harms(s *step) bool {
	for _, j := range p.coming {
		if j.Ready > s.at {
			break
		}
		s.enter(j.fresh())
	}
	_, _, late := p.run(s, p.steps, true)
	return late
}
