package cluster

import (
	"cmp"
	"math"
	"strings"
)

// Limits on the remembered requests. A sender that names many pushes out only its own; the manager's own commands, all
// of which have names, are a sender too.
const (
	maxRequests = 100_000 // below Format keepsKeys, of all senders together
	maxNamed    = 300_000 // of all senders together
	maxOwn      = 10_000  // of one sender
	maxInternal = 100_000 // that the manager named itself; kept until no proposal can be repeated
	requestLife = 24 * Hour
)

// request remembers the outcome of a named request.
type request struct {
	name     string
	revision uint64
	job      JobID
	at       Time  // of the command, in microseconds; zero: applied below Format keepsKeys
	deed     *deed // nil: unknown
}

// sender returns the part of the request's name that is not the choice of its sender: all before the second slash, as
// in rest/TOKEN/key; "" for a name without a slash, which the manager has made.
func (r request) sender() string {
	parts := strings.SplitN(r.name, "/", 3)
	return strings.Join(parts[:len(parts)-1], "/")
}

// sent is an entry of the index of requests by sender and revision. Invariant: the numbers of a sender's entries rise
// by one, because only its oldest request is ever forgotten.
type sent struct {
	sender   string
	revision uint64
	number   uint64
}

func (a sent) less(b sent) bool {
	return cmp.Or(cmp.Compare(a.sender, b.sender), cmp.Compare(a.revision, b.revision)) < 0
}

// same reports whether two entries name the same request. Numbers count from anywhere.
func (a sent) same(b sent) bool { return a.sender == b.sender && a.revision == b.revision }

// repeated returns the result of a command whose request was applied before, and whether it was.
func (s *State) repeated(c Command) (Result, bool) {
	if c.Request == "" {
		return Result{}, false
	}
	r, ok := s.requests.Get(request{name: c.Request})
	if ok && r.deed != nil && *r.deed != deedOf(c.Action) {
		done := reject(CodeKeyReused, "Idempotency-Key", "this key was used to %v, which is a different request", r.deed)
		done.Revision = s.Revision
		return done, true
	}
	return Result{Revision: r.revision, Job: r.job, Repeated: true}, ok
}

// Done reports whether a request of that name was applied. It is remembered for requestLife at least, from format 3 on.
func (s *State) Done(name string) bool { return s.requests.Has(request{name: name}) }

// LastRequest returns the revision of the newest remembered request of the sender; 0: there is none.
func (s *State) LastRequest(sender string) uint64 {
	_, last := s.sentBy(sender)
	return last.revision
}

// remember notes the outcome of the command, and forgets what is too old or too much.
func (t *transaction) remember(name string, result Result) {
	if name == "" {
		return
	}
	r := request{name: name, revision: t.Revision, job: result.Job}
	if t.Format < keepsKeys {
		t.note(r)
		t.forgetOldest(t.ages.Len() > maxRequests)
		return
	}
	r.at = t.Now
	if r.sender() != "" {
		done := deedOf(t.command.Action)
		r.deed = &done
	}
	t.note(r)
	t.forgetSurplus(r.sender())
	for range 2 { // one more than came, so that many that grew old at once are forgotten in time
		oldest, _ := t.ages.Min()
		t.forgetOldest(t.ages.Len() > maxNamed || oldest.at <= t.Now-requestLife)
	}
}

// note adds a request to the table and its indexes.
func (s *State) note(r request) {
	s.requests.ReplaceOrInsert(r)
	s.ages.ReplaceOrInsert(r)
	s.number(r)
}

// number adds the newest request of its sender to the index.
func (s *State) number(r request) {
	_, last := s.sentBy(r.sender())
	s.senders.ReplaceOrInsert(sent{r.sender(), r.revision, last.number + 1})
}

// sentBy returns the first and the last entry of the sender.
func (s *State) sentBy(sender string) (first, last sent) {
	s.senders.AscendGreaterOrEqual(sent{sender: sender}, func(e sent) bool {
		if e.sender == sender {
			first = e
		}
		return false
	})
	s.senders.DescendLessOrEqual(sent{sender: sender, revision: math.MaxUint64}, func(e sent) bool {
		if e.sender == sender {
			last = e
		}
		return false
	})
	return first, last
}

// forgetSurplus forgets the sender's oldest request if it has named too many.
func (t *transaction) forgetSurplus(sender string) {
	most := uint64(maxOwn)
	if sender == "" {
		most = maxInternal
	}
	if first, last := t.sentBy(sender); last.number-first.number >= most {
		t.forget(first.revision)
	}
}

func (t *transaction) forgetOldest(yes bool) {
	if oldest, any := t.ages.Min(); yes && any {
		t.forget(oldest.revision)
	}
}

// forget removes a sender's oldest request, which has that revision.
func (t *transaction) forget(revision uint64) {
	r, _ := t.ages.Delete(request{revision: revision})
	t.requests.Delete(r)
	t.senders.Delete(sent{sender: r.sender(), revision: revision})
}

// reindexRequests rebuilds the indexes of the requests.
func (s *State) reindexRequests() {
	s.ages.Clear(false)
	s.senders.Clear(false)
	for r := range s.requests.all() {
		s.ages.ReplaceOrInsert(r)
	}
	for r := range s.ages.all() {
		s.number(r)
	}
}

// date gives the requests of earlier Formats an age from now on.
func (s *State) date() {
	for r := range s.Clone().requests.all() {
		r.at = s.Now
		s.requests.ReplaceOrInsert(r)
	}
}
