package monitor

import (
	"testing"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

func TestPreparationsForAMoveEndWithIt(t *testing.T) {
	w, released := newWork(), make(chan cluster.MoveID, 2)
	run := cluster.RunID{Job: 1, Number: 1}
	for move := range cluster.MoveID(2) {
		w.prepared(outcome{action: reconcile.Action{Run: run, Order: cluster.Order{Move: move + 1}},
			release: func() { released <- move + 1 }})
	}
	if first := <-released; first != 1 {
		t.Errorf("the preparations of move %d ended first", first)
	}
	w.unprepare(map[cluster.RunID]cluster.MoveID{run: 2})
	if len(w.ready) != 1 {
		t.Error("they ended during the move")
	}
	w.unprepare(map[cluster.RunID]cluster.MoveID{run: 0})
	if second := <-released; second != 2 || len(w.ready) != 0 {
		t.Errorf("after the moves: %d, %v", second, w.ready)
	}
}
