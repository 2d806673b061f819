package sweep

// Pace foretells how long the rest of a sweep takes, from what its trials took so far. Seconds per job differ by orders
// of magnitude, between policies above all, but also between periods and kinds of traces: each class of trials has a pace
// of its own. One that has not run yet is taken to be as fast as its policy otherwise is, or else as all so far together.
type Pace struct {
	left map[class]int // jobs to come
	past map[class]work
}

// class is trials that take about as long for each job.
type class struct {
	policy string
	period float64
	kind   string // of the trace, in whatever words
}

type work struct {
	jobs    int
	seconds float64
}

func (w work) plus(o work) work { return work{w.jobs + o.jobs, w.seconds + o.seconds} }

func classOf(t Trial, kind string) class { return class{t.Policy, t.Period, kind} }

// Expect adds a trial that is to come, of a trace of that kind with so many jobs.
func (p *Pace) Expect(t Trial, kind string, jobs int) {
	if p.left == nil {
		p.left = map[class]int{}
	}
	p.left[classOf(t, kind)] += jobs
}

// Learn takes over what a trial took that nobody expects, in seconds of one worker.
func (p *Pace) Learn(t Trial, kind string, jobs int, seconds float64) {
	if p.past == nil {
		p.past = map[class]work{}
	}
	c := classOf(t, kind)
	p.past[c] = p.past[c].plus(work{jobs, seconds})
}

// Done takes an expected trial off that took so many seconds of one worker.
func (p *Pace) Done(t Trial, kind string, jobs int, seconds float64) {
	p.left[classOf(t, kind)] -= jobs
	p.Learn(t, kind, jobs, seconds)
}

// Knows tells whether a trial of that class has run.
func (p *Pace) Knows(t Trial, kind string) bool { return p.past[classOf(t, kind)].jobs > 0 }

// Forget makes nothing be expected any more; what was learnt stays.
func (p *Pace) Forget() { p.left = nil }

// Left is how many seconds of one worker the rest will take; 0 before anything has run.
func (p *Pace) Left() (seconds float64) {
	for c, jobs := range p.left {
		w := p.past[c]
		if w.jobs == 0 {
			w = p.sum(func(o class) bool { return o.policy == c.policy })
		}
		if w.jobs == 0 {
			w = p.sum(func(class) bool { return true })
		}
		if w.jobs > 0 {
			seconds += float64(jobs) * w.seconds / float64(w.jobs)
		}
	}
	return seconds
}

func (p *Pace) sum(of func(class) bool) (all work) {
	for c, w := range p.past {
		if of(c) {
			all = all.plus(w)
		}
	}
	return all
}
