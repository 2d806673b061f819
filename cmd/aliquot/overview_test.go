package main

import "testing"

func TestStatesThatThisProgramDoesNotKnowAreCountedAfterThoseThatItKnows(t *testing.T) {
	counts := map[string]int{"zombie": 2, "running": 3, "asleep": 1, "held": 4, "failed": 0, "lost": 0}
	if got, want := counted(counts, jobStates), "3 running, 4 held, 1 asleep, 2 zombie"; got != want {
		t.Errorf("counted: %q, want %q", got, want)
	}
	if got := counted(map[string]int{"ready": 0}, nodeStates); got != "" {
		t.Errorf("none are counted: %q", got)
	}
}
