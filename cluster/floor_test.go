package cluster

import "testing"

// The use by other VMs is one of the moment, and says nothing about what the node can give later.
func TestAFloorCountsOnAllOfANodeWhateverElseRunsThere(t *testing.T) {
	w := newPromised(t)
	n := w.node("a", 2000)
	w.do(Report{Node: n, FenceAlive: true, Foreign: Foreign{CPU: 300}})
	spec := w.spec(2, 1000, nil)
	spec.MinYield = Whole
	if r := w.s.Impossible(spec); r != nil {
		t.Errorf("with 300m of other VMs: %v", r)
	}
	spec.Tasks = 3
	if r := w.s.Impossible(spec); r == nil || r.Code != CodeTooManyTasks {
		t.Errorf("three times a core of two: %v", r)
	}
}
