package cluster

// Snapshot is a State at one moment, all of it, for the manager, REST and replays. A policy gets a View instead, which
// can change nothing and tells no secrets. A Snapshot is independent of later commands; taking one copies nothing.
type Snapshot struct {
	*State
	At Time // the present, in microseconds; not before the state's own clock
}

// Snapshot returns the state as it is at now, or at its own clock if that is ahead.
func (s *State) Snapshot(now Time) *Snapshot { return &Snapshot{s.Clone(), max(now, s.Now)} }

// View returns what a policy sees of the Snapshot.
func (s *Snapshot) View() *View { return &View{At: s.At, state: s.State, oracle: estimates{s.State}} }
