package web_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestATaskThatIsBoundTellsItsProcessor(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2500, 1024*cluster.MiB)
	d := s.Latest().Node(n1).Description
	d.Cores = 4
	s.Must(t, cluster.Join{Name: "n1", Boot: "1", Description: d})
	s.submit(`{"tasks": 2, "cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	s.Run(t, 1, 800, n1, n1)
	bound := cluster.Placement{Grant: cluster.Foreground.Grant(800), Nodes: []cluster.NodeID{n1, n1},
		Cores: []cluster.CoreID{2, 0}}
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Set: []cluster.Holding{{Job: 1, Placement: bound}}})
	var j api.Job
	s.want(200, "GET", "/v1/jobs/j1", webtest.Viewer, "").into(t, &j)
	var n api.Node
	s.want(200, "GET", "/v1/nodes/n1", webtest.Viewer, "").into(t, &n)
	var m api.ClusterMap
	s.want(200, "GET", "/v1/map", webtest.Viewer, "").into(t, &m)
	vms := m.Nodes[0].VMs
	if j.Tasks[0].Core != 2 || j.Tasks[1].Core != 0 || vms[0].Core != 2 || vms[1].Core != 0 || n.Slots != 2 {
		t.Errorf("bound to %d and %d, on the map to %d and %d, of %d processors", j.Tasks[0].Core, j.Tasks[1].Core,
			vms[0].Core, vms[1].Core, n.Slots)
	}
}
