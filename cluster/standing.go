package cluster

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// StandingID numbers standing reservations in the order in which they were made, from 1; it prints as s17.
type StandingID uint64

func (id StandingID) String() string { return "s" + strconv.FormatUint(uint64(id), 10) }

// ParseStandingID parses the output of StandingID.String.
func ParseStandingID(s string) (StandingID, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "s"), 10, 64)
	if err != nil || n == 0 || !strings.HasPrefix(s, "s") {
		return 0, fmt.Errorf("%q is not the id of a standing reservation, expected one like s17", s)
	}
	return StandingID(n), nil
}

// Standing is a reservation that is made again every week. Each of its occurrences is a job with a reservation, which
// is submitted standingAhead before it begins. A Standing is immutable.
type Standing struct {
	ID      StandingID
	Spec    *Spec // of its jobs, without Reserve
	Week    Week
	Lasts   Time   // of each occurrence, in microseconds
	Next    Time   // start of the first occurrence that was not submitted yet, in microseconds; 0: there is none
	Ends    Time   // end of the last one before Next, in microseconds
	Missing []Time // starts of earlier ones that have found no room so far, by time
	Wake    Time   // when an occurrence is to be submitted next, or the end of the last one, in microseconds
	Request string // name of the request that made it
}

// Limits on standing reservations.
const (
	standingAhead   = 14 * fullDay
	standingRetry   = 15 * Minute // between attempts to submit occurrences that have found no room
	maxStandings    = 100         // of all owners together
	maxStandingsOf  = 10          // of an owner
	maxStandingText = 4 * MiB     // of their specifications together
	maxStandingStep = 2           // of them whose occurrences one command submits
	maxStandingTime = 7 * fullDay
)

// Standings yields the standing reservations, by id.
func (s *State) Standings() iter.Seq[*Standing] { return s.standings.all() }

// stands returns the alarm of the standing reservations whose time has come; false: there is none.
func (s *State) stands(now Time) (first Alarm, any bool) {
	for o := range s.standings.all() {
		if o.Wake <= now && (!any || o.Wake < first.At) {
			first, any = Alarm{At: o.Wake, Kind: AlarmStanding}, true
		}
	}
	return first, any
}

// standsAfter returns the next time at which an occurrence is to be submitted; 0: there is none.
func (s *State) standsAfter(now Time) (at Time) {
	for o := range s.standings.all() {
		if o.Wake > now {
			at = earliest(at, o.Wake)
		}
	}
	return at
}

// occurrence returns the specification of the job that begins at a time.
func (o *Standing) occurrence(start Time) *Spec {
	spec := *o.Spec
	spec.Reserve = &Reservation{start, o.Lasts}
	return &spec
}

// cause returns what an event says about the standing reservation.
func (o *Standing) cause() Cause { return Cause{Because(WhyStanding, int64(o.ID)).Why, o.Spec.Name} }

// Occurrences yields the jobs of the standing reservation that have not ended and are still promised something, by id.
func (s *State) Occurrences(id StandingID) iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		for p := range s.promises.all() {
			if j := s.Job(p.Job); j.Standing == id && !yield(j) {
				return
			}
		}
	}
}

func (s *State) checkStandings(fail failFunc) {
	for o := range s.standings.all() {
		switch {
		case o.ID >= s.NextStanding || o.Spec.Reserve != nil || o.Week.refuse() != nil || o.Lasts < Second:
			fail("%v is of another shape: %+v", o.ID, o)
		case o.Wake == 0 || len(o.Missing) > int(standingAhead/fullDay)+2 || !slices.IsSorted(o.Missing):
			fail("%v never goes on, or lacks too much: %v", o.ID, o.Missing)
		}
	}
	if s.standings.Len() > maxStandings {
		fail("%d reservations are standing", s.standings.Len())
	}
}
