package cluster

import (
	"bytes"
	"slices"
	"testing"
)

// Apply works on a copy, and adoption compares with another; who is paused is counted on the first.
func TestAdoptingCopiesTheStateTwice(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{Name: "simulated", Period: Minute})
	if r := s.Apply(1, Command{Actor: Actor{Role: System}, Action: Claim{Replica: 1, Term: 1}}); r.Rejection != nil {
		t.Fatal(r.Rejection)
	}
	copying := testing.AllocsPerRun(100, func() { s.Clone() })
	adopting := testing.AllocsPerRun(100, func() {
		on := *s
		if r := on.Apply(s.Revision+1, Command{Epoch: s.Epoch, Action: Adopt{}}); r.Rejection != nil {
			t.Fatal(r.Rejection)
		}
	})
	t.Logf("a copy allocates %v times, adopting nothing %v times", copying, adopting)
	if adopting >= 3*copying {
		t.Errorf("adopting nothing allocates %v times, a copy of the state %v times", adopting, copying)
	}
}

func TestAStateThatWasReadDoesNotKnowWhoDecidedBeforeSomebodySawAllThatEnded(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	do := func(on *State, a Action) {
		t.Helper()
		if r := on.Apply(on.Revision+1, Command{At: on.Now + Second, Actor: root, Epoch: on.Epoch, Action: a}); r.Rejection != nil {
			t.Fatalf("%T: %v", a, r.Rejection)
		}
	}
	do(s, PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	do(s, Claim{Replica: 1, Term: 1})
	do(s, Join{"a", "boot", Description{CPU: 1000, Memory: 200 * MiB}})
	for range 2 {
		do(s, Submit{&Spec{Owner: "root", Project: "default", Image: testImage, Tasks: 1, Need: 1000, Requirement: Requirement{16 * MiB}}})
	}
	do(s, Adopt{Basis: s.Revision, By: "us", Set: []Holding{{1, Placement{Grant: Foreground.Grant(500), Nodes: []NodeID{1}}}, {2, Placement{Grant: Foreground.Grant(500), Nodes: []NodeID{1}}}}})
	late := Adopt{Basis: s.Revision, By: "us"}
	do(s, Cancel{Job: 1})

	var file bytes.Buffer
	if err := s.Encode(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	do(s, late)
	do(read, late)
	if freed, kept := freedSince(s, "us"); !kept || !slices.Equal(freed, []NodeID{1}) {
		t.Errorf("after the decision that is in force: kept %v, freed %v", kept, freed)
	}
	if _, kept := freedSince(read, "us"); kept {
		t.Error("an increment is known, although nobody knows where job 1 was")
	}
	do(read, Adopt{Basis: read.Revision, By: "us"})
	if freed, kept := freedSince(read, "us"); !kept || len(freed) > 0 {
		t.Errorf("after a decision that saw the end: kept %v, freed %v", kept, freed)
	}
}

// freedSince lists what became free since the decision of that name, and whether that is known.
func freedSince(s *State, by string) ([]NodeID, bool) {
	i, kept := s.View(s.Now).Increment(by)
	return slices.Collect(i.Freed()), kept
}
