package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ran lets a job of the spec run alone at its full need for some time and end.
func (b *site) ran(spec *Spec, took Time, exit int) JobID {
	id := b.apply(Submit{spec}).Job
	b.apply(b.placing(int(id)-1, 1, spec.Need))
	b.start(int(id)-1, 1)
	run := RunID{id, 0, 1}
	at := b.s.Target(id).Nodes[0]
	move := b.s.Move(TaskID{Job: id}).ID
	report := func(o Observation) {
		o.Run, o.Platform = run, "q35"
		b.apply(Report{Node: at, FenceAlive: true, StoreProven: true, StoreFree: 1 << 20 * MiB,
			Observations: []Observation{o}})
	}
	report(Observation{Move: move, Seen: SeenRunning, Cap: spec.Need})
	for left := took - Millisecond; left > 0; left -= MaxStep {
		b.s.Apply(b.s.Revision+1, Command{At: b.s.Now + min(left, MaxStep), TimeSet: b.s.TimeSet, Epoch: b.s.Epoch,
			Actor: root, Action: Hold{Job: 1 << 40}})
	}
	report(Observation{Seen: SeenExited, Exit: &Exit{Code: exit}})
	if b.s.Job(id) != nil {
		b.Fatalf("%v has not ended", id)
	}
	return id
}

func (b *site) waiting(spec *Spec) *Job {
	return b.s.Job(b.apply(Submit{spec}).Job)
}

func typed(name string) *Spec {
	spec := specimen()
	spec.Need, spec.Type = 100, name
	return spec
}

func TestJobsAreExpectedToTakeWhatNineInTenLikeThemTook(t *testing.T) {
	b := built(t, 1, 10)
	for n := range Time(10) {
		b.ran(typed("render"), (n+1)*Minute, 0)
	}
	j := b.waiting(typed("render"))
	similar := b.s.Similar(j.Spec)
	if similar.Median() != 5*Minute || similar.Most() != 9*Minute || similar.Runs != 10 {
		t.Errorf("half took %v, nine in ten %v, of %d", similar.Median(), similar.Most(), similar.Runs)
	}
	for _, c := range []struct{ estimate, ran, want Time }{
		{0, 0, 9 * Minute},
		{0, 9 * Minute, 10 * Minute},
		{0, 11 * Minute, 10 * Minute},
		{2 * Minute, 0, 2 * Minute},
		{Hour, 0, 9 * Minute},
		{Hour, 9*Minute + Second, 10 * Minute},
		{Hour, 11 * Minute, Hour},
	} {
		k := *j
		spec := *j.Spec
		spec.Estimate, k.Spec, k.Clock.Virtual = c.estimate, &spec, c.ran
		if got := b.s.Forecast(&k).Processing; got != c.want {
			t.Errorf("estimated %v, ran %v: expected %v, want %v", c.estimate, c.ran, got, c.want)
		}
	}
}

func TestOnlyJobsOfOneOwnerTypeAndSizeAreAlike(t *testing.T) {
	b := built(t, 1, 10)
	for range fewTimes {
		b.ran(typed("render"), Minute, 0)
		b.ran(typed(""), Hour, 0)
	}
	for name, change := range map[string]func(*Spec){
		"the same":          func(*Spec) {},
		"name":              func(s *Spec) { s.Name = "other" },
		"memory":            func(s *Spec) { s.Requirement.Memory *= 2 },
		"! another type":    func(s *Spec) { s.Type = "train" },
		"! another owner":   func(s *Spec) { s.Owner = "ann" },
		"! another project": func(s *Spec) { s.Project = "b" },
		"! another need":    func(s *Spec) { s.Need = 200 },
		"! more tasks":      func(s *Spec) { s.Tasks = 2 },
	} {
		spec := typed("render")
		change(spec)
		if got := b.s.Similar(spec) != nil; got == strings.HasPrefix(name, "!") {
			t.Errorf("%s: known %v", name, got)
		}
	}
	for name, change := range map[string]func(*Spec){
		"another command":    func(s *Spec) { s.Command[2] = "exec other" },
		"another argument":   func(s *Spec) { s.Args = []string{"-v"} },
		"another variable":   func(s *Spec) { s.Env[0].Value = "2" },
		"another file":       func(s *Spec) { s.Files = []Pair{{"a", "b"}} },
		"another cloud-init": func(s *Spec) { s.CloudInit = "#cloud-config" },
	} {
		spec := typed("")
		change(spec)
		if b.s.Similar(spec) != nil {
			t.Errorf("%s: taken for the same work", name)
		}
	}
	got := b.s.Similar(typed(""))
	if got == nil || got.Median() != Hour || !strings.HasPrefix(got.Type, "busybox /bin/sh -c exec work #") {
		t.Errorf("the same program: %+v", got)
	}
}

func TestOnlySuccessIsRemembered(t *testing.T) {
	b := built(t, 1, 10)
	for range fewTimes {
		b.ran(typed("render"), Minute, 1)
		b.apply(Cancel{Job: b.waiting(typed("render")).ID})
	}
	for r := range b.s.Experience() {
		t.Errorf("remembered: %+v", r)
	}
	b.s.Format = remembers - 1
	b.ran(typed(""), Minute, 0)
	if b.s.experience.Len() > 0 {
		t.Error("something is remembered that other replicas do not know")
	}
}

func TestRunTimesAreForgotten(t *testing.T) {
	b := built(t, 1, 10)
	for n := range Time(maxTimes + 5) {
		b.ran(typed("render"), (n+1)*Minute, 0)
	}
	r := b.s.Similar(typed("render"))
	if r.Runs != maxTimes+5 || len(r.Latest) != maxTimes || slices.Min(r.Latest) != 6*Minute {
		t.Errorf("%d runs, of which %d are kept from %v on", r.Runs, len(r.Latest), slices.Min(r.Latest))
	}
}

func TestTheOldestCategoryMakesRoomTheOwnersFirst(t *testing.T) {
	tx := &transaction{State: Newest([16]byte{1}, PolicyChoice{})}
	add := func(owner string, n int) {
		tx.Now++
		tx.learn(&Job{Spec: &Spec{Owner: owner, Type: fmt.Sprint("t", n)}, Ending: &Ending{Outcome: Succeeded},
			Clock: Clock{Virtual: Second}})
	}
	count := func(owner string) (n int) {
		for r := range tx.Experience() {
			if r.Owner == owner {
				n++
			}
		}
		return n
	}
	add("ann", 0)
	for n := range 3 * maxOwnCategories {
		add("bob", n)
	}
	if bobs := count("bob"); bobs != maxOwnCategories {
		t.Errorf("bob has %d categories", bobs)
	}
	if count("ann") != 1 {
		t.Error("ann's made room for bob's")
	}
	for n := range maxCategories {
		add(fmt.Sprint("user", n), 0)
	}
	if n := tx.experience.Len(); n != maxCategories {
		t.Errorf("%d categories in all", n)
	}
	if count("ann") != 0 {
		t.Error("the oldest is kept")
	}
}

func TestAStateIsWrittenAndHashedWithItsExperience(t *testing.T) {
	b := built(t, 1, 10)
	before := b.s.Hash()
	bare := b.s.Clone()
	for range fewTimes {
		b.ran(typed("render"), Minute, 0)
	}
	bare.experience, b.s.experience = b.s.experience, bare.experience
	if bare.Hash() == before {
		t.Error("the hash does not know the run times")
	}
	if again := reread(t, bare); again.Similar(typed("render")) == nil || again.Hash() != bare.Hash() {
		t.Error("the run times are not read back")
	}
}

// A job's forecast is above what it has run for as long as an estimate or a longer job allows.
func TestAForecastIsWithinWhatIsKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Time { return Time(rapid.IntRange(1, 100).Draw(t, "took")) }),
			1, maxTimes).Draw(t, "times")
		s := Newest([16]byte{1}, PolicyChoice{})
		j := &Job{Spec: &Spec{Type: "a", Need: 1, Estimate: Time(rapid.IntRange(0, 100).Draw(t, "estimate"))}}
		j.Clock.Virtual = Time(rapid.IntRange(0, 120).Draw(t, "ran"))
		s.experience.ReplaceOrInsert(&RunTimes{Category: j.Spec.Category(), Latest: times})
		got, most := s.Forecast(j).Processing, max(j.Spec.Estimate, slices.Max(times))
		switch {
		case len(times) < fewTimes && got != j.Spec.Estimate:
			t.Fatalf("too few runs change the estimate %v to %v", j.Spec.Estimate, got)
		case j.Spec.Estimate > 0 && got > j.Spec.Estimate:
			t.Fatalf("%v is above the estimate %v", got, j.Spec.Estimate)
		case len(times) >= fewTimes && (got <= 0 || got > most):
			t.Fatalf("%v is beyond all that is known, %v", got, most)
		}
	})
}
