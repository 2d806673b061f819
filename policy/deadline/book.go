package deadline

import (
	"slices"
	"sync"

	"aliquot/cluster"
)

// book is the plan of the last view. For a later view it is brought up to date; if that cannot be, it is made anew,
// with the same result. It is no memory: a decision with a new book is the same.
type book struct {
	mutex    sync.Mutex
	plan     *Plan
	jobs     map[cluster.JobID]*Job
	of       *cluster.Promises
	seen     int             // number of their changes
	accepted []cluster.JobID // by the last decision
	made     int             // number of times that it was made anew
}

// follow makes the plan that of the view.
func (b *book) follow(d *decision) {
	promises := d.view.Promises()
	changes, now, known := promises.Changes(b.seen)
	known = known && b.of == promises && b.plan.begins() <= d.view.At && b.plan.All == d.all && b.plan.Nodes == d.planned()
	if !known || !b.apply(changes, d.view.At) {
		b.plan, b.jobs, b.of = nil, map[cluster.JobID]*Job{}, promises
		b.made++
	}
	b.seen, b.accepted = now, nil
	runs := d.runs()
	if b.plan != nil {
		b.plan.Follow(d.view.At, runs)
		return
	}
	var coming []*Job
	for p := range promises.All() {
		if p.From > d.view.At {
			coming = append(coming, b.job(d, p))
		}
	}
	slices.SortFunc(coming, (*Job).arrives)
	b.plan = NewPlan(d.view.At, d.planned(), d.all, runs, coming)
}

// apply reports whether the plan has these changes of the promises: those that the last decision asked for were made,
// and only jobs that were ready have ended.
func (b *book) apply(changes []cluster.PromiseChange, now cluster.Time) bool {
	for _, c := range changes {
		switch {
		case c.Made && len(b.accepted) > 0 && b.accepted[0] == c.Job:
			b.accepted = b.accepted[1:]
		case c.Made || c.From > b.plan.begins() && c.From > c.Ended:
			return false
		default:
			delete(b.jobs, c.Job)
		}
	}
	return len(b.accepted) == 0
}

// job returns the job of a promise.
func (b *book) job(d *decision, p *cluster.Promise) *Job {
	j := b.jobs[p.Job]
	if j == nil {
		j = d.job(d.view.Job(p.Job))
		b.jobs[p.Job] = j
	}
	return j
}

// runs lists the promised jobs that are ready, in order. Those that have used up their time are cut, and those that
// cannot be in time any more give way to all others.
func (d *decision) runs() (runs []Run) {
	for p := range d.view.Promises().Begun(d.view.At) {
		j := d.view.Job(p.Job)
		if !d.view.Candidate(j) {
			continue
		}
		r := d.state(j, d.book.job(d, p))
		if r.Left <= 0 {
			d.drop(j, cluster.WhyCut, seconds(r.Lasts))
			continue
		}
		if r.Hopeless(d.view.At) {
			last := *r.Job
			last.Deadline = Never
			d.jobs[j.ID], r.Job = &last, &last
		}
		runs = append(runs, r)
	}
	slices.SortFunc(runs, Run.compare)
	return runs
}

// state returns the job as it is now.
func (d *decision) state(j *cluster.Job, job *Job) Run {
	now := d.view.At
	r := Run{Job: job, Left: Quarters*Work(job.Lasts) - Work(j.VirtualParts(Quarters, now)), Started: j.Started != 0}
	if held := d.view.Target(j.ID); held != nil {
		r.Started, r.Level = true, levelOf(held.Cap, j.Spec.Need)
	}
	if rest := d.view.Cost(j).Unpaid; rest > 0 {
		r.Stalled = now + rest
	} else if r.Level > 0 && j.Clock.Share == 0 { // its moves are under way
		r.Stalled = now + max(cluster.Second, job.Move)
	}
	return r
}

// begins returns the time from which the plan is on; 0 without one.
func (p *Plan) begins() cluster.Time {
	if p == nil {
		return Never
	}
	return p.steps[0].at
}
