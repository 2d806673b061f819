package cluster

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Apply works on a copy. Adoption compares with the nodes that it found, and counts on the copy which jobs are paused.
func TestAdoptingCopiesTheStateOnce(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{Name: "simulated", Period: Minute})
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
	if adopting >= 2*copying {
		t.Errorf("adopting nothing allocates %v times, a copy of the state %v times", adopting, copying)
	}
}

func TestAStateThatWasReadDoesNotKnowWhoDecidedBeforeSomebodySawAllThatEnded(t *testing.T) {
	s := Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
	do := func(on *State, a Action) {
		t.Helper()
		if r := on.Apply(on.Revision+1, Command{At: on.Now + Second, Actor: root, Epoch: on.Epoch,
			Action: a}); r.Rejection != nil {
			t.Fatalf("%T: %v", a, r.Rejection)
		}
	}
	do(s, PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}})
	do(s, Claim{Replica: 1, Term: 1})
	do(s, Join{"a", "boot", Description{CPU: 1000, Memory: 200 * MiB}, 0})
	for range 2 {
		do(s, Submit{Spec: &Spec{Owner: "root", Project: "default", Image: testImage, Tasks: 1, Need: 1000,
			Requirement: Requirement{16 * MiB}}})
	}
	do(s, Adopt{Basis: s.Revision, By: "us",
		Set: []Holding{{1, Placement{Grant: Foreground.Grant(500), Nodes: []NodeID{1}}},
			{2, Placement{Grant: Foreground.Grant(500), Nodes: []NodeID{1}}}}})
	late := Adopt{Basis: s.Revision, By: "us"}
	do(s, Cancel{Job: 1})

	var file bytes.Buffer
	if err := s.Encode(&file); err != nil {
		t.Fatal(err)
	}
	read, err := Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	do(s, late)
	do(read, late)
	if freed, kept := freedSince(s, "us"); !kept || !slices.Equal(freed, []NodeID{1}) {
		t.Errorf("after the decision that is in force: kept %v, freed %v", kept, freed)
	}
	if _, kept := freedSince(read, "us"); kept {
		t.Error("an increment is known, although nobody knows where job 1 was")
	}
	do(read, Adopt{Basis: read.Revision, By: "us"})
	if freed, kept := freedSince(read, "us"); !kept || len(freed) > 0 {
		t.Errorf("after a decision that saw the end: kept %v, freed %v", kept, freed)
	}
}

// freedSince lists what became free since the decision of that name, and whether that is known.
func freedSince(s *State, by string) ([]NodeID, bool) {
	i, kept := s.View(s.Now).Increment(by)
	return slices.Collect(i.Freed()), kept
}

// A State and a Model get the same nodes, jobs and decisions. Some decisions are impossible.
func TestAModelAndAStatePutTheSameDecisionsIntoForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, m := newWorld(t), NewModel()
		for _, name := range []string{"a", "b", "c"}[:w.int(1, 3, "nodes")] {
			d := Description{CPU: CPU(w.int(1, 2000, "cpu")), Memory: Bytes(w.int(50, 400, "memory")) * MiB}
			w.must(Join{name, "boot", d, 0})
			m.Join(name, d)
		}
		for range w.int(1, 6, "decisions") {
			spec := &Spec{
				Owner: "root", Project: "default", Image: testImage, Tasks: w.int(1, 3, "tasks"), Need: CPU(w.int(1, 1500, "need")),
				Requirement: Requirement{Bytes(w.int(16, 96, "memory")) * MiB},
			}
			_, rejection := m.Submit(spec)
			if r := w.apply(Submit{Spec: spec}); (r.Rejection == nil) != (rejection == nil) {
				t.Fatalf("a State says %v, a Model %v", r.Rejection, rejection)
			} else if rejection != nil {
				return // a State gives no id to a job that is impossible
			}
			a := w.decision()
			fault := m.Adopt(a)
			w.must(a)
			if whole := w.adoptedWhole(a); whole != (fault == nil) {
				t.Fatalf("%+v: a State adopts the whole of it: %v; a Model says %v", a, whole, fault)
			}
			if fault != nil {
				return
			}
			w.alike(m)
		}
	})
}

// decision draws a decision on all jobs. In some, nodes are given more than they have, or jobs what they may not hold.
func (w *world) decision() (a Adopt) {
	a = Adopt{Basis: w.s.Revision, Seen: w.s.View(w.s.Now).Pending(), By: "whole"}
	for j := range w.s.Jobs() {
		held := w.s.Target(j.ID) != nil
		switch what := w.int(0, 9, "what"); {
		case what < 3 && held:
			a.Drop = append(a.Drop, j.ID)
		case what < 8:
			p := Placement{Grant: w.grant(j.Spec.Need)}
			for range j.Spec.Tasks + max(0, w.int(0, 20, "tasks too many")-19) {
				p.Nodes = append(p.Nodes, NodeID(w.int(1, w.s.NodeCount(), "node")))
			}
			a.Set = append(a.Set, Holding{j.ID, p})
			a.Why = append(a.Why, Reason{Job: j.ID, Code: WhyPlaced, Values: []int64{int64(what)}})
		}
	}
	return a
}

// adoptedWhole reports whether the state did all that the decision says.
func (w *world) adoptedWhole(a Adopt) bool {
	for _, id := range a.Drop {
		if w.s.Target(id) != nil {
			return false
		}
	}
	for _, h := range a.Set {
		p := w.s.Target(h.Job)
		if p == nil || p.Grant != h.Placement.Grant || !slices.Equal(slices.Sorted(slices.Values(p.Nodes)),
			slices.Sorted(slices.Values(h.Placement.Nodes))) {
			return false
		}
	}
	return w.s.author.name == a.By
}

// alike fails if the model has another target, other loads or other reasons than the state.
func (w *world) alike(m *Model) {
	for j := range w.s.Jobs() {
		if p, q := w.s.Target(j.ID), m.s.Target(j.ID); !p.Equal(q) || !slices.Equal(j.Why.Values, m.s.Job(j.ID).Why.Values) {
			w.Fatalf("%v holds %+v for %v, and in a model %+v for %v", j.ID, p, j.Why, q, m.s.Job(j.ID).Why)
		}
	}
	for n := range w.s.Nodes() {
		if o := m.s.Node(n.ID); n.Load != o.Load || o.Occupied != o.Load.Memory {
			w.Fatalf("node %d counts %+v, and in a model %+v, of which %v are occupied", n.ID, n.Load, o.Load, o.Occupied)
		}
	}
	if err := m.Check(); err != nil {
		w.Fatalf("%v", err)
	}
}
