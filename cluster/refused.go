package cluster

// Limits on the remembered refusals. A manager proposes a command again while it waits for the outcome, so that copies
// of it come until the last proposal has been applied or given up.
const (
	maxRefused  = 4096 // of all senders together
	refusedLife = Hour
)

// refused remembers that a user's named command was refused. Its copies are refused, too: the user was told so,
// although there may be room when they come. A user that asks again under the same name does so at another time.
type refused struct {
	name     string
	at       Time // as the command has it, in microseconds
	revision uint64
	now      Time // of the state, in microseconds
}

// refusedBefore returns the result of a copy of a command that was refused, and whether it is one.
func (s *State) refusedBefore(c Command) (Result, bool) {
	r, ok := s.refusals.Get(refused{name: c.Request})
	if !ok || r.at != c.At || r.now <= s.Now-refusedLife {
		return Result{}, false
	}
	again := reject(CodeConflict, "", "this is a copy of a request that was refused at revision %d; send it again", r.revision)
	again.Revision = s.Revision
	return again, true
}

// refuse remembers that the command was refused, and forgets what is too old or too much. A leader may repeat its own
// commands, which name its epoch, as they are.
func (s *State) refuse(c Command) {
	if c.Request == "" || c.At == 0 || c.Epoch != 0 || s.Format < refuses {
		return
	}
	r := refused{c.Request, c.At, s.Revision, s.Now}
	if was, again := s.refusals.ReplaceOrInsert(r); again {
		s.latest.Delete(was)
	}
	s.latest.ReplaceOrInsert(r)
	for range 2 { // one more than came, so that many that grew old at once are forgotten in time
		if oldest, any := s.latest.Min(); any && (s.latest.Len() > maxRefused || oldest.now <= s.Now-refusedLife) {
			s.latest.Delete(oldest)
			s.refusals.Delete(oldest)
		}
	}
}

// reindexRefusals rebuilds the index of the refusals.
func (s *State) reindexRefusals() {
	s.latest.Clear(false)
	for r := range s.refusals.all() {
		s.latest.ReplaceOrInsert(r)
	}
}
