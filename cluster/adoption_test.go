package cluster

import "testing"

// Apply works on a copy, and adoption compares with another; who is paused is counted on the first.
func TestAdoptingCopiesTheStateTwice(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{Name: "simulated", Period: Minute})
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
