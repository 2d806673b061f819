package cluster

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// unlike returns a state with two nodes of class fast, one of class slow, and one without a class.
func unlike(tb testing.TB) *State {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	for i, class := range []string{"fast", "fast", "slow", ""} {
		r := s.Apply(s.Revision+1, Command{Actor: root, Action: Join{fmt.Sprint("n", i+1), "boot", Description{CPU: 4000,
			Memory: 1 << 34, Class: class}, 0}})
		if r.Rejection != nil {
			tb.Fatal(r.Rejection)
		}
	}
	return s
}

// done lets a job of the type end after a time, each of whose tasks was given to some nodes.
func (s *State) done(kind string, took Time, given ...[]NodeID) {
	j := &Job{Spec: &Spec{Owner: "ann", Type: kind, Tasks: len(given), Need: 1000}, Clock: Clock{Virtual: took},
		Ending: &Ending{Outcome: Succeeded}}
	for _, nodes := range given {
		t := Task{Run: 1, Phase: Done}
		if nodes != nil {
			t.Given = &Given{nodes}
		}
		j.Tasks = append(j.Tasks, t)
	}
	s.Now += Second
	(&transaction{State: s}).learn(j)
}

func (s *State) factors() (out []string) {
	for l := range s.LearntSpeeds() {
		out = append(out, fmt.Sprintf("%s on %s: %d of %d", l.Type, l.On, l.Factor, l.Runs))
	}
	return out
}

func TestSpeedsAreLearntByCategoryAndClassOfNodes(t *testing.T) {
	s := unlike(t)
	for n := range Time(3) {
		s.done("count", Minute+n*Second, []NodeID{1})
		s.done("count", 2*Minute+2*n*Second, []NodeID{3})
		s.done("sort", Minute+n*Second, []NodeID{2}, []NodeID{1})
		s.done("alone", Minute, []NodeID{1})
	}
	s.done("sort", Minute, []NodeID{3}, []NodeID{3})
	want := []string{"alone on fast: 0 of 3", "count on fast: 1000 of 3", "count on slow: 500 of 3",
		"sort on fast: 0 of 3", "sort on slow: 0 of 1"}
	if got := s.factors(); !slices.Equal(got, want) {
		t.Errorf("learnt %q, want %q", got, want)
	}
	for l := range s.LearntSpeeds() {
		if l.On == "slow" && l.Type == "count" && (l.Error < Whole/100 || l.Error > Whole/50) {
			t.Errorf("the error of three runs that differ by a second or two is %v", l.Error.Float())
		}
	}
}

func TestOnlyRunsThatOneClassDidAloneTellItsSpeed(t *testing.T) {
	many := []NodeID{1, 2, 1, 2, 1, 2, 1, 2}
	for name, given := range map[string][][]NodeID{
		"another class in between": {{1, 3, 1}}, "tasks on two classes": {{1}, {3}}, "a node without a class": {{1, 4}},
		"a node that is gone": {{99}}, "unknown nodes": {nil}, "more nodes than are remembered": {many},
		"no node": {{}},
	} {
		s := unlike(t)
		if s.done("count", Minute, given...); len(s.factors()) > 0 {
			t.Errorf("%s: %q", name, s.factors())
		}
	}
	s := unlike(t)
	if s.done("count", Minute, []NodeID{1, 2}); len(s.factors()) != 1 {
		t.Errorf("a job that moved within its class taught nothing")
	}
	for _, poison := range []Time{-Hour, 0, leastTime - 1, maxRuntime + 1} {
		if s.done("poison", poison, []NodeID{1}); len(s.factors()) != 1 {
			t.Errorf("%v is taken for a run time", poison)
		}
	}
	s.Format = classifies - 1
	if s.done("early", Minute, []NodeID{1}); len(s.factors()) != 1 {
		t.Error("something is remembered that other replicas do not know")
	}
}

// From the tenth of the latest twenty runs on, the median is one of a node that has changed its speed.
func TestAClassThatChangesIsNoticedWithinTenRuns(t *testing.T) {
	s := unlike(t)
	for range maxTimes {
		s.done("count", Minute, []NodeID{1})
		s.done("count", Minute, []NodeID{3})
	}
	for range 11 {
		s.done("count", 4*Minute, []NodeID{3})
	}
	if got := s.factors(); got[1] != "count on slow: 250 of 31" {
		t.Errorf("learnt %q", got)
	}
}

// The law: whatever ended where, the table stays within its bounds, no factor exceeds that of the fastest class, and a
// copy that is read back or redacted knows as much.
func TestLearntSpeedsAreBoundedAndSurviveASnapshot(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := unlike(t)
		for range rapid.IntRange(1, 60).Draw(r, "jobs") {
			kind := rapid.SampledFrom([]string{"a", "b", ""}).Draw(r, "type")
			took := Time(rapid.Int64Range(-int64(Minute), int64(Hour)).Draw(r, "took"))
			s.done(kind, took, rapid.SliceOfN(rapid.SampledFrom([]NodeID{0, 1, 2, 3, 4}), 0, 3).Draw(r, "nodes"))
		}
		for l := range s.LearntSpeeds() {
			if l.Factor < 0 || l.Factor > ReferenceSpeed || l.Error < 0 || l.On == "" {
				r.Fatalf("%+v", l)
			}
		}
		if err := s.Check(); err != nil {
			r.Fatal(err)
		}
		var file bytes.Buffer
		if err := s.Encode(&file); err != nil {
			r.Fatal(err)
		}
		again, err := Decode(&file)
		if err != nil {
			r.Fatal(err)
		}
		if again.Hash() != s.Hash() || !slices.Equal(again.factors(), s.factors()) {
			r.Fatalf("read back as %q, was %q", again.factors(), s.factors())
		}
		if bare := s.Redacted().factors(); len(bare) != len(s.factors()) {
			r.Fatalf("redacted to %q", bare)
		}
	})
}

func TestClassesOfNodesAreShortPrintableText(t *testing.T) {
	for class, fine := range map[string]bool{"": true, "AMD EPYC 7B13 64-Core Processor": true, "größer": true,
		strings.Repeat("x", MaxNodeClass): true, strings.Repeat("x", MaxNodeClass+1): false, "a\nb": false, "\xff": false} {
		if got := CheckNodeClass(class) == nil; got != fine {
			t.Errorf("%q is a class of nodes: %v", class, got)
		}
		if d := (&Description{CPU: 1, Memory: 1, Class: class}); d.Plausible() != fine {
			t.Errorf("a node of class %q is plausible: %v", class, d.Plausible())
		}
	}
	s := unlike(t)
	s.Format = classifies - 1
	join := Join{Name: "a", Boot: "boot", Description: Description{CPU: 1000, Memory: 1 << 30, Class: "fast"}}
	if s.Unready(join) == nil || s.Unready(Within(join, classifies-1)) != nil {
		t.Error("a replica that does not know classes would read one")
	}
}
