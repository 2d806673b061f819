package cluster

import "fmt"

// A Format is a version of what Apply does and of what is stored and hashed. State.Format is the one in force. New gives
// FirstFormat for ever: until its first snapshot a replica's log is applied to a new state, and every program must come
// to the same outcome. Raise is the only way up, and the leader proposes it once every manager understands the Format.
//
// A change of Apply's outcome, of what is stored or of what is hashed takes a new Format, and a line here:
//
//	1  the first
//	2  jobs count their moves: Job.Moves, Job.Moved
//	3  replicas compare hashes again; below, programs that walk over the state in another way may take part.
//	   Reports tell the tier in force and the work of runs: Task.Progress, Clock.Steal.
//	   The agenda has alarms besides the tick.
//	   One command moves time by MaxStep at most, and SetTime sets it: State.TimeSet, Command.TimeSet.
//	   A loss counts for a day: Task.LossesSince
const (
	FirstFormat  = 2 // of a new state
	LatestFormat = 3 // that this program understands

	countsMoves = 2
	compares    = 3
	keepsAlarms = 3
	raises      = 3 // a reader of a Raise knows at least this one
	observes    = 3
	setsTime    = 3
	forgives    = 3
)

// Comparable reports whether replicas may compare hashes of this state. Programs that know only Formats below walk over
// a state in another way, and one of them may be a member.
func (s *State) Comparable() bool { return s.Format >= compares }

// SetsTime reports whether SetTime is understood, and one command moves the clock by MaxStep at most.
func (s *State) SetsTime() bool { return s.Format >= setsTime }

// Raise puts a higher Format in force. All replicas must understand it: DecodeCommand refuses one that this program does
// not know, so that an old replica halts rather than going on with a state that differs.
type Raise struct{ Format uint32 }

func (a Raise) apply(t *transaction) Result {
	if a.Format <= t.Format || a.Format > LatestFormat {
		return reject(CodeConflict, "format", "format %d is not between the one in force, %d, and the latest known, %d", a.Format, t.Format, LatestFormat)
	}
	t.Format = a.Format
	t.emit(Event{Kind: FormatRaised, Task: -1, Text: fmt.Sprintf("format %d", a.Format)})
	return Result{}
}
