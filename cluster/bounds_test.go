package cluster

import (
	"runtime"
	"strings"
	"testing"
)

// bounded returns a state with one node.
func bounded(t *testing.T, state *State) (*State, NodeID) {
	t.Helper()
	s := state
	if r := s.Apply(1, Command{Actor: Actor{Role: System}, Action: Claim{Replica: 1, Term: 1}}); r.Rejection != nil {
		t.Fatal(r.Rejection)
	}
	r := s.Apply(2, Command{Actor: Actor{Role: System}, Epoch: s.Epoch,
		Action: Join{Name: "n1", Boot: "b", Description: Description{CPU: 1000, Memory: 1024 * MiB}}})
	if r.Rejection != nil {
		t.Fatal(r.Rejection)
	}
	return s, r.Node
}

func strays(node NodeID, from, to int) Report {
	r := Report{Node: node, StoreFree: -1}
	for job := to; job > from; job-- { // each is put before all others
		r.Observations = append(r.Observations, Observation{Run: RunID{Job: JobID(job), Number: 1}, Seen: SeenStray})
	}
	return r
}

func TestANodeListsABoundedNumberOfStrays(t *testing.T) {
	s, node := bounded(t, Newest([16]byte{1}, PolicyChoice{Name: "FCFS", Period: Minute}))
	result := s.Apply(3, Command{Actor: Actor{Role: System}, Epoch: s.Epoch, Action: strays(node, 0, 2*maxStrays)})
	if len(s.Node(node).Strays) != maxStrays || len(result.Events) != maxStrays {
		t.Errorf("%d strays and %d events", len(s.Node(node).Strays), len(result.Events))
	}
	gone := Report{Node: node, StoreFree: -1, Observations: []Observation{{Run: s.Node(node).Strays[0], Seen: SeenAbsent}}}
	s.Apply(4, Command{Actor: Actor{Role: System}, Epoch: s.Epoch, Action: gone})
	s.Apply(5, Command{Actor: Actor{Role: System}, Epoch: s.Epoch, Action: strays(node, 0, 1)})
	if list := s.Node(node).Strays; len(list) != maxStrays || list[0] != (RunID{Job: 1, Number: 1}) {
		t.Errorf("when one has gone there are %d strays, the first %v", len(list), list[0])
	}
}

func TestAReportOfManyStraysCopiesTheListOnce(t *testing.T) {
	s, node := bounded(t, Newest([16]byte{1}, PolicyChoice{Name: "FCFS", Period: Minute}))
	before := s.Clone()
	var start, end runtime.MemStats
	runtime.ReadMemStats(&start)
	s.Apply(3, Command{Actor: Actor{Role: System}, Epoch: s.Epoch, Action: strays(node, 0, maxStrays)})
	runtime.ReadMemStats(&end)
	if taken := (end.TotalAlloc - start.TotalAlloc) >> 20; taken > 32 { // a copy for each stray is 200 MiB
		t.Errorf("%d MiB were allocated", taken)
	}
	if len(before.Node(node).Strays) != 0 {
		t.Error("a clone changed the state that it was made of")
	}
}

func TestNodesOfferWhatANodeCanHave(t *testing.T) {
	for name, d := range map[string]Description{
		"more CPU than there is":     {CPU: MaxNodeCPU + 1, Memory: 1024 * MiB},
		"more memory than there is":  {CPU: 1000, Memory: MaxNodeMemory + 1},
		"an overhead of all it has":  {CPU: 1000, Memory: 1024 * MiB, Overhead: 1024*MiB + 1},
		"an overhead beyond measure": {CPU: 1000, Memory: 1 << 40, Overhead: MaxOverhead + 1},
	} {
		s, _ := bounded(t, Newest([16]byte{1}, PolicyChoice{Name: "FCFS", Period: Minute}))
		join := Command{Actor: Actor{Role: System}, Epoch: s.Epoch, Action: Join{Name: "n2", Boot: "b", Description: d}}
		if r := s.Apply(3, join).Rejection; r == nil || r.Code != CodeInvalid ||
			!strings.Contains(r.Detail, "which no node has") {
			t.Errorf("%s: %v", name, r)
		}
		old, _ := bounded(t, New([16]byte{1}, PolicyChoice{Name: "FCFS", Period: Minute}))
		join.Epoch = old.Epoch
		if r := old.Apply(3, join).Rejection; r != nil {
			t.Errorf("%s: format %d refuses it: %v", name, old.Format, r)
		}
	}
}
