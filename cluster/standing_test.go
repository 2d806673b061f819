package cluster

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// berlin is the zone from before the winter of 2026 to the summer of 2027: an hour ahead of UTC from 25 October 2026
// on, and two before and from 28 March 2027 on.
var berlin = []Offset{{0, 2 * Hour}, {moment("2026-10-25 01:00"), Hour}, {moment("2027-03-28 01:00"), 2 * Hour}}

// workdays are Monday to Friday.
const workdays Weekdays = 1<<5 - 1

// moment returns a time of UTC.
func moment(text string) Time {
	at, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return Time(at.UnixMicro())
}

func TestAWeekFollowsTheClocksOfItsZone(t *testing.T) {
	for _, c := range []struct {
		name        string
		days        Weekdays
		start       Time
		after, want string
	}{
		{"summer", workdays, 9 * Hour, "2026-10-22 12:00", "2026-10-23 07:00"},
		{"over a weekend on which the clocks go back", workdays, 9 * Hour, "2026-10-23 07:00", "2026-10-26 08:00"},
		{"over one on which they go forward", workdays, 9 * Hour, "2027-03-26 08:00", "2027-03-29 07:00"},
		{"Sundays", 1 << 6, 9 * Hour, "2026-10-23 07:00", "2026-10-25 08:00"},
		{"the first of two times that the clocks show", 1 << 6, 2*Hour + 30*Minute, "2026-10-23 07:00", "2026-10-25 00:30"},
		{"a time that the clocks skip", 1 << 6, 2*Hour + 30*Minute, "2027-03-25 07:00", "2027-03-28 01:30"},
		{"a day of UTC before", 1 << 0, Hour, "2026-12-01 00:00", "2026-12-07 00:00"},
		{"none any more", workdays, 9 * Hour, "2027-06-01 00:00", ""},
	} {
		w := Week{Days: c.days, Start: c.start, Offsets: berlin, Until: moment("2027-06-01 00:00")}
		want := Time(0)
		if c.want != "" {
			want = moment(c.want)
		}
		if got := w.after(moment(c.after)); got != want {
			t.Errorf("%s: after %s comes %s, not %s", c.name, c.after, got.Moment(), c.want)
		}
	}
}

func TestTheShortestTimeBetweenTwoStartsIsAcrossAChangeOfTheClocks(t *testing.T) {
	w := Week{Days: allDays, Start: 9 * Hour, Offsets: berlin, Until: moment("2027-06-01 00:00")}
	if got := w.closest(moment("2026-11-01 00:00")); got != 23*Hour {
		t.Errorf("%s", got.Words())
	}
	if w.Days, w.Until = 1, moment("2026-11-05 00:00"); w.closest(moment("2026-11-01 00:00")) != 0 {
		t.Error("one start has a distance")
	}
}

// daily returns a standing reservation of the whole node a, at 09:00 of each working day.
func daily(w *promised) Stand {
	return Stand{w.spec(1, 1000, nil), Week{Days: workdays, Start: 9 * Hour, Zone: "Europe/Berlin", Offsets: berlin,
		Until: w.s.Now + 60*fullDay}, 8 * Hour}
}

// standing returns a cluster of one node on Tuesday, 1 December 2026, 07:00 UTC.
func standing(t *testing.T) *promised {
	w := newPromised(t)
	w.node("a", 1000)
	w.do(SetTime{moment("2026-12-01 07:00")})
	return w
}

// starts returns the begins of the promises to occurrences, in order.
func (w *promised) starts(id StandingID) (list []string) {
	for j := range w.s.Occurrences(id) {
		list = append(list, w.s.PromiseTo(j.ID).From.Moment())
	}
	slices.Sort(list)
	return list
}

// kinds returns how often events of standing reservations occurred.
func kinds(r Result) map[EventKind]int {
	out := map[EventKind]int{}
	for _, e := range r.Events {
		if strings.HasPrefix(string(e.Kind), "standing") {
			out[e.Kind]++
		}
	}
	return out
}

func TestWhatStandsIsPromisedTwoWeeksAhead(t *testing.T) {
	w := standing(t)
	id := w.do(daily(w)).Standing
	list := w.starts(id)
	if len(list) != 10 || list[0] != "2026-12-01 08:00:00 UTC" || list[9] != "2026-12-14 08:00:00 UTC" {
		t.Errorf("promised are %v", list)
	}
	due := w.s.PromiseTo(1).Due()
	if at := w.s.View(w.s.Now).WakeAt(); at != due {
		t.Errorf("the next decision is at %s", at.Moment())
	}
	if at := w.s.View(due).WakeAt(); at != moment("2026-12-01 08:00") {
		t.Errorf("the one after it is at %s", at.Moment())
	}
	for w.s.Now < moment("2026-12-01 08:00") {
		w.s.Apply(w.s.Revision+1, Command{At: w.s.Now + Hour, TimeSet: w.s.TimeSet, Actor: root, Epoch: w.s.Epoch,
			Action: Checkpoint{}})
	}
	if list = w.starts(id); len(list) != 11 || list[10] != "2026-12-15 08:00:00 UTC" {
		t.Errorf("an hour later promised are %v", list)
	}
	if err := w.s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAStandingReservationIsRefusedIfItsFirstWeeksCannotBePromised(t *testing.T) {
	w := standing(t)
	w.submit(w.spec(1, 500, &Reservation{moment("2026-12-09 12:00"), Hour}))
	before := w.s.Hash()
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Action: daily(w)})
	if codeOf(r) != CodeNoPromise || !strings.HasPrefix(r.Rejection.Detail,
		"the occurrence of 2026-12-09 08:00:00 UTC: ") || !strings.Contains(r.Rejection.Detail, "asks for 8 core-hours") {
		t.Errorf("%+v", r.Rejection)
	}
	if w.s.Revision--; w.s.Hash() != before {
		t.Error("it changed something")
	}
}

func TestAnOccurrenceWithoutRoomIsToldOnceAndTriedUntilItsStart(t *testing.T) {
	w := standing(t)
	id := w.do(daily(w)).Standing
	w.submit(w.spec(1, 500, &Reservation{moment("2026-12-15 12:00"), Hour}))
	also := w.submit(w.spec(1, 500, &Reservation{moment("2026-12-16 12:00"), Hour}))
	if got := kinds(w.do(SetTime{moment("2026-12-02 10:00")})); got[StandingLacking] != 2 || len(got) != 1 {
		t.Errorf("when they come near: %v", got)
	}
	w.do(Cancel{Job: also})
	if got := kinds(w.do(SetTime{w.s.Now + standingRetry})); len(got) != 0 {
		t.Errorf("at the next attempt: %v", got)
	}
	if !slices.Contains(w.starts(id), "2026-12-16 08:00:00 UTC") {
		t.Error("what has found room is not promised")
	}
	if got := kinds(w.do(SetTime{moment("2026-12-15 08:00")})); got[StandingMissed] != 1 {
		t.Errorf("at its start: %v", got)
	}
	if err := w.s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAStandingReservationEndsAfterItsLastOccurrence(t *testing.T) {
	w := standing(t)
	a := daily(w)
	a.Week.Until = moment("2026-12-02 12:00")
	id := w.do(a).Standing
	if len(w.starts(id)) != 2 {
		t.Errorf("promised are %v", w.starts(id))
	}
	if got := kinds(w.do(SetTime{moment("2026-12-02 15:59")})); len(got) != 0 {
		t.Errorf("before the last has ended: %v", got)
	}
	if got := kinds(w.do(SetTime{moment("2026-12-02 16:00")})); got[StandingEnded] != 1 {
		t.Errorf("when it has: %v", got)
	}
}

func TestWhatStandsGoesOnAfterAClockThatWasWrong(t *testing.T) {
	w := standing(t)
	a := daily(w)
	a.Week.Until = w.s.Now + 700*fullDay
	id := w.do(a).Standing
	before := w.starts(id)
	if got := kinds(w.do(SetTime{w.s.Now + 300*fullDay})); got[StandingMissed] > maxConsoled+1 {
		t.Errorf("%v", got)
	}
	w.do(Adopt{Basis: w.s.Revision})
	w.do(SetTime{moment("2026-12-01 07:00")})
	if len(w.starts(id)) != w.s.jobs.Len() {
		t.Errorf("%d jobs are there for %v", w.s.jobs.Len(), w.starts(id))
	}
	if after := w.starts(id); len(after) < 10 || !slices.Equal(after[:10], before) {
		t.Errorf("promised were %v, and are %v", before, after)
	}
	if err := w.s.Check(); err != nil {
		t.Error(err)
	}
}

func TestAnOccurrenceThatItsUserCancelledDoesNotComeAgain(t *testing.T) {
	w := standing(t)
	id := w.do(daily(w)).Standing
	w.do(Cancel{Job: 4})
	left := w.starts(id)
	w.do(SetTime{w.s.Now - 2*Second})
	if after := w.starts(id); len(left) != 9 || !slices.Equal(after, left) {
		t.Errorf("after the clock went back a little: %v, before %v", after, left)
	}
}

// A job whose promise was broken and is over has not begun, either.
func TestCancellingWhatStandsCancelsJobsWithoutAPromise(t *testing.T) {
	w := standing(t)
	id := w.do(daily(w)).Standing
	w.do(SetNode{1, ForceCordon})
	w.do(SetTime{moment("2026-12-01 18:00")})
	w.do(Adopt{Basis: w.s.Revision})
	if w.s.PromiseTo(1) != nil {
		t.Fatal("the first promise is not over")
	}
	w.do(CancelStanding{id})
	if n := w.s.jobs.Len(); n > 0 {
		t.Errorf("%d jobs are left", n)
	}
}

func TestOccurrencesHaveABudget(t *testing.T) {
	w := standing(t)
	a := daily(w)
	if a.Spec.Budget = 100 * CoreHour; w.do(a).Standing == 0 {
		t.Error("it does not stand")
	}
	a.Spec.Budget = -1
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Action: a})
	if r.Rejection == nil || r.Rejection.Field != "budget" {
		t.Errorf("%+v", r.Rejection)
	}
}

func TestCancellingWhatStandsLeavesWhatRuns(t *testing.T) {
	w := standing(t)
	id := w.do(daily(w)).Standing
	first := JobID(1)
	w.do(SetTime{moment("2026-12-01 08:00")})
	j := w.s.Job(first).clone()
	j.Tasks[0].Run = 1
	w.s.jobs.put(j)
	by := func(owner string) Result {
		return w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: Actor{Owner: owner,
			Project: "default", Role: User}, Action: CancelStanding{id}})
	}
	if r := by("ann"); codeOf(r) != CodeForbidden {
		t.Errorf("by another: %+v", r.Rejection)
	}
	if r := by("root"); kinds(r)[StandingCancelled] != 1 {
		t.Errorf("by its owner: %+v", r)
	}
	if r := by("root"); codeOf(r) != CodeNotFound {
		t.Errorf("once more: %+v", r.Rejection)
	}
	if list := w.starts(id); w.s.jobs.Len() != 1 || len(list) != 1 {
		t.Errorf("%d jobs are left, promised are %v", w.s.jobs.Len(), list)
	}
}

func TestBadStandingReservationsAreRefused(t *testing.T) {
	w := standing(t)
	for name, c := range map[string]struct {
		field  string
		change func(*Stand)
	}{
		"no day":                    {"days", func(a *Stand) { a.Week.Days = 0 }},
		"a day that there is not":   {"days", func(a *Stand) { a.Week.Days = 1 << 7 }},
		"a start after the day":     {"start", func(a *Stand) { a.Week.Start = fullDay }},
		"a start before it":         {"start", func(a *Stand) { a.Week.Start = -Minute }},
		"a start within a minute":   {"start", func(a *Stand) { a.Week.Start++ }},
		"no zone":                   {"zone", func(a *Stand) { a.Week.Offsets = nil }},
		"a zone that changes often": {"zone", func(a *Stand) { a.Week.Offsets = make([]Offset, maxOffsets+1) }},
		"offsets out of order":      {"zone", func(a *Stand) { a.Week.Offsets = []Offset{{2, 0}, {1, 0}} }},
		"a zone beyond the earth":   {"zone", func(a *Stand) { a.Week.Offsets = []Offset{{0, -maxEast - 1}} }},
		"a long name of a zone":     {"zone", func(a *Stand) { a.Week.Zone = strings.Repeat("x", MaxName+1) }},
		"no time":                   {"duration", func(a *Stand) { a.Lasts = 0 }},
		"more than a week":          {"duration", func(a *Stand) { a.Lasts = maxStandingTime + 1; a.Week.Days = 1 }},
		"overlapping":               {"duration", func(a *Stand) { a.Lasts = fullDay + Second }},
		"in the past":               {"until", func(a *Stand) { a.Week.Until = w.s.Now }},
		"until before the first":    {"until", func(a *Stand) { a.Week.Until = moment("2026-12-01 07:59") }},
		"for more than two years":   {"until", func(a *Stand) { a.Week.Until = w.s.Now + maxAhead + 1 }},
		"an interval of its job":    {"job", func(a *Stand) { a.Spec.Reserve = &Reservation{w.s.Now + Hour, Hour} }},
		"a deadline of its job":     {"job", func(a *Stand) { a.Spec.Deadline = &Deadline{By: w.s.Now + Hour, Lasts: 1e9} }},
		"another job before it":     {"job", func(a *Stand) { a.Spec.After = []Dependency{{Job: 1, When: OnSuccess}} }},
		"a job without tasks":       {"tasks", func(a *Stand) { a.Spec.Tasks = 0 }},
		"the background":            {"class", func(a *Stand) { a.Spec.Class = BackgroundClass }},
	} {
		a := daily(w)
		c.change(&a)
		r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Action: a})
		if codeOf(r) != CodeInvalid || r.Rejection.Field != c.field || w.s.jobs.Len() > 0 {
			t.Errorf("%s: %+v", name, r.Rejection)
		}
	}
}

func TestStandingReservationsAreLimited(t *testing.T) {
	w := standing(t)
	few := daily(w)
	few.Spec.Need = 1
	for range maxStandingsOf {
		w.do(few)
	}
	again := Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root, Action: few}
	if r := w.s.Apply(w.s.Revision+1, again); codeOf(r) != CodeLimit ||
		!strings.Contains(r.Rejection.Detail, "owner root") {
		t.Errorf("one more of an owner: %+v", r.Rejection)
	}
	for i := range maxStandings - maxStandingsOf {
		w.s.standings.put(&Standing{ID: StandingID(100 + i), Spec: &Spec{Owner: "ann"}})
	}
	spec := *few.Spec
	spec.Owner = "bob"
	if r := w.s.overstanding(&spec); r == nil || r.Code != CodeLimit {
		t.Errorf("one more of all: %+v", r)
	}
}

func TestAnImageOfAStandingReservationCannotBeRemoved(t *testing.T) {
	w := standing(t)
	w.do(daily(w))
	w.do(Cancel{Job: 1})
	for j := range w.s.Clone().Jobs() {
		w.do(Cancel{Job: j.ID})
	}
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, TimeSet: w.s.TimeSet, Actor: root,
		Action: RemoveImage{testImage[len("busybox@sha256:"):]}})
	if codeOf(r) != CodeImageInUse {
		t.Errorf("%+v", r.Rejection)
	}
}
