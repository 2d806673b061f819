package cluster

import (
	"cmp"
	"fmt"
	"slices"
)

// Actions on standing reservations.
type (
	// Stand makes a standing reservation. It is refused unless all of its occurrences of the next two weeks can be
	// promised. Result.Standing is its id.
	Stand struct {
		Spec  *Spec // of its jobs, without Reserve
		Week  Week
		Lasts Time // of each occurrence, in microseconds
	}
	// CancelStanding ends a standing reservation and cancels those of its jobs that have not begun.
	CancelStanding struct{ Standing StandingID }
)

// String returns a text that only equal actions share.
func (a *Stand) String() string {
	if a == nil {
		return "none"
	}
	return fmt.Sprintf("%+v %+v %v", a.Spec, a.Week, a.Lasts)
}

// refuse returns why there cannot be such a standing reservation, whatever the nodes have, or nil.
func (a *Stand) refuse(s *State) *Rejection {
	if r := cmp.Or(s.Unready(*a), a.Week.refuse(), a.refuseJob(s)); r != nil {
		return r
	}
	if a.Week.Until > s.Now+maxAhead {
		return invalid("until", "must be within two years from now, not %s", a.Week.Until.Moment())
	}
	first := a.first(s)
	if first == 0 {
		return invalid("until", "nothing begins until %s: it is %s", a.Week.Until.Moment(), s.Now.Moment())
	}
	if gap := a.Week.closest(first - 1); gap > 0 && a.Lasts > gap {
		return invalid("duration", "lets one begin before the last has ended: they may last %s at most", gap.Words())
	}
	return s.overstanding(a.Spec)
}

// refuseJob returns why there cannot be jobs like its occurrences, or nil.
func (a *Stand) refuseJob(s *State) *Rejection {
	switch {
	case a.Spec == nil:
		return reject(CodeInvalid, "", "a job needs a specification").Rejection
	case a.Spec.Reserve != nil || a.Spec.Deadline != nil || a.Spec.After != nil || a.Spec.Workflow != "":
		return invalid("job", "of a standing reservation can have no interval, deadline or workflow of its own")
	case a.Lasts < Second || a.Lasts > maxStandingTime:
		return invalid("duration", "must be from 1 s to 7 days")
	}
	o := Standing{Spec: a.Spec, Lasts: a.Lasts}
	return o.occurrence(s.Now).Validate()
}

// first returns the first start for which VMs can be started in time; 0: there is none.
func (a *Stand) first(s *State) Time { return a.Week.after(s.Now + s.lead(a.Spec)) }

// overstanding returns the limit that another standing reservation would exceed, or nil.
func (s *State) overstanding(spec *Spec) *Rejection {
	own, text := 0, spec.size()
	for o := range s.Standings() {
		if text += o.Spec.size(); o.Spec.Owner == spec.Owner {
			own++
		}
	}
	switch {
	case own >= maxStandingsOf:
		return reject(CodeLimit, "", "owner %s has %d standing reservations, which is the most that one may have", spec.Owner,
			maxStandingsOf).Rejection
	case s.standings.Len() >= maxStandings:
		return reject(CodeLimit, "", "there are %d standing reservations, which is the most that are kept",
			maxStandings).Rejection
	case Bytes(text) > maxStandingText:
		return reject(CodeLimit, "", "the jobs of all standing reservations together may take %s", maxStandingText.Words()).Rejection
	}
	return nil
}

func (a Stand) apply(t *transaction) Result {
	if r := a.refuse(t.State); r != nil {
		return Result{Rejection: r}
	}
	o := &Standing{ID: max(1, t.NextStanding), Spec: a.Spec, Week: a.Week, Lasts: a.Lasts, Next: a.first(t.State),
		Request: t.command.Request}
	t.NextStanding = o.ID + 1
	t.emit(Event{Kind: StandingMade, Task: -1, Cause: o.cause()})
	for ; o.near(t.Now); o.pass() {
		if r := t.occur(o, o.Next); r != nil {
			return reject(r.Code, r.Field, "the occurrence of %s: %s", o.Next.Moment(), r.Detail)
		}
	}
	t.retain(o)
	return Result{Standing: o.ID}
}

// occur submits the job of an occurrence, if it can be promised.
func (t *transaction) occur(o *Standing, start Time) *Rejection {
	spec := o.occurrence(start)
	p, r := (Submit{Spec: spec}).admit(t.State)
	if r != nil {
		return r
	}
	j := t.enter(spec, 0)
	j.Standing = o.ID
	t.book(j, p)
	return nil
}

// near reports whether the next occurrence is to be submitted.
func (o *Standing) near(now Time) bool { return o.Next != 0 && o.Next <= now+standingAhead }

// pass goes on to the occurrence after the next one.
func (o *Standing) pass() { o.Next, o.Ends = o.Week.after(o.Next), o.Next+o.Lasts }

// retain keeps a standing reservation until its next step, or ends it if its last occurrence is over.
func (t *transaction) retain(o *Standing) {
	over := o.Next == 0 && len(o.Missing) == 0
	if over && o.Ends <= t.Now {
		t.standings.remove(o.ID)
		t.emit(Event{Kind: StandingEnded, Task: -1, Cause: o.cause()})
		return
	}
	o.Wake = 0
	if over {
		o.Wake = o.Ends
	}
	if o.Next != 0 {
		o.Wake = o.Next - standingAhead
	}
	if len(o.Missing) > 0 {
		o.Wake = earliest(o.Wake, t.Now+standingRetry)
	}
	t.standings.put(o)
}

// stepStandings submits the occurrences whose time has come. Those of further standing reservations come with the next
// command.
func (t *transaction) stepStandings() {
	if _, any := t.stands(t.Now); !any {
		return
	}
	steps := 0
	for o := range t.standings.clone().all() {
		if o.Wake <= t.Now && steps < maxStandingStep {
			t.stepStanding(o)
			steps++
		}
	}
}

func (t *transaction) stepStanding(o *Standing) {
	next := *o
	next.Missing = nil
	for _, start := range o.Missing {
		if !t.attempt(o, start, false) {
			next.Missing = append(next.Missing, start)
		}
	}
	t.skipPast(&next)
	for ; next.near(t.Now); next.pass() {
		if !t.occurs(o.ID, next.Next) && !t.attempt(o, next.Next, true) {
			next.Missing = append(next.Missing, next.Next)
		}
	}
	t.retain(&next)
}

// skipPast goes on to the first occurrence that can begin in time, and says which of the first ones are missed.
func (t *transaction) skipPast(o *Standing) {
	soon := t.Now + t.lead(o.Spec)
	for told := 0; o.Next != 0 && o.Next < soon && told < maxConsoled; told++ {
		if !t.occurs(o.ID, o.Next) {
			t.attempt(o, o.Next, true)
		}
		o.pass()
	}
	if o.Next != 0 && o.Next < soon {
		o.Next = o.Week.after(soon - 1)
	}
}

// occurs reports whether a job with a promise is the occurrence that begins at a time.
func (s *State) occurs(id StandingID, start Time) bool {
	for j := range s.Occurrences(id) {
		if r := j.Spec.Reserve; r != nil && r.Start == start {
			return true
		}
	}
	return false
}

// attempt submits an occurrence, or gives it up if it is too late for that. It returns false if there is no room yet,
// and says so if it is the first attempt.
func (t *transaction) attempt(o *Standing, start Time, first bool) bool {
	why := Because(WhyOccurrence, int64(o.ID), int64(start), int64(start+o.Lasts))
	if start < t.Now+t.lead(o.Spec) {
		t.emit(Event{Kind: StandingMissed, Task: -1, Cause: Cause{why.Why, o.Spec.Name}})
		return true
	}
	if !first && !t.hasRoom(o.occurrence(start)) {
		return false // nobody asks for the alternatives
	}
	r := t.occur(o, start)
	if r != nil && first {
		t.emit(Event{Kind: StandingLacking, Task: -1, Cause: Cause{why.Why, r.Detail}})
	}
	return r == nil
}

// hasRoom reports whether a job can be promised the interval that it reserves, at a price that is allowed.
func (s *State) hasRoom(spec *Spec) bool {
	r := spec.Reserve
	b := s.booked(spec).once()
	nodes, _ := b.fit(spec, spec.Tasks, *r)
	return nodes != nil && !b.dear(spec)
}

func (a CancelStanding) apply(t *transaction) Result {
	o, by := t.standings.get(a.Standing), t.command.Actor
	switch r := t.Unready(a); {
	case r != nil:
		return Result{Rejection: r}
	case o == nil:
		return reject(CodeNotFound, "standing", "there is no standing reservation %v, or it is over", a.Standing)
	case !by.Steers(o.Spec):
		return reject(CodeForbidden, "", "%v belongs to %s in project %s", o.ID, o.Spec.Owner, o.Spec.Project)
	}
	t.standings.remove(o.ID)
	t.emit(Event{Kind: StandingCancelled, Task: -1, Cause: o.cause()})
	t.cancelOccurrences(o.ID, 0)
	return Result{}
}

// cancelOccurrences cancels the jobs of a standing reservation that begin from a time on and have not run.
func (t *transaction) cancelOccurrences(id StandingID, from Time) {
	for _, j := range slices.Collect(t.jobs.all()) {
		if j.Standing == id && j.Spec.Reserve.Start >= from && j.Ending == nil && !t.hasRun(j) {
			t.end(t.edit(j.ID), Cancelled, Cause{})
			t.markEnded(Foreground)
		}
	}
}

// hasRun reports whether a task of the job has run, or is about to.
func (s *State) hasRun(j *Job) bool {
	for i := range j.Tasks {
		if t := &j.Tasks[i]; t.Run > 0 || t.Present() || s.Move(TaskID{j.ID, i}) != nil {
			return true
		}
	}
	return false
}

// resetStandings looks at all standing reservations anew after the clock was set. If it was set back, occurrences that
// were passed over come again; their earlier jobs, unless they have run, are cancelled. Starts stay: they are times of
// the calendar.
func (t *transaction) resetStandings() {
	for o := range t.standings.clone().all() {
		next := *o
		first := o.Week.after(t.Now + t.lead(o.Spec))
		passed := first != 0 && first < t.origin.Now+t.lead(o.Spec)
		if t.Now < t.origin.Now && passed && (o.Next == 0 || first < o.Next) {
			t.cancelOccurrences(o.ID, first)
			next.Next = first
			next.Missing = slices.DeleteFunc(slices.Clone(o.Missing), func(start Time) bool { return start >= first })
		}
		next.Wake = t.Now
		t.standings.put(&next)
	}
}

// skipStandings skips the ids of standing reservations that a restored backup may not know.
func (t *transaction) skipStandings() {
	if t.Format >= stands {
		t.NextStanding += importGap
	}
}
