package cluster

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWhatDiffersFromAnEarlierAllocationIsFoundInOneWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawAllocation(t, NewAllocation())
		after := drawAllocation(t, before.Clone())
		want := map[JobID][2]*Placement{}
		for id := JobID(1); id <= 9; id++ {
			if p, q := before.Get(id), after.Get(id); !p.Equal(q) {
				want[id] = [2]*Placement{p, q}
			}
		}
		got, last := map[JobID][2]*Placement{}, JobID(0)
		for id, p := range after.Since(before) {
			if id <= last {
				t.Fatalf("%v comes after %v", id, last)
			}
			got[id], last = p, id
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		for id := range after.Since(before) {
			if id != 0 {
				break // whoever has seen enough may stop
			}
		}
	})
}

// drawAllocation gives and takes placements of a few jobs.
func drawAllocation(t *rapid.T, a Allocation) Allocation {
	for range rapid.IntRange(0, 12).Draw(t, "changes") {
		id := JobID(rapid.IntRange(1, 9).Draw(t, "job"))
		if rapid.Bool().Draw(t, "delete") {
			a.Delete(id)
		} else {
			a.Set(id, &Placement{Grant: Foreground.Grant(CPU(rapid.IntRange(1, 2).Draw(t, "cpu"))), Nodes: []NodeID{1}})
		}
	}
	return a
}
