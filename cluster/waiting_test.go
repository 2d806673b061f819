package cluster

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTheNextWhoWaitsIsFoundAsByLookingAtAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w queue
		plain := make([]int32, rapid.IntRange(1, 70).Draw(t, "jobs")+1)
		for id := range plain {
			plain[id] = nobody
		}
		for range rapid.IntRange(0, 150).Draw(t, "changes") {
			id := rapid.IntRange(1, len(plain)-1).Draw(t, "id")
			plain[id] = rapid.SampledFrom([]int32{1, 2, 3, 9, nobody}).Draw(t, "tasks")
			w.put(JobID(id), plain[id])
			from, most := rapid.IntRange(0, len(plain)+5).Draw(t, "from"), rapid.Int32Range(0, 9).Draw(t, "most")
			want := 0
			for id := from + 1; id < len(plain) && want == 0; id++ {
				if plain[id] <= most {
					want = id
				}
			}
			if got := w.next(JobID(from), most); got != JobID(want) {
				t.Fatalf("after %d, at most %d tasks: %d, want %d of %v", from, most, got, want, plain)
			}
		}
	})
}

func TestAModelNamesWhoHoldsNothing(t *testing.T) {
	m := NewModel()
	m.Join("n1", Description{CPU: 1000, Memory: 4096 * MiB})
	for _, tasks := range []int{1, 3, 1} {
		s := &Spec{Owner: "o", Project: "p", Image: "i@sha256:" + strings.Repeat("0", 64), Tasks: tasks, Need: 100,
			Requirement: Requirement{Memory: 64 * MiB}}
		if _, r := m.Submit(s); r != nil {
			t.Fatal(r)
		}
	}
	named := func(most int) (ids []JobID) {
		for j := range m.View().Waiting(func() int { return most }) {
			ids = append(ids, j.ID)
		}
		return ids
	}
	expect := func(most int, want ...JobID) {
		t.Helper()
		if got := named(most); !slices.Equal(got, want) {
			t.Errorf("at most %d tasks: %v, want %v", most, got, want)
		}
	}
	expect(9, 1, 2, 3)
	expect(2, 1, 3)
	if err := m.Adopt(Adopt{Set: []Holding{{Job: 1, Placement: Placement{Grant: Foreground.Grant(100),
		Nodes: []NodeID{1}}}}}); err != nil {
		t.Fatal(err)
	}
	expect(2, 3)
	if err := m.Adopt(Adopt{Drop: []JobID{1}}); err != nil {
		t.Fatal(err)
	}
	expect(2, 1, 3)
	m.End(1)
	expect(2, 3)
	expect(0)
}
