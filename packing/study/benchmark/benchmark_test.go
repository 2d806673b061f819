package benchmark

import (
	"testing"

	"aliquot/packing/study/instance"
)

func never() bool { return false }

func TestAnyNumberOfWorkersFindsTheSameYields(t *testing.T) {
	f := instance.Family{Nodes: 64, Tasks: 640, PerJob: 1, Memory: 0.8, Need: 3}
	one, three := Time(f, 1, never), Time(f, 3, never)
	one.Milliseconds, three.Milliseconds = 0, 0
	if one != three {
		t.Errorf("%+v, alone %+v", three, one)
	}
}

func TestHeuristicsAreComparedOnTheSameInstances(t *testing.T) {
	f := instance.Family{Nodes: 16, Tasks: 80, PerJob: 1, Memory: 0.7, Need: 3}
	q, again := Compare(f, 2, never, func(int) {}), Compare(f, 2, never, func(int) {})
	if q.Gap > q.MCB8Gap || q.MCB8Gap > q.LPGap || q.LevelGap < q.MCB8Gap || q.Worse != 0 || len(q.Methods) != 18 {
		t.Errorf("%+v", q)
	}
	if q.Gap != again.Gap || q.Winners() != again.Winners() || q.Winners() == "" {
		t.Errorf("twice compared, it differs: %v, %v", q.Winners(), again.Winners())
	}
}
