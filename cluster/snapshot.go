package cluster

import "iter"

// Snapshot is the whole State at one moment, for the manager, REST and replays. A policy gets a View instead, which
// cannot change the state and gives no access to secrets. A Snapshot is independent of later commands. Taking one
// copies nothing.
type Snapshot struct {
	*State
	At Time // the present, in microseconds; not before the state's own clock
}

// Snapshot returns the state as it is at now, or at its own clock if that is ahead.
func (s *State) Snapshot(now Time) *Snapshot { return &Snapshot{s.Clone(), max(now, s.Now)} }

// Wants reports whether the job may run now: it is neither held nor ending, nor does it wait for the interval that it
// was promised.
func (s *Snapshot) Wants(j *Job) bool { return j.Schedulable() && !s.PromiseTo(j.ID).early(s.At) }

// PromiseTo returns the promise to a job as it is at the time of the Snapshot, or nil.
func (s *Snapshot) PromiseTo(id JobID) *Promise { return s.promises.get(id).at(s.Job(id), s.At) }

// Promised yields the promises, by job, as they are at the time of the Snapshot.
func (s *Snapshot) Promised() iter.Seq[*Promise] { return s.current(s.promises, s.At) }

// View returns the policy's view of the Snapshot.
func (s *Snapshot) View() *View { return &View{At: s.At, state: s.State, oracle: estimates{s.State}} }
