package web_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestANodesJobsAreThoseThatItIsChargedFor(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	expect := func(on1, on2 string) {
		t.Helper()
		if got := s.ids("?node=n1"); got != on1 {
			t.Errorf("n1 has %q, want %q", got, on1)
		}
		if got := s.ids("?node=n2"); got != on2 {
			t.Errorf("n2 has %q, want %q", got, on2)
		}
	}
	expect("", "")
	s.Place(t, id, 500, n1)
	expect("j1", "")
	s.Move(t, cluster.Move{Kind: cluster.Start, Task: cluster.TaskID{Job: id}, To: n1, CPU: 500})
	s.Must(t, cluster.SetHealth{Node: n1, Health: cluster.Silent})
	expect("j1", "")
	var node api.Node
	s.want(200, "GET", "/v1/nodes/n1", webtest.Viewer, "").into(t, &node)
	if node.MemoryReservedBytes == 0 {
		t.Error("the lost node is charged for nothing")
	}
}
