package cluster

import (
	"cmp"
	"iter"
	"slices"
)

// Alarm is a time at which a decision is due even if nothing else happens.
type Alarm struct {
	At   Time      // in microseconds, by the cluster's clock
	Kind AlarmKind // selects the family of policies that acts on it; no other family does
	Job  JobID     // concerned; 0: all
}

// AlarmKind is the purpose of an alarm.
type AlarmKind uint8

// The kinds of alarms. A policy asks for those of its family; AlarmRetry, AlarmOffer and AlarmStanding are the
// state's own.
const (
	AlarmTick     AlarmKind = iota + 1 // the periodic decision
	AlarmPromise                       // a start that was promised to a job
	AlarmOffer                         // an offer to a job expires
	AlarmSlot                          // a slot that was sold begins or ends
	AlarmRetry                         // a task whose move failed may be moved again
	AlarmStanding                      // an occurrence of a standing reservation is to be submitted
)

func (k AlarmKind) String() string {
	return [...]string{"", "tick", "promise", "offer", "slot", "retry", "standing"}[k]
}

func (a Alarm) compare(b Alarm) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Job, b.Job))
}

func (a Alarm) less(b Alarm) bool { return a.compare(b) < 0 }

// maxAlarms bounds the length of an Agenda. If there are more alarms, the earliest are kept. That is enough, because
// each decision asks for its alarms anew.
const maxAlarms = 1_000

// Agenda is the alarms that the adopted decision asked for.
//
// Invariant: it is ordered by time, kind and job, without duplicates, and has at most maxAlarms entries, none of them
// at time zero or of the kind AlarmRetry. It is never changed in place.
type Agenda []Alarm

// NewAgenda returns the agenda of a decision that asks for these alarms.
func NewAgenda(wanted []Alarm) Agenda {
	if len(wanted) == 1 && wanted[0].askable() { // nearly always
		return wanted
	}
	kept := slices.DeleteFunc(slices.Clone(wanted), func(a Alarm) bool { return !a.askable() })
	slices.SortFunc(kept, Alarm.compare)
	kept = slices.Compact(kept)
	return kept[:min(len(kept), maxAlarms)]
}

// askable reports whether a decision may ask for the alarm.
func (a Alarm) askable() bool { return a.At != 0 && a.Kind >= AlarmTick && a.Kind < AlarmRetry }

// Next returns the time of the earliest alarm of the kind; zero: there is none.
func (a Agenda) Next(kind AlarmKind) Time {
	for _, alarm := range a {
		if alarm.Kind == kind {
			return alarm.At
		}
	}
	return 0
}

// agenda returns those of the wanted alarms that the state keeps.
func (s *State) agenda(wanted []Alarm) Agenda {
	if s.Format < keepsAlarms {
		return Agenda(wanted).ticks()
	}
	return NewAgenda(wanted)
}

// With returns the agenda with the alarm in place of all others of its kind.
func (a Agenda) With(alarm Alarm) Agenda {
	others := slices.DeleteFunc(slices.Clone(a), func(o Alarm) bool { return o.Kind == alarm.Kind })
	return NewAgenda(append(others, alarm))
}

// due returns the alarms whose time has come.
func (a Agenda) due(now Time) []Alarm { return a[:a.later(now)] }

// due returns the alarms whose time has come. One stands for all offers that have expired, and one for all standing
// reservations.
func (s *State) due(now Time) []Alarm {
	list := s.Agenda.due(now)
	if expired, any := s.expired(now); any {
		list = append(slices.Clip(list), expired)
	}
	if stands, any := s.stands(now); any {
		list = append(slices.Clip(list), stands)
	}
	slices.SortFunc(list, Alarm.compare)
	return list
}

// later returns the index of the first alarm after now.
func (a Agenda) later(now Time) int {
	at, _ := slices.BinarySearchFunc(a, now, func(o Alarm, now Time) int { return cmp.Compare(o.At, now+1) })
	return at
}

// ticks returns the next tick alone, which is all that Formats below keepsAlarms have.
func (a Agenda) ticks() Agenda {
	if at := a.Next(AlarmTick); at != 0 {
		return ticksAt(at)
	}
	return nil
}

// ticksAt returns one tick.
func ticksAt(at Time) []Alarm { return []Alarm{{At: at, Kind: AlarmTick}} }

// retriesAfter yields by time the alarms of tasks whose move failed and that may be moved again after now.
func (s *State) retriesAfter(now Time) iter.Seq[Alarm] {
	return func(yield func(Alarm) bool) { s.retries.AscendGreaterOrEqual(Alarm{At: now + 1}, yield) }
}

// noteRetries brings the index of retries up to date, given the job before; either may be nil.
func (s *State) noteRetries(before, now *Job) {
	if before != nil {
		before.eachRetry(func(a Alarm) { s.retries.Delete(a) })
	}
	if now != nil {
		now.eachRetry(func(a Alarm) { s.retries.ReplaceOrInsert(a) })
	}
}

func (j *Job) eachRetry(do func(Alarm)) {
	for i := range j.Tasks {
		if at := j.Tasks[i].RetryAt; at > 0 {
			do(Alarm{At: at, Kind: AlarmRetry, Job: j.ID})
		}
	}
}
