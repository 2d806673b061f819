package cluster

import (
	"strings"
	"testing"
)

// Without a quota an owner is promised half of the nodes at a time, also by deadlines that are moved onto another's
// time.
func TestAnEarlierDeadlineStaysWithinHalfOfTheNodes(t *testing.T) {
	w := &promised{t, Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})}
	w.do(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	w.do(Claim{Replica: 1, Term: 1})
	w.node("a", 1000)
	w.node("b", 1000)
	by := func(end Time) JobID {
		spec := w.spec(1, 1000, nil)
		spec.Deadline = &Deadline{By: end, Lasts: 50 * Minute}
		return w.submit(spec)
	}
	by(Hour)
	later := by(5 * Hour)
	move := func(by Time) Result {
		return w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Epoch: w.s.Epoch, Action: Reschedule{later, by}})
	}
	if r := move(-4 * Hour); codeOf(r) != CodeNoPromise || !strings.Contains(r.Rejection.Detail, "half of the nodes") {
		t.Errorf("at the time of the other: %+v", r)
	}
	if r := move(-3 * Hour); r.Rejection != nil {
		t.Errorf("after the other: %v", r.Rejection)
	}
}
