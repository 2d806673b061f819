package cluster

import (
	"runtime"
	"slices"
	"testing"
)

func TestClonesOfAStateDoNotShareTheJobsThatWantAPlacementLater(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{"FCFS", Minute})
	for id := range JobID(5) {
		s.wish(2 * (id + 1))
	}
	a, b := s.Clone(), s.Clone()
	s.wish(11)
	a.wish(12)
	b.wish(3)
	b.unwish(4)
	for name, c := range map[string]struct{ have, want []JobID }{
		"the original":  {s.Occasion.Submitted, []JobID{2, 4, 6, 8, 10, 11}},
		"a clone":       {a.Occasion.Submitted, []JobID{2, 4, 6, 8, 10, 12}},
		"another clone": {b.Occasion.Submitted, []JobID{2, 3, 6, 8, 10}},
	} {
		if !slices.Equal(c.have, c.want) {
			t.Errorf("%s: %v, want %v", name, c.have, c.want)
		}
	}
}

func TestACommandCopiesNothingOfABurstOfSubmissions(t *testing.T) {
	const burst, commands = 200_000, 200
	b := built(t, 1, 10)
	for id := range JobID(burst) {
		b.s.wish(100 + id)
	}
	b.s.NextJob = 100 + burst
	for name, act := range map[string]Action{"a report": Report{Node: 1, FenceAlive: true},
		"a submission": Submit{Spec: specimen()}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range commands {
			b.apply(act)
		}
		runtime.ReadMemStats(&after)
		if each := (after.TotalAlloc - before.TotalAlloc) / commands; each > 4*burst {
			t.Errorf("%s allocates %d bytes while %d jobs are undecided", name, each, burst)
		}
	}
}
