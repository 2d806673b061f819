package cluster

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// calm is the world after the faults: every node is connected and does as it is ordered.
func (w *world) calm() {
	for _, n := range slices.Collect(w.s.Nodes()) {
		w.must(Join{n.Name, "boot", n.Description, n.Admission})
		var seen []Observation
		for _, o := range w.s.Orders(n.ID).Runs {
			sight := map[Want]Sight{Stay: SeenRunning, Begin: SeenRunning, Restore: SeenRunning, Save: SeenSaved,
				Arrive: SeenArrived, Vanish: SeenAbsent}[o.Want]
			if sight != 0 {
				seen = append(seen, Observation{Run: o.Run, Move: o.Move, Seen: sight, Cap: o.CPU, Tier: o.Tier, Tiered: true,
					Image: MiB})
			}
		}
		for _, run := range w.s.Orders(n.ID).Destroy {
			seen = append(seen, Observation{Run: run, Seen: SeenAbsent})
		}
		w.must(Report{Node: n.ID, Joined: math.MaxUint64, FenceAlive: true, StoreProven: true,
			StoreFree: 10_000 * MiB, Observations: seen})
	}
}

func (w *world) stopAll() {
	var moves []Move
	for j := range w.s.Jobs() {
		for i := range j.Tasks {
			if id := (TaskID{j.ID, i}); j.Tasks[i].Present() && w.s.Move(id) == nil {
				moves = append(moves, Move{Kind: Stop, Task: id, From: j.Tasks[i].Node})
			}
		}
	}
	if len(moves) > 0 {
		w.must(StartMoves{moves})
	}
}

func TestAfterAllFaultsEveryCancelledJobEndsOnceAndNothingIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		ended := map[JobID]int{} // by job that was submitted
		w.heard = func(e Event) {
			switch e.Kind {
			case JobSubmitted:
				ended[e.Job] = 0
			case JobEnded:
				ended[e.Job]++
			}
		}
		t.Repeat(w.actions())
		w.T = t
		for _, o := range slices.Collect(w.s.Standings()) {
			w.apply(CancelStanding{Standing: o.ID}) // it would submit others
		}
		for _, j := range slices.Collect(w.s.Jobs()) {
			w.apply(Cancel{Job: j.ID})
		}
		for range 3 {
			w.calm()
			w.stopAll()
		}
		w.calm()
		if jobs, _, moves := w.s.Counts(); jobs+moves > 0 {
			t.Fatalf("%d jobs and %d moves are left", jobs, moves)
		}
		for n := range w.s.Nodes() {
			if len(n.Condemned) > 0 {
				t.Fatalf("%v is to be destroyed on %s, which has nothing", n.Condemned, n.Name)
			}
		}
		for n := range w.s.Nodes() {
			if n.Occupied != 0 || n.Load != (Load{}) {
				t.Fatalf("node %d still holds %+v and %v", n.ID, n.Load, n.Occupied)
			}
		}
		if w.s.StoreRoom() != w.s.StoreFree && w.s.StoreFree >= 0 {
			t.Fatalf("store space is reserved for nothing: %v of %v", w.s.StoreRoom(), w.s.StoreFree)
		}
		for id, times := range ended {
			if times != 1 {
				t.Fatalf("%v ended %d times", id, times)
			}
		}
	})
}

func TestACalmClusterRunsWhatItHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		t.Repeat(w.actions())
		w.T = t
		for range 2 {
			w.calm()
		}
		for m := range w.s.Moves() {
			t.Fatalf("%v of %v never ends", m.Kind, m.Task)
		}
		for j := range w.s.Jobs() {
			for i := range j.Tasks {
				if task := &j.Tasks[i]; task.Present() && (task.Phase != Running || task.Frozen || task.Observed != task.Cap) {
					t.Fatalf("%v/%d is %+v", j.ID, i, task)
				}
			}
		}
	})
}
