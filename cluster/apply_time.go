package cluster

import (
	"slices"
)

// MaxStep is the most by which one command moves State's clock, from Format 3 on. A leader shows its time before that
// much has passed. SetTime alone moves the clock further: after the cluster stood still, or when it was wrong.
const MaxStep = Hour

// clockAfter returns State's clock after the command. The first command of a new state brings the time.
func (s *State) clockAfter(c Command) Time {
	switch {
	case s.Format < setsTime || s.Now == 0:
		return max(s.Now, c.At)
	case c.TimeSet != s.TimeSet:
		return s.Now // the proposer's clock was set since
	}
	return max(s.Now, min(c.At, s.Now+MaxStep))
}

func (a SetTime) apply(t *transaction) Result {
	if t.Format < setsTime {
		return reject(CodeConflict, "format",
			"the time can be set from format %d on, and format %d is in force; upgrade all managers first", setsTime, t.Format)
	}
	if a.To < 1 {
		return reject(CodeInvalid, "time", "must be after 1970")
	}
	if t.command.Actor.Role == System && t.command.TimeSet != t.TimeSet {
		return reject(CodeConflict, "time", "an administrator has set the time since the leader proposed this")
	}
	r := reset{t.Now, a.To}
	t.resetJobs(r)
	t.resetHistory(r)
	for n := range t.Clone().nodes.all() {
		n = t.editNode(n.ID)
		n.Since, n.Unlinked = r.of(n.Since), r.of(n.Unlinked)
		n.shift(r)
	}
	for _, m := range slices.Collect(t.Moves()) {
		later := *m
		later.Started = r.of(m.Started)
		t.moves.ReplaceOrInsert(&later)
	}
	for _, times := range []tree[*RunTimes]{t.experience, t.speeds} {
		for _, old := range slices.Collect(times.all()) {
			later := *old
			later.Last = r.of(old.Last)
			times.ReplaceOrInsert(&later)
		}
	}
	for _, old := range slices.Collect(t.boots.all()) {
		later := *old
		later.Last = r.of(old.Last)
		t.boots.ReplaceOrInsert(&later)
	}
	t.Agenda = r.agenda(t.Agenda)
	t.Now, t.TimeSet = a.To, t.Revision
	t.unmeet()
	t.resetOffers(r)
	t.resetStandings()
	t.emit(Event{Kind: TimeWasSet, Task: -1, Cause: Because(WhyTimeSet, int64(r.from), int64(r.to))})
	return Result{}
}

// resetJobs integrates the jobs' clocks up to the old time and lets them go on from the new one.
func (t *transaction) resetJobs(r reset) {
	for j := range t.Clone().Jobs() {
		j = t.edit(j.ID)
		j.Clock = j.Clock.at(r.from, j.Spec.Need)
		r.job(j)
		j.Clock.At = r.to
		for i := range j.Tasks {
			task := &j.Tasks[i]
			task.RetryAt, task.LossesSince = r.of(task.RetryAt), r.of(task.LossesSince)
			task.Began = r.of(task.Began)
			if task.Progress != nil {
				p := *task.Progress
				p.At = r.of(p.At)
				task.Progress = &p
			}
		}
	}
}

func (t *transaction) resetHistory(r reset) {
	t.pasts = newTree(past.less)
	for j := range t.Clone().History() {
		j = j.clone()
		r.job(j)
		t.history.put(j)
		t.pasts.ReplaceOrInsert(past{j.Ended, j.ID})
	}
}

// reset is one setting of the clock, in microseconds before and after it.
type reset struct{ from, to Time }

// of converts a time to the new clock. A time in the future stays as far away as it was. A past time is kept, but
// limited to the new present. Zero, which means never, stays zero.
func (r reset) of(at Time) Time {
	if at > r.from {
		return at - r.from + r.to
	}
	return min(at, r.to)
}

func (r reset) job(j *Job) {
	j.Submitted, j.Started, j.Moved, j.Ended = r.of(j.Submitted), r.of(j.Started), r.of(j.Moved), r.of(j.Ended)
	j.Foreground, j.Eligible, j.Clock.At = r.of(j.Foreground), r.of(j.Eligible), r.of(j.Clock.At)
}

func (r reset) agenda(a Agenda) Agenda {
	alarms := slices.Clone(a)
	for i := range alarms {
		alarms[i].At = r.of(alarms[i].At)
	}
	return NewAgenda(alarms)
}

// resetOffers lets offers expire as far away as they did, but not after their rooms are needed.
func (t *transaction) resetOffers(r reset) {
	for o := range t.offers.clone().all() {
		later := *o
		later.Expires = min(r.of(o.Expires), o.Promise.Due())
		t.putOffer(&later)
	}
}
