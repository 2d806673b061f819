package web_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestTheRemedyOfAJobPinnedToASilentHypervisorIsToStartIt(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 2000, 1024*cluster.MiB)
	s.submit(job(`"placement": {"nodes": ["n1"]}`))
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision,
		Why: []cluster.Reason{{Job: 1, Code: cluster.WhyNoNode, Values: []int64{1, 2, 0, 0, 1, 1, 0}}}})
	expect := func(help string) {
		t.Helper()
		var o api.Overview
		s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
		if a := o.Attention[len(o.Attention)-1]; a.Job != "j1" || a.Help != help {
			t.Errorf("%+v", a)
		}
	}
	expect("Uncordon or add a node that its placement allows.")
	s.Must(t, cluster.Report{Node: n1, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40, HypervisorSilent: true})
	expect("Start libvirtd on n1 again, or uncordon or add a node that its placement allows.")
}
