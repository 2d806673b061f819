package cluster

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strings"
)

// Limits on what is remembered of jobs that succeeded.
const (
	maxCategories    = 2000 // of all owners, each of at most a kilobyte
	maxOwnCategories = 200  // of one owner in one project
	maxTimes         = 20   // run times in each, the latest; earlier ones are forgotten
	fewTimes         = 3    // fewer say nothing
	maxDerived       = 96   // bytes of the words of a derived type
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

// Category returns the job's category. A job that declares no type has one that its image, command and input give it,
// so that only the same program with the same arguments is taken for the same work.
func (s *Spec) Category() Category {
	return Category{s.Project, s.Owner, cmp.Or(s.Type, s.derivedType()), s.Tasks, s.Need}
}

// derivedType returns the image's name and the command. A digest stands for what is not shown: the end of a long
// command, variables, files and the settings of cloud-init.
func (s *Spec) derivedType() string {
	image, _, _ := strings.Cut(s.Image, "@")
	words := strings.Join(slices.Concat([]string{image}, s.Command, s.Args), " ")
	if len(words) <= maxDerived && len(s.Env) == 0 && len(s.Files) == 0 && s.CloudInit == "" {
		return words
	}
	h := &walker{h: sha256.New()}
	hashTexts(h, 1, s.Command)
	hashTexts(h, 2, s.Args)
	hashList(h, 3, s.Env, hashPair)
	hashList(h, 4, s.Files, hashPair)
	h.text(5, s.CloudInit)
	h.h.Write(h.buf)
	shown := strings.ToValidUTF8(words[:min(len(words), maxDerived)], "")
	return shown + " #" + hex.EncodeToString(h.h.Sum(nil)[:4])
}

// RunTimes is what is remembered of the jobs of one category that succeeded. It is immutable.
type RunTimes struct {
	Category
	Runs   int    // that ever succeeded
	Last   Time   // end of the latest, in microseconds
	Latest []Time // at full speed, in the order of the ends, in microseconds. Invariant: from 1 to maxTimes
}

func (r *RunTimes) less(o *RunTimes) bool { return r.compare(o.Category) < 0 }

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

// Similar returns the run times of jobs like one with the spec, or nil if none or too few are known.
func (s *State) Similar(spec *Spec) *RunTimes {
	if r, found := s.experience.Get(&RunTimes{Category: spec.Category()}); found && !r.Few() {
		return r
	}
	return nil
}

// Experience yields the run times that are remembered, by category.
func (s *State) Experience() iter.Seq[*RunTimes] { return s.experience.all() }

// Forecast returns the expected run time of the job: what nine in ten of the jobs like it took, at most the submitter's
// estimate. A job that has run for longer is expected to take what the longest of them did, then what was estimated.
func (s *State) Forecast(j *Job) Forecast {
	estimate, similar := j.Spec.Estimate, s.Similar(j.Spec)
	if similar == nil {
		return Forecast{Processing: estimate}
	}
	ran, longest := j.VirtualTime(s.Now), slices.Max(similar.Latest)
	for _, expected := range []Time{similar.Most(), longest} {
		if ran < expected && (estimate == 0 || expected < estimate) {
			return Forecast{Processing: expected}
		}
	}
	return Forecast{Processing: cmp.Or(estimate, longest)}
}

// learn adds a job that has just ended to the run times of its category if it succeeded and its progress is known.
func (t *transaction) learn(j *Job) {
	took := j.Clock.Virtual
	if t.Format < remembers || j.Ending.Outcome != Succeeded || took <= 0 || took > maxRuntime {
		return
	}
	r := RunTimes{Category: j.Spec.Category()}
	if old, found := t.experience.Get(&r); found {
		r = *old
	} else {
		t.unlearn(r.Project, r.Owner)
	}
	r.Runs, r.Last = r.Runs+1, t.Now
	r.Latest = append(slices.Clone(r.Latest[max(0, len(r.Latest)-maxTimes+1):]), took)
	t.experience.ReplaceOrInsert(&r)
}

// unlearn makes room for another category of the owner: it drops the oldest one, of the owner's if there are many.
func (t *transaction) unlearn(project, owner string) {
	var oldest, own *RunTimes
	count := 0
	for r := range t.experience.all() {
		oldest = older(oldest, r)
		if r.Project == project && r.Owner == owner {
			own = older(own, r)
			count++
		}
	}
	switch {
	case count >= maxOwnCategories:
		t.experience.Delete(own)
	case t.experience.Len() >= maxCategories:
		t.experience.Delete(oldest)
	}
}

// older returns the one whose latest job ended first, a if both did at once; b if a is nil.
func older(a, b *RunTimes) *RunTimes {
	if a == nil || b.Last < a.Last {
		return b
	}
	return a
}
