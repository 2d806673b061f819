package cluster

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ran lets a job of the spec run alone at its full need for some time and end.
func (b *site) ran(spec *Spec, took Time, exit int) JobID {
	id := b.apply(Submit{Spec: spec}).Job
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
	return b.s.Job(b.apply(Submit{Spec: spec}).Job)
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
	if similar.Median() != 5*Minute || similar.Most() != 9*Minute || similar.Runs != 10 ||
		j.Expected != 9*Minute || j.Longest != 10*Minute {
		t.Errorf("half took %v, nine in ten %v, of %d", similar.Median(), similar.Most(), similar.Runs)
	}
	for _, c := range []struct{ estimate, ran, want Time }{
		{0, 0, 9 * Minute},
		{0, 9 * Minute, 10 * Minute},
		{0, 11 * Minute, 20 * Minute},
		{0, 41 * Minute, 80 * Minute},
		{2 * Minute, 0, 2 * Minute},
		{Hour, 0, 9 * Minute},
		{Hour, 9*Minute + Second, 10 * Minute},
		{Hour, 11 * Minute, Hour},
	} {
		k := *j
		spec := *j.Spec
		spec.Estimate, k.Spec, k.Clock.Virtual = c.estimate, &spec, c.ran
		if got := k.Forecast(b.s.Now); got != c.want {
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
		"other words":        func(s *Spec) { s.Command = []string{"/bin/sh", "-c", "exec", "work"} },
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
	if got == nil || got.Median() != Hour || !strings.HasPrefix(got.Type, `busybox: /bin/sh -c "exec work" #`) {
		t.Errorf("the same program: %+v", got)
	}
}

func TestOnlyJobsThatDidTheirWorkOnceAreRemembered(t *testing.T) {
	b := built(t, 1, 10)
	for name, change := range map[string]func(j *Job){
		"! it failed":           func(j *Job) { j.Ending.Outcome = Failed },
		"! it was cancelled":    func(j *Job) { j.Ending.Outcome = Cancelled },
		"! a task began anew":   func(j *Job) { j.Tasks[1].Run = 2 },
		"! it made no progress": func(j *Job) { j.Clock.Virtual = 0 },
		"! it took no time":     func(j *Job) { j.Clock.Virtual = leastTime - 1 },
		"! it took years":       func(j *Job) { j.Clock.Virtual = maxRuntime + 1 },
		"at least a second":     func(j *Job) { j.Clock.Virtual = leastTime },
		"at most a year":        func(j *Job) { j.Clock.Virtual = maxRuntime },
	} {
		tx := &transaction{State: b.s.Clone()}
		j := &Job{Spec: typed("render"), Tasks: []Task{{Run: 1}, {Run: 1}}, Ending: &Ending{Outcome: Succeeded},
			Clock: Clock{Virtual: Hour}}
		change(j)
		tx.learn(j)
		if got := tx.experience.Len() > 0; got == strings.HasPrefix(name, "!") {
			t.Errorf("%s: remembered %v", name, got)
		}
		tx.Format = remembers - 1
		if tx.experience.Clear(false); tx.experience.Len() > 0 {
			t.Fatal("not cleared")
		}
		if tx.learn(j); tx.experience.Len() > 0 {
			t.Error("something is remembered that other replicas do not know")
		}
	}
}

// A waiting job was accepted for its forecast, which stays when its category makes room for others.
func TestAJobKeepsItsForecast(t *testing.T) {
	b := built(t, 1, 10)
	for range fewTimes {
		b.ran(typed("render"), Minute, 0)
	}
	j := b.waiting(typed("render"))
	b.s.experience.Clear(false)
	if got := b.s.Job(j.ID).Forecast(b.s.Now); got != Minute {
		t.Errorf("expected: %v", got)
	}
	if again := reread(t, b.s).Job(j.ID).Forecast(b.s.Now); again != Minute {
		t.Errorf("expected after a snapshot: %v", again)
	}
	b.s.Format = remembers - 1
	if j := b.waiting(typed("")); j.Expected != 0 {
		t.Error("something is expected that other replicas do not know")
	}
}

func TestRunTimesThatCannotBeAreNotReadBack(t *testing.T) {
	for name, r := range map[string]RunTimes{
		"none": {Runs: 1}, "more than ran": {Runs: 1, Latest: []Time{Minute, Minute}},
		"negative": {Runs: 1, Latest: []Time{-5}},
		"years":    {Runs: 1, Latest: []Time{maxRuntime + 1}},
		"many":     {Runs: 99, Latest: slices.Repeat([]Time{Minute}, maxTimes+1)},
	} {
		s := Newest([16]byte{1}, PolicyChoice{Name: "x", Period: Minute})
		s.experience.ReplaceOrInsert(&r)
		if _, err := Decode(bytes.NewReader(written(t, s))); err == nil {
			t.Errorf("%s: read back", name)
		}
		if s.Check() == nil {
			t.Errorf("%s: an invariant holds", name)
		}
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

func TestTheLeastWorthyCategoryMakesRoomTheOwnersFirst(t *testing.T) {
	tx := &transaction{State: Newest([16]byte{1}, PolicyChoice{})}
	add := func(owner string, n int) {
		tx.Now++
		tx.learn(&Job{Spec: &Spec{Owner: owner, Type: fmt.Sprint("t", n)}, Ending: &Ending{Outcome: Succeeded},
			Tasks: []Task{{Run: 1}}, Clock: Clock{Virtual: Second}})
	}
	count := func(owner string) (n int) {
		for r := range tx.Experience() {
			if r.Owner == owner {
				n++
			}
		}
		return n
	}
	for range fewTimes {
		add("ann", 0)
		add("bob", 0)
	}
	add("ann", 1)
	for n := range 3 * maxOwnCategories {
		add("bob", n+1)
	}
	if bobs := count("bob"); bobs != maxOwnCategories {
		t.Errorf("bob has %d categories", bobs)
	}
	if count("ann") != 2 {
		t.Error("one of ann's made room for bob's")
	}
	for n := range maxCategories {
		add(fmt.Sprint("user", n), 0)
	}
	if n := tx.experience.Len(); n != maxCategories {
		t.Errorf("%d categories in all", n)
	}
	if tx.Similar(&Spec{Owner: "ann", Type: "t0"}) == nil || tx.Similar(&Spec{Owner: "bob", Type: "t0"}) == nil {
		t.Error("what is known made room for what says nothing")
	}
	tx.Now += remembered + 1
	if add("carl", 0); tx.experience.Len() != 1 {
		t.Errorf("%d categories that nobody used for long are kept", tx.experience.Len()-1)
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

func TestWithoutAnEstimateAReservedIntervalIsTheForecast(t *testing.T) {
	for _, c := range []struct {
		spec     Spec
		expected Time
		want     Time
	}{
		{Spec{Reserve: &Reservation{Lasts: Hour}}, 0, Hour},
		{Spec{Reserve: &Reservation{Lasts: Hour}, Estimate: Minute}, 0, Minute},
		{Spec{Reserve: &Reservation{Lasts: Hour}}, Minute, Minute},
		{Spec{}, 0, 0},
	} {
		j := &Job{Spec: &c.spec, Expected: c.expected, Longest: c.expected}
		if got := j.Forecast(0); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
		if got := (estimates{}).Window(j).Lasts; got != c.spec.estimated() {
			t.Errorf("%+v: asks for %v", c, got)
		}
	}
}

func TestAForecastIsAboveWhatTheJobHasRunUnlessItsEstimateIsNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, from int) Time { return Time(rapid.IntRange(from, 100).Draw(t, name)) }
		j := &Job{Spec: &Spec{Need: 1, Estimate: draw("estimate", 0)}, Expected: draw("expected", 1)}
		j.Longest = j.Expected + draw("longest", 0)
		j.Clock.Virtual = draw("ran", 0) * 5
		got, estimate := j.Forecast(0), j.Spec.Estimate
		switch {
		case estimate > 0 && got > estimate:
			t.Fatalf("%v is above the estimate", got)
		case got <= j.Clock.Virtual && got != estimate:
			t.Fatalf("%v is over", got)
		case got > max(j.Longest, 2*j.Clock.Virtual, estimate):
			t.Fatalf("%v has no reason", got)
		}
	})
}
