package sweep

// Pace foretells how long the rest of a sweep takes, from what its trials took so far. Seconds per job differ between
// policies by orders of magnitude, so each policy has a pace of its own; one that has not run yet is taken to be as
// fast as all so far together.
type Pace struct {
	left map[string]int // jobs to come, by policy
	past map[string]work
	all  work
}

type work struct {
	jobs    int
	seconds float64
}

// Expect adds a trial that is to come.
func (p *Pace) Expect(policy string, jobs int) {
	if p.left == nil {
		p.left, p.past = map[string]int{}, map[string]work{}
	}
	p.left[policy] += jobs
}

// Done takes an expected trial off that took so many seconds of one worker.
func (p *Pace) Done(policy string, jobs int, seconds float64) {
	p.left[policy] -= jobs
	w := p.past[policy]
	p.past[policy] = work{w.jobs + jobs, w.seconds + seconds}
	p.all = work{p.all.jobs + jobs, p.all.seconds + seconds}
}

// Left is how many seconds of one worker the rest will take; 0 before anything has run.
func (p *Pace) Left() (seconds float64) {
	for policy, jobs := range p.left {
		w := p.past[policy]
		if w.jobs == 0 {
			w = p.all
		}
		if w.jobs > 0 {
			seconds += float64(jobs) * w.seconds / float64(w.jobs)
		}
	}
	return seconds
}
