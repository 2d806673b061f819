package sweep

// Pace forecasts the remaining run time of a sweep from the run times of finished trials. Seconds per job differ by
// orders of magnitude, mostly between policies, but also between periods and kinds of traces. Hence each class of
// trials has its own pace. A class without finished trials gets the pace of its policy or, failing that, of all
// trials.
type Pace struct {
	left map[class]int // jobs still to be simulated
	past map[class]work
}

// class is a set of trials that take about the same time per job.
type class struct {
	policy string
	period float64
	kind   string // kind of the trace; any text
}

type work struct {
	jobs    int
	seconds float64
}

func (w work) plus(o work) work { return work{w.jobs + o.jobs, w.seconds + o.seconds} }

func classOf(t Trial, kind string) class { return class{t.Policy, t.Period, kind} }

// Expect adds a future trial of a trace of that kind with that number of jobs.
func (p *Pace) Expect(t Trial, kind string, jobs int) {
	if p.left == nil {
		p.left = map[class]int{}
	}
	p.left[classOf(t, kind)] += jobs
}

// Learn adds the run time of a trial that was not expected, in seconds of one worker.
func (p *Pace) Learn(t Trial, kind string, jobs int, seconds float64) {
	if p.past == nil {
		p.past = map[class]work{}
	}
	c := classOf(t, kind)
	p.past[c] = p.past[c].plus(work{jobs, seconds})
}

// Done removes an expected trial and adds its run time, in seconds of one worker.
func (p *Pace) Done(t Trial, kind string, jobs int, seconds float64) {
	p.left[classOf(t, kind)] -= jobs
	p.Learn(t, kind, jobs, seconds)
}

// Knows reports whether a trial of that class has run.
func (p *Pace) Knows(t Trial, kind string) bool { return p.past[classOf(t, kind)].jobs > 0 }

// Forget removes all expected trials and keeps the run times learnt.
func (p *Pace) Forget() { p.left = nil }

// Left returns the remaining run time in seconds of one worker; 0 before any trial has run.
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
