package cluster

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// promising returns a Model of two nodes and three jobs, with one, two and one tasks.
func promising(t *testing.T) *Model {
	m := NewModel()
	for _, name := range []string{"n1", "n2"} {
		m.Join(name, Description{CPU: 1000, Memory: 4096 * MiB})
	}
	for _, tasks := range []int{1, 2, 1} {
		s := &Spec{Owner: "o", Project: "p", Image: "i@sha256:" + strings.Repeat("0", 64), Tasks: tasks, Need: 100,
			Requirement: Requirement{Memory: 64 * MiB}}
		if _, r := m.Submit(s); r != nil {
			t.Fatal(r)
		}
	}
	return m
}

func TestAPromiseNeedsAJobWithoutOneAndANodeForEachTaskOrNone(t *testing.T) {
	for name, p := range map[string]Promise{
		"an unknown job":     {Job: 4, From: 10, Until: 20, Nodes: []NodeID{1}},
		"no length":          {Job: 1, From: 10, Until: 10, Nodes: []NodeID{1}},
		"an unknown node":    {Job: 1, From: 10, Until: 20, Nodes: []NodeID{3}},
		"too few nodes":      {Job: 2, From: 10, Until: 20, Nodes: []NodeID{1}},
		"too many nodes":     {Job: 1, From: 10, Until: 20, Nodes: []NodeID{1, 2}},
		"a job that has one": {Job: 3, From: 10, Until: 20, Nodes: []NodeID{1}},
	} {
		m := promising(t)
		if err := m.Promise([]Promise{{Job: 3, From: 30, Until: 40, Nodes: []NodeID{2}}}); err != nil {
			t.Fatal(err)
		}
		if m.Promise([]Promise{p}) == nil || len(slices.Collect(m.View().Promises().All())) != 1 {
			t.Errorf("%s is promised", name)
		}
	}
}

func TestAPromiseMayLeaveTheNodesOpen(t *testing.T) {
	m := promising(t)
	if err := m.Promise([]Promise{{Job: 2, From: 10, Until: 20}, {Job: 1, From: 10, Until: 20}}); err != nil {
		t.Error(err)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}

func TestTheUnpromisedAreThoseThatWaitWithoutAPromise(t *testing.T) {
	m := promising(t)
	expect := func(want ...JobID) {
		t.Helper()
		var got []JobID
		for j := range m.View().Unpromised() {
			got = append(got, j.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	expect(1, 2, 3)
	if err := m.Promise([]Promise{{Job: 2, From: 10, Until: 20, Nodes: []NodeID{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	expect(1, 3)
	held := Placement{Grant: Foreground.Grant(100), Nodes: []NodeID{1}}
	if err := m.Adopt(Adopt{Set: []Holding{{Job: 1, Placement: held}}}); err != nil {
		t.Fatal(err)
	}
	expect(3)
	if err := m.Adopt(Adopt{Drop: []JobID{1}}); err != nil {
		t.Fatal(err)
	}
	expect(1, 3)
	m.End(2)
	m.End(3)
	expect(1)
}

func TestWhatIsLeftOfANodeIsTheLeastOfAllMoments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Newest([16]byte{1}, PolicyChoice{})
		n := &Node{ID: 1, Description: Description{CPU: 1000, Memory: 1000}}
		b := newBookings(s)
		number := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "number") }
		for range number(0, 6) {
			from := Time(number(0, 20))
			b.by[1] = append(b.by[1], booking{from, from + Time(number(1, 10)), CPU(number(1, 99)), Bytes(number(1, 99))})
		}
		from := Time(number(0, 25))
		until := from + Time(number(1, 10))
		want := n.Capacity()
		for at := from; at < until; at++ {
			left := n.Capacity()
			for _, k := range b.by[1] {
				if k.from <= at && at < k.until {
					left.CPU, left.Memory = left.CPU-k.cpu, left.Memory-k.memory
				}
			}
			want.CPU, want.Memory = min(want.CPU, left.CPU), min(want.Memory, left.Memory)
		}
		if got := b.left(n, from, until); got != want {
			t.Fatalf("%+v from %d until %d leave %+v, not %+v", b.by[1], from, until, got, want)
		}
	})
}
