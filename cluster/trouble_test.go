package cluster

import (
	"reflect"
	"testing"
)

func TestWhyAMoveFailedIsKeptOnceAllReplicasKnowIt(t *testing.T) {
	for format, want := range map[uint32]*Cause{
		blamesMoves - 1: nil,
		blamesMoves: {Why: []Reason{{Code: WhyMove, Values: []int64{int64(Start)}}, {Code: WhyGivenUp},
			{Code: WhyNoProgress, Values: []int64{120}}}},
	} {
		b := built(t, 2, 20)
		b.s.Format = format
		m := b.s.Move(TaskID{Job: 9})
		b.apply(AbortMove{m.Task, m.ID, Because(WhyNoProgress, 120)})
		if aborted := b.s.Move(m.Task); (aborted.Abort != nil) != (want != nil) {
			t.Errorf("format %d: aborted because of %v", format, aborted.Abort)
		}
		b.apply(Report{Node: m.To, StoreProven: true,
			Observations: []Observation{{Run: RunID{9, 0, m.Run}, Move: m.ID, Seen: SeenFailed, Cause: "gone"}}})
		s := reread(t, b.s)
		if task := s.Job(9).Tasks[0]; task.Attempts != 1 || !reflect.DeepEqual(task.Trouble, want) {
			t.Errorf("format %d: %d attempts, the last because of %v", format, task.Attempts, task.Trouble)
		}
	}
}
