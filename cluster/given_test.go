package cluster

import (
	"slices"
	"testing"
)

func TestARunsNodesAreKeptTheLatestLast(t *testing.T) {
	for _, c := range []struct{ given, want []NodeID }{
		{[]NodeID{1}, []NodeID{1}},
		{[]NodeID{1, 2, 1}, []NodeID{2, 1}},
		{[]NodeID{1, 2, 3, 4, 5, 6, 7, 8, 9}, []NodeID{2, 3, 4, 5, 6, 7, 8, 9}},
		{[]NodeID{1, 2, 3, 4, 5, 6, 7, 8, 1, 9}, []NodeID{3, 4, 5, 6, 7, 8, 1, 9}},
	} {
		var g *Given
		for _, n := range c.given {
			before := g
			if g = g.and(n); before != nil && before == g {
				t.Error("a shared list was changed")
			}
		}
		if !slices.Equal(g.Nodes, c.want) {
			t.Errorf("%v: %v, want %v", c.given, g.Nodes, c.want)
		}
	}
}

// A run of a manager that knew only the formats before has no list. Its first move must not make its home a stranger.
func TestARunFromBeforeTheListKeepsItsHomeInIt(t *testing.T) {
	tx := &transaction{State: &State{Format: LatestFormat}}
	task := &Task{Phase: Running, Run: 1, Node: 1}
	tx.giveTo(task, 2)
	if !task.wasGiven(1) || !task.wasGiven(2) || task.wasGiven(3) {
		t.Errorf("given to %+v", task.Given)
	}
}
