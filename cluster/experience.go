package cluster

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Limits on what is remembered of jobs that succeeded.
const (
	maxCategories    = 2000 // of all owners
	maxOwnCategories = 200  // of one owner in one project
	maxTimes         = 20   // run times in each, the latest; earlier ones are forgotten
	fewTimes         = 3    // fewer say nothing
	maxDerived       = 96   // bytes of the words of a derived type
	leastTime        = Second
	remembered       = 90 * 24 * Hour // after the last success
)

// Category tells which jobs are expected to take equally long: those of one owner, type and size.
type Category struct {
	Project, Owner string
	Type           string // declared or derived, see Spec.Category
	Tasks          int
	Need           CPU // in millicores
}

func (c Category) compare(o Category) int {
	return cmp.Or(cmp.Compare(c.Project, o.Project), cmp.Compare(c.Owner, o.Owner), cmp.Compare(c.Type, o.Type),
		cmp.Compare(c.Tasks, o.Tasks), cmp.Compare(c.Need, o.Need))
}

// Category returns the job's category. A job that declares no type has one that the name of its image, its command and
// its input give it, so that only the same command on the same input is taken for the same work.
func (s *Spec) Category() Category {
	return Category{s.Project, s.Owner, cmp.Or(s.Type, s.derivedType()), s.Tasks, s.Need}
}

// derivedType returns the image's name and the command. The colon tells it from a declared type. A digest stands for
// what is not shown: the end of a long command, variables, files and the settings of cloud-init.
func (s *Spec) derivedType() string {
	image, _, _ := strings.Cut(s.Image, "@")
	shown := image + ":"
	for _, word := range slices.Concat(s.Command, s.Args) {
		shown += " " + quoted(word)
	}
	if len(shown) <= maxDerived && len(s.Env) == 0 && len(s.Files) == 0 && s.CloudInit == "" {
		return shown
	}
	h := &walker{h: sha256.New()}
	hashTexts(h, 1, s.Command)
	hashTexts(h, 2, s.Args)
	hashList(h, 3, s.Env, hashPair)
	hashList(h, 4, s.Files, hashPair)
	h.text(5, s.CloudInit)
	h.h.Write(h.buf)
	shown = strings.ToValidUTF8(shown[:min(len(shown), maxDerived)], "")
	return shown + " #" + hex.EncodeToString(h.h.Sum(nil)[:4])
}

// quoted returns a word of a command as it is, or in quotes if it could be taken for several.
func quoted(word string) string {
	if word == "" || strings.ContainsAny(word, " \"#") {
		return strconv.Quote(word)
	}
	return word
}

// RunTimes is what is remembered of the jobs of one category that succeeded. It is immutable.
type RunTimes struct {
	Category
	On     string // class of the nodes that they ran on; "": any
	Runs   int    // that ever succeeded
	Last   Time   // end of the latest, in microseconds
	Latest []Time // at full speed, in the order of the ends, in microseconds. Invariant: from 1 to maxTimes
}

func (r *RunTimes) less(o *RunTimes) bool {
	return cmp.Or(r.compare(o.Category), cmp.Compare(r.On, o.On)) < 0
}

// Few reports whether they are too few to say anything.
func (r *RunTimes) Few() bool { return len(r.Latest) < fewTimes }

// Median returns what half of the latest jobs took at most, in microseconds.
func (r *RunTimes) Median() Time { return r.quantile(5) }

// Most returns what nine in ten of the latest jobs took at most, in microseconds.
func (r *RunTimes) Most() Time { return r.quantile(9) }

// quantile returns the least run time that a part of the latest jobs, in tenths, did not exceed.
func (r *RunTimes) quantile(tenths int) Time {
	sorted := slices.Sorted(slices.Values(r.Latest))
	return sorted[(len(sorted)*tenths+9)/10-1]
}

// sound reports whether the invariants hold.
func (r *RunTimes) sound() bool {
	n := len(r.Latest)
	return n >= 1 && n <= maxTimes && n <= r.Runs && slices.Min(r.Latest) >= leastTime &&
		slices.Max(r.Latest) <= maxRuntime && CheckNodeClass(r.On) == nil
}

// Similar returns the run times of jobs like one with the spec, or nil if none or too few are known. It reads all of
// the spec's text.
func (s *State) Similar(spec *Spec) *RunTimes {
	if s.experience.Len() == 0 {
		return nil
	}
	if r, found := s.experience.Get(&RunTimes{Category: spec.Category()}); found && !r.Few() {
		return r
	}
	return nil
}

// Experience yields the run times that are remembered, by category.
func (s *State) Experience() iter.Seq[*RunTimes] { return s.experience.all() }

// expect sets the expectations of a job that is submitted. They stay, so that no job loses its forecast while it waits.
func (s *State) expect(j *Job) {
	if similar := s.Similar(j.Spec); s.Format >= remembers && similar != nil {
		j.Expected, j.Longest = similar.Most(), slices.Max(similar.Latest)
	}
}

// Prospect returns a job of the spec with what is expected of its run time, to ask policies about it.
func (s *State) Prospect(spec *Spec) *Job {
	j := &Job{Spec: spec, Tasks: make([]Task, spec.Tasks)}
	s.expect(j)
	return j
}

// ExpectedStart returns when a waiting job starts at the latest by the estimates, as the policy promised at its last
// decision; false: it promised nothing, or that has passed.
func (s *Snapshot) ExpectedStart(j *Job) (Time, bool) {
	start, booked := j.promisedStart()
	return start, booked && start > s.At
}

// promisedStart returns the start that the policy promised at its last decision; false: none. It can have passed.
func (j *Job) promisedStart() (Time, bool) {
	booked := j.Why.Code == WhyPromised || j.Why.Code == WhyPromisedCores
	if !booked || len(j.Why.Values) < 3 {
		return 0, false
	}
	return j.Submitted + Time(j.Why.Values[2])*Second, true
}

// estimated returns the submitter's forecast of the run time, in microseconds. Without an estimate it is the length of
// the interval that the job reserves; 0: none.
func (s *Spec) estimated() Time {
	if s.Estimate == 0 && s.Reserve != nil {
		return s.Reserve.Lasts
	}
	return s.Estimate
}

// Forecast returns the expected run time of the job: what nine in ten jobs like it took, at most the submitter's
// estimate. A job that has run for longer is expected to take what the longest of them did, then what was estimated.
// Without an estimate the expectation doubles whenever the job outlives it (after Tsafrir, Etsion and Feitelson, IEEE
// TPDS 18(6), 2007, who correct predictions that are outlived). 0: nothing is known.
func (j *Job) Forecast(now Time) Time {
	estimate := j.Spec.estimated()
	if j.Expected == 0 {
		return estimate
	}
	ran := j.VirtualTime(now)
	for _, expected := range []Time{j.Expected, j.Longest} {
		if ran < expected && (estimate == 0 || expected < estimate) {
			return expected
		}
	}
	if estimate > 0 {
		return estimate
	}
	grown := j.Longest
	for grown <= ran {
		grown *= 2
	}
	return grown
}

// learn adds a job that has just ended to the run times of its category if it succeeded. A job of which a task ran anew
// did more than its work.
func (t *transaction) learn(j *Job) {
	took := j.Clock.Virtual
	again := slices.ContainsFunc(j.Tasks, func(t Task) bool { return t.Run != 1 })
	if t.Format < remembers || j.Ending.Outcome != Succeeded || again || took < leastTime || took > maxRuntime {
		return
	}
	r := RunTimes{Category: j.Spec.Category()}
	t.addTime(t.experience, r, took)
	if r.On = t.classOf(j); r.On != "" && t.Format >= classifies {
		t.addTime(t.speeds, r, took)
	}
}

// addTime adds a run time to those with the same key.
func (t *transaction) addTime(times tree[*RunTimes], r RunTimes, took Time) {
	if old, found := times.Get(&r); found {
		r = *old
	} else {
		t.unlearn(times, r.Project, r.Owner)
	}
	r.Runs, r.Last = r.Runs+1, t.Now
	r.Latest = append(slices.Clone(r.Latest[max(0, len(r.Latest)-maxTimes+1):]), took)
	times.ReplaceOrInsert(&r)
}

// unlearn makes room for another category of the owner. It drops those that no job has had for long, and one of the
// owner's if there are many, else one of all: the oldest of those with too few jobs to say anything, or of all.
func (t *transaction) unlearn(times tree[*RunTimes], project, owner string) {
	var worst, own *RunTimes
	var stale []*RunTimes
	count := 0
	for r := range times.all() {
		if t.Now-r.Last > remembered {
			stale = append(stale, r)
			continue
		}
		worst = lesser(worst, r)
		if r.Project == project && r.Owner == owner {
			own = lesser(own, r)
			count++
		}
	}
	for _, r := range stale {
		times.Delete(r)
	}
	switch {
	case count >= maxOwnCategories:
		times.Delete(own)
	case times.Len() >= maxCategories:
		times.Delete(worst)
	}
}

// lesser returns the run times that are less worth keeping: those that are too few, then the older, then a. It returns
// b if a is nil.
func lesser(a, b *RunTimes) *RunTimes {
	if a == nil || b.Few() && !a.Few() || b.Few() == a.Few() && b.Last < a.Last {
		return b
	}
	return a
}
