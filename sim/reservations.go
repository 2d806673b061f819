package sim

import "aliquot/workload"

// Reservations sums up a stream with deadlines. A job is accepted unless the policy refused it. A wide job has a
// quarter of the nodes or more.
type Reservations struct {
	Accepted     float64 `json:"accepted"`      // as part of the jobs
	AcceptedWork float64 `json:"accepted_work"` // as part of the work of all jobs
	AcceptedWide float64 `json:"accepted_wide"` // as part of the wide jobs; 0 if there are none
	Missed       int     `json:"missed"`        // accepted jobs that were late, stopped after their deadline, or cut
	// AvgSlowdown is the mean, over the accepted jobs whose work was done, of the time from ready to end over the run
	// time.
	AvgSlowdown float64 `json:"avg_slowdown"`
}

// reservations returns nil if no job has a deadline.
func (r Result) reservations() *Reservations {
	s, all, accepted, known := &Reservations{}, share{}, share{}, false
	for _, o := range r.Jobs {
		accepted.add(o.Job, r.nodes)
		known = known || o.Deadline != 0
		s.AvgSlowdown += (o.Ended - o.ReadyAt()).Seconds() / o.Runtime.Seconds() / float64(len(r.Jobs))
		if o.Late() {
			s.Missed++
		}
	}
	for _, o := range r.Stopped {
		accepted.add(o.Job, r.nodes)
		known = known || o.Deadline != 0
		if o.Missed() {
			s.Missed++
		}
	}
	all = accepted
	for _, o := range r.Skipped {
		all.add(o.Job, r.nodes)
		known = known || o.Deadline != 0
	}
	if !known {
		return nil
	}
	s.Accepted, s.AcceptedWork = accepted.jobs/all.jobs, accepted.work/all.work
	if all.wide > 0 {
		s.AcceptedWide = accepted.wide / all.wide
	}
	return s
}

// share counts jobs, their work and wide jobs.
type share struct{ jobs, work, wide float64 }

func (s *share) add(j workload.Job, nodes int) {
	s.jobs++
	s.work += float64(j.Tasks) * float64(j.Need) * j.Runtime.Seconds()
	if 4*j.Tasks >= nodes {
		s.wide++
	}
}
