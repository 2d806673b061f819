package cluster

import "testing"

func TestAStateOfFormat1CountsNoMoves(t *testing.T) {
	for format, want := range map[uint32]int{1: 0, 2: 1} {
		b := built(t, 2, 20)
		b.s.Format = format
		b.apply(StartMoves{[]Move{{Kind: Migrate, Task: TaskID{Job: 1}, From: 1, To: 2, CPU: 10}}})
		m := b.s.Move(TaskID{Job: 1})
		b.apply(Report{Node: 2, Observations: []Observation{{Run: RunID{1, 0, 1}, Move: m.ID, Seen: SeenArrived, Cap: 10}}})
		if j := b.s.Job(1); j.Tasks[0].Node != 2 || j.Moves != want || (j.Moved != 0) != (want > 0) {
			t.Errorf("format %d: on node %d after %d moves, the last at %v s", format, j.Tasks[0].Node, j.Moves,
				j.Moved.Seconds())
		}
	}
}

func TestTheCostOfReschedulingFollowsFromTheMemoryThatItConcerns(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	s.overhead = MiB
	spec := &Spec{Tasks: 3, Requirement: Requirement{Memory: 63 * MiB}}
	j := &Job{ID: 1, Spec: spec, Moves: 2, Moved: Hour, Tasks: []Task{{Phase: Running, Node: 1},
		{Phase: Saved, Image: 50 * MiB}, {Phase: Done}}}
	got := s.View(0).Cost(j)
	want := Cost{
		PauseBytes: 64 * MiB, ResumeBytes: 114 * MiB, MoveBytes: 64 * MiB,
		PauseTime: 671_088, ResumeTime: 1_195_376, MoveTime: 671_088, LastMoved: Hour, Moves: 2,
	}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
