package market

import "slices"

// Job is a task of somebody else that waits in the queue of a site.
type Job struct {
	Procs int
	Run   Time
}

// Lease holds processors of a site for an interval: a running task or a reservation.
type Lease struct {
	Procs      int
	Start, End Time
}

// Site is a provider that answers queries.
type Site struct {
	Procs                 int
	Running, Reservations []Lease
	Queue                 []Job // in order
}

// base returns the profile that running tasks and reservations leave.
func (s *Site) base() *Profile {
	p := NewProfile(s.Procs)
	for _, leases := range [][]Lease{s.Running, s.Reservations} {
		for _, l := range leases {
			p.Take(l.Start, l.End, l.Procs)
		}
	}
	return p
}

// Discipline returns the starts of the jobs of a queue, and takes their processors.
type Discipline func(free *Profile, queue []Job) []Time

// Conservative is conservative backfilling: each job in order takes its earliest start.
func Conservative(free *Profile, queue []Job) []Time {
	starts := make([]Time, len(queue))
	for i, j := range queue {
		starts[i] = free.Earliest(0, j.Run, j.Procs)
		free.Take(starts[i], starts[i]+j.Run, j.Procs)
	}
	return starts
}

// Aggressive is aggressive backfilling (EASY): only the first job that cannot start is promised a start.
func Aggressive(free *Profile, queue []Job) []Time {
	starts := make([]Time, len(queue))
	waiting := make([]int, len(queue))
	for i := range queue {
		waiting[i] = i
	}
	for now := Time(0); len(waiting) > 0; now = free.after(now) {
		promised := -1
		var promise Time
		waiting = slices.DeleteFunc(waiting, func(i int) bool {
			j := queue[i]
			if free.fits(now, j.Run, j.Procs) {
				starts[i] = now
				free.Take(now, now+j.Run, j.Procs)
				return true
			}
			if promised < 0 {
				promised, promise = i, free.Earliest(now, j.Run, j.Procs)
				free.Take(promise, promise+j.Run, j.Procs)
			}
			return false
		})
		if promised >= 0 {
			free.Take(promise, promise+queue[promised].Run, -queue[promised].Procs)
		}
	}
	return starts
}

// after returns the next change after a time.
func (p *Profile) after(t Time) Time {
	if i := p.step(t) + 1; i < len(p.at) {
		return p.at[i]
	}
	return Ever
}

// Overdrawn reports whether running tasks and reservations take more processors at once than the site has.
func (s *Site) Overdrawn() bool { return slices.Min(s.base().free) < 0 }
