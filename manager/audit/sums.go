package audit

import (
	"slices"
	"time"

	"aliquot/web"
)

// Limits of the sums.
const (
	sumTime = time.Minute
	ownSums = 100    // different requests of one sender within sumTime; beyond, objects and then addresses are left out
	maxSums = 10_000 // different requests of all
)

// key tells the requests that are counted together.
type key struct {
	sender, from, operation, object, code string
	status                                int
}

// sum counts the repetitions of a request, which has an entry of its own.
type sum struct {
	first web.AuditEntry
	last  time.Time // of the last repetition
	more  int       // repetitions
}

// entry returns the entry of the repetitions, if there are any.
func (s *sum) entry() []web.AuditEntry {
	if s.more == 0 {
		return nil
	}
	e := s.first
	e.Since, e.At, e.Count, e.Session = e.At, s.last, s.more, ""
	return []web.AuditEntry{e}
}

// sums are the requests of the last minute that may be repeated.
type sums struct {
	of  map[key]*sum
	own map[string]int // number of sums by sender
}

func newSums() sums { return sums{of: map[key]*sum{}, own: map[string]int{}} }

// add reports whether the request is only counted, because the same was recorded less than a minute ago. The entries
// that it returns are due before it.
func (s *sums) add(e *web.AuditEntry) (due []web.AuditEntry, repeated bool) {
	if len(s.of) >= maxSums {
		due = s.all()
	}
	k := s.keyOf(e)
	if known := s.of[k]; known != nil {
		if age := e.At.Sub(known.first.At); age >= 0 && age < sumTime {
			known.more++
			known.last = e.At
			return due, true
		}
		due = append(due, s.end(k)...)
	}
	s.of[k] = &sum{first: *e, last: e.At}
	s.own[k.sender]++
	return due, false
}

// keyOf returns the key of the request. It leaves details out of the entries of a sender who makes too many different
// requests, because their objects and addresses may be invented.
func (s *sums) keyOf(e *web.AuditEntry) key {
	k := key{sender(e), e.From, e.Operation, e.Object, e.Code, e.Status}
	if s.of[k] != nil {
		return k
	}
	if s.own[k.sender] >= ownSums {
		k.object, e.Object = "", ""
	}
	if s.own[k.sender] >= 2*ownSums {
		k.from, e.From, e.Session = "", "", ""
	}
	return k
}

// end forgets the sum and returns the entry of its repetitions.
func (s *sums) end(k key) []web.AuditEntry {
	list := s.of[k].entry()
	delete(s.of, k)
	if s.own[k.sender]--; s.own[k.sender] == 0 {
		delete(s.own, k.sender)
	}
	return list
}

// due ends the sums that began a minute ago or earlier and returns their entries, the earliest first.
func (s *sums) due(now time.Time) (list []web.AuditEntry) {
	for k, known := range s.of {
		if age := now.Sub(known.first.At); age < 0 || age >= sumTime {
			list = append(list, s.end(k)...)
		}
	}
	slices.SortFunc(list, func(a, b web.AuditEntry) int { return a.At.Compare(b.At) })
	return list
}

// all ends all sums and returns their entries.
func (s *sums) all() []web.AuditEntry { return s.due(time.Unix(1<<40, 0)) }
