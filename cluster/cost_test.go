package cluster

import "testing"

func TestTheCostOfReschedulingIsTheMemoryThatItConcerns(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{"FCFS", Minute})
	s.overhead = MiB
	spec := &Spec{Tasks: 3, Requirement: Requirement{Memory: 63 * MiB}}
	j := &Job{ID: 1, Spec: spec, Tasks: []Task{{Phase: Running, Node: 1}, {Phase: Saved, Image: 50 * MiB}, {Phase: Done}}}
	got := s.View(0).Cost(j)
	want := Cost{PauseBytes: 64 * MiB, ResumeBytes: 114 * MiB, MoveBytes: 64 * MiB}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
