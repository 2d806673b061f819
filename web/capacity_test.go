package web_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestWhatIsHeldOnLostNodesIsNoPartOfWhatIsGrantedOfTheCapacity(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	n2 := s.Join(t, "n2", 2000, 1024*cluster.MiB)
	s.Place(t, s.submit(small), 500, n1)
	s.Place(t, s.submit(small), 300, n2)
	var before, o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &before)
	s.Must(t, cluster.SetHealth{Node: n2, Health: cluster.Silent})
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	half := before.Memory.ReservedBytes / 2
	if o.CPU.CapacityMillicores != 2000 || o.CPU.ShareMillicores != 500 || o.CPU.LostMillicores != 300 ||
		o.CPU.NeedMillicores != before.CPU.NeedMillicores {
		t.Errorf("CPU with one node of two: %+v", o.CPU)
	}
	if row := web.ClusterRow(s.Latest()); row[web.ShareCPU] != 500 || row[web.ReservedMemory] != float64(half) {
		t.Errorf("the row of the series: %v", row)
	}
	if o.Memory.ReservedBytes != half || o.Memory.LostBytes != half || before.Memory.LostBytes != 0 {
		t.Errorf("memory with one node of two: %+v, before: %+v", o.Memory, before.Memory)
	}
}

func TestNodesThatTakeNoVMsCountWithWhatIsStillThere(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 4000, 1024*cluster.MiB)
	s.Place(t, s.submit(small), 500, n1)
	for _, wish := range []struct {
		node string
		do   cluster.NodeWish
		want int64
	}{{"n2", cluster.Cordon, 2000}, {"n1", cluster.Cordon, 500}, {"n2", cluster.Uncordon, 4500},
		{"n2", cluster.Drain, 500}} {
		s.Must(t, cluster.SetNode{Node: s.Latest().NodeNamed(wish.node).ID, Want: wish.do})
		var o api.Overview
		s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
		if o.CPU.CapacityMillicores != wish.want || o.Memory.CapacityBytes < o.Memory.ReservedBytes {
			t.Errorf("after %v of %s: %+v, %+v; want %d", wish.do, wish.node, o.CPU, o.Memory, wish.want)
		}
	}
}

func TestACordonedNodeCountsWithNoMoreThanItHas(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 1000, 4096*cluster.MiB)
	front, back := s.submit(job(`"tasks": 2`)), s.submit(job(`"tasks": 2, "class": "background"`))
	placed := func(g cluster.Grant) cluster.Placement {
		return cluster.Placement{Grant: g, Nodes: []cluster.NodeID{n, n}}
	}
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Seen: s.Latest().View().Pending(), Set: []cluster.Holding{
		{Job: front, Placement: placed(cluster.Foreground.Grant(500))},
		{Job: back, Placement: placed(cluster.Background.Grant(500))}}})
	s.Must(t, cluster.SetNode{Node: n, Want: cluster.Cordon})
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	if o.CPU.CapacityMillicores != 1000 || o.CPU.ShareMillicores != 1000 || o.CPU.BestEffortMillicores != 0 {
		t.Errorf("%+v", o.CPU)
	}
}
