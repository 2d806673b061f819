package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPromisesCountOnNodesThatTakeVMsThen(t *testing.T) {
	w := newPromised(t)
	a, b := w.node("a", 1000), w.node("b", 2000)
	now := w.s.Now
	expect := func(when string, want ...Promisable) {
		t.Helper()
		if diff := cmp.Diff(want, w.s.Promisable()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	expect("at first", Promisable{now, 3000})
	w.do(Maintain{Node: a, Until: now + Hour})
	w.do(Maintain{Node: a, From: now + 3*Hour, Until: now + 4*Hour})
	w.do(Maintain{Node: b, From: now + 4*Hour, Until: now + 5*Hour})
	expect("with maintenance", Promisable{now, 2000}, Promisable{now + Hour, 3000}, Promisable{now + 3*Hour, 2000},
		Promisable{now + 4*Hour, 1000}, Promisable{now + 5*Hour, 3000})
	w.do(SetNode{b, Drain})
	expect("with b draining", Promisable{now, 0}, Promisable{now + Hour, 1000}, Promisable{now + 3*Hour, 0},
		Promisable{now + 4*Hour, 1000})
	w.do(SetNode{a, Cordon})
	expect("with a shut after its maintenance", Promisable{now, 0})
}

func TestOfACordonedNodeCountsWhatIsPromisedToItsVMs(t *testing.T) {
	w := newPromised(t)
	a := w.node("a", 1000)
	id := w.submit(w.spec(1, 600, &Reservation{2 * Hour, Hour}))
	w.s.Now = w.s.PromiseTo(id).From
	w.s.Job(id).Tasks[0].Phase, w.s.Job(id).Tasks[0].Node = Running, a
	w.do(SetNode{a, Cordon})
	want := []Promisable{{2 * Hour, 600}, {3 * Hour, 0}}
	if diff := cmp.Diff(want, w.s.Promisable()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
