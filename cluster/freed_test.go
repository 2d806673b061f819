package cluster

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFreedAreTheNodesWhereSomethingEndedAfterTheBasisOfADecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		for _, name := range []string{"a", "b", "c", "d"} {
			w.must(Join{name, "boot", Description{CPU: 1000, Memory: 200 * MiB}, 0})
		}
		freed := map[NodeID]uint64{} // by node: when something last ended there
		do := func(f func()) func(*rapid.T) {
			return func(t *rapid.T) { w.T = t; f() }
		}
		t.Repeat(map[string]func(*rapid.T){
			"submit": do(func() { w.apply(Submit{Spec: w.spec()}) }),
			"end": do(func() {
				id := w.someJob()
				p := w.s.Target(id)
				if r := w.apply(Cancel{Job: id}); r.Rejection == nil {
					for n := range p.on {
						freed[n] = w.s.Revision
					}
				}
			}),
			"decide": do(func() {
				basis := w.s.Revision - uint64(w.int(0, 4, "late"))
				a := w.proposal(basis)
				a.Refuse = nil // which would end jobs, too
				w.apply(a)
				maps.DeleteFunc(freed, func(_ NodeID, at uint64) bool { return at <= basis })
			}),
			"": do(func() {
				if got, want := slices.Collect(Increment{w.s}.Freed()), slices.Sorted(maps.Keys(freed)); !slices.Equal(got, want) {
					w.Fatalf("nodes %v are freed, but since the basis something ended on %v", got, want)
				}
			}),
		})
	})
}
