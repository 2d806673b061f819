package cluster

import (
	"slices"
	"testing"
)

func TestWhatHappensToOneTaskTouchesItsNodeAlone(t *testing.T) {
	b := built(t, 50, 500)
	before := b.s.Clone()
	if touched := b.s.Touched(before); len(touched) > 0 {
		t.Errorf("nothing has happened, and %v are touched", touched)
	}
	b.apply(StartMoves{[]Move{{Kind: Migrate, Task: TaskID{Job: 1}, From: 1, To: 2, CPU: 10}}})
	if touched := b.s.Touched(before); !slices.Equal(touched, []NodeID{1, 2}) {
		t.Errorf("a migration from 1 to 2 touches %v", touched)
	}
	before = b.s.Clone()
	b.apply(Report{Node: 30, StoreFree: 5})
	if touched := b.s.Touched(before); len(touched) > 0 {
		t.Errorf("what node 30 tells of its store touches %v", touched)
	}
	if touched := b.s.Touched(nil); len(touched) != 50 {
		t.Errorf("of a new leader %d of 50 nodes have orders to get", len(touched))
	}
}
