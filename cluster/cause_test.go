package cluster

import (
	"reflect"
	"testing"
)

// texts calls visit with each string that v reaches; codes, whose types have names, are not among them.
func texts(v reflect.Value, visit func(string)) {
	switch v.Kind() {
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() {
			visit(v.String())
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			texts(v.Elem(), visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			texts(v.Index(i), visit)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			texts(v.MapIndex(key), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			texts(v.Field(i), visit)
		}
	}
}

// All that a state says in words came with a command, so a sentence of ours can change without changing a state.
func TestEveryTextInAStateAndInEventsCameWithACommand(t *testing.T) {
	r := openReplay(t)
	given, kept := map[string]bool{"": true}, map[ReasonCode]int{}
	came := func(s string) { given[s] = true }
	check := func(what string, v any) {
		texts(reflect.ValueOf(v), func(s string) {
			if !given[s] {
				t.Fatalf("revision %d: %s holds %q, which no command brought", r.s.Revision, what, s)
			}
		})
	}
	for c, _, ok := r.next(); ok; c, _, ok = r.next() {
		if r.s.Revision == 0 {
			r.s.Format = LatestFormat
			came(r.s.Policy.Name)
		}
		texts(reflect.ValueOf(c), came)
		if i, is := c.Action.(PutImage); is {
			came(i.Image.Reference())
		}
		for _, e := range r.s.Apply(r.s.Revision+1, c).Events {
			check(string(e.Kind), e)
		}
		for j := range r.s.History() {
			countCodes(j, kept)
		}
		if r.s.Revision%8 == 0 {
			for name, field := range plain(r.s) {
				check(name, field)
			}
		}
	}
	often := []ReasonCode{WhyTask, WhyExitCode, WhyLostOften, WhyNoExit, WhyNodeDown, WhyFenced, WhyNoNode}
	for _, code := range often {
		if kept[code] == 0 {
			t.Errorf("no ending was caused by %s", code)
		}
	}
}

// countCodes counts the codes in the ending and the exits of a job.
func countCodes(j *Job, counts map[ReasonCode]int) {
	count := func(why []Reason) {
		for _, r := range why {
			counts[r.Code]++
		}
	}
	count(j.Ending.Why)
	for i := range j.Tasks {
		if e := j.Tasks[i].Exit; e != nil {
			count(e.Why)
		}
	}
}

func TestACauseIsASentenceForManagersThatKnowNoCodes(t *testing.T) {
	for _, c := range []struct {
		action Action
		want   string
	}{
		{Cancel{1, Because(WhyOverran, 60)}, "it ran longer than its limit of 60 s"},
		{AbortMove{TaskID{1, 0}, 7, Because(WhyNoProgress, 300)}, "no progress within 300 s"},
		{Cancel{1, Cause{Text: "not needed"}}, "not needed"},
	} {
		old, now := Within(c.action, keepsCodes-1), Within(c.action, keepsCodes)
		if got := causeIn(old); got.Text != c.want || got.Why != nil || formatOf(old) != 1 {
			t.Errorf("%+v before: %+v of format %d", c.action, got, formatOf(old))
		}
		if !reflect.DeepEqual(now, c.action) {
			t.Errorf("%+v after: %+v", c.action, now)
		}
		if coded := len(causeIn(now).Why) > 0; coded != (formatOf(now) == keepsCodes) {
			t.Errorf("%+v after: format %d", c.action, formatOf(now))
		}
	}
}

func TestANodeTellsItsVersionOnlyWhereManagersKnowThatField(t *testing.T) {
	join := Join{Name: "a", Boot: "boot", Description: Description{CPU: 1000, Memory: 200 * MiB, Program: "v2"}}
	old, now := Within(join, versions-1).(Join), Within(join, versions).(Join)
	if old.Description.Program != "" || formatOf(old) != 1 {
		t.Errorf("before: %+v of format %d", old, formatOf(old))
	}
	if now.Description.Program != "v2" || formatOf(now) != versions {
		t.Errorf("after: %+v of format %d", now, formatOf(now))
	}
}

func causeIn(a Action) Cause {
	if c, is := a.(Cancel); is {
		return c.Cause
	}
	return a.(AbortMove).Cause
}

func TestAnEndingKeepsItsSentenceWhenTheFormatIsRaised(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{"FCFS", Minute})
	do := func(a Action) {
		t.Helper()
		if r := s.Apply(s.Revision+1, Command{At: s.Now, Actor: root, Epoch: s.Epoch, Action: a}); r.Rejection != nil {
			t.Fatalf("%T: %v", a, r.Rejection)
		}
	}
	do(Claim{Replica: 1, Term: 1})
	do(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	do(Join{"a", "boot", Description{CPU: 1000, Memory: 200 * MiB}, 0})
	refused := func() Ending {
		id := s.NextJob
		do(Submit{Spec: &Spec{
			Owner: "root", Project: "default", Image: testImage, Tasks: 1, Need: 1000, Requirement: Requirement{16 * MiB},
		}})
		do(Adopt{Basis: s.Revision, Refuse: []Refusal{{id, Reason{id, WhyTooFewNodes, []int64{0, 1}}}}})
		return *s.Ended(id).Ending
	}
	old := refused()
	want := Ending{Failed, Cause{Text: "its task needs a node, but none of the cluster could take it"}}
	if !reflect.DeepEqual(old, want) {
		t.Errorf("before: %+v", old)
	}
	do(Raise{LatestFormat})
	if again := *reread(t, s).Ended(1).Ending; !reflect.DeepEqual(again, old) {
		t.Errorf("it was %+v and is %+v", old, again)
	}
	if now := refused(); now.Text != "" || len(now.Why) != 1 || now.Why[0].Code != WhyTooFewNodes {
		t.Errorf("after: %+v", now)
	}
}
