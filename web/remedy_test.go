package web_test

import (
	"strings"
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
	s.Must(t, cluster.SetHealth{Node: n1, Health: cluster.Silent})
	expect("Bring n1 back, or uncordon or add a node that its placement allows.")
}

func TestTheRemedyOfAJobWhoseCardHasALimitNamesTheNodesThatCannotLimitIt(t *testing.T) {
	s := newSite(t)
	s.Must(t, cluster.Join{Name: "n1", Boot: "b", Description: cluster.Description{CPU: 2000, Memory: 1 << 30,
		Bridged: true, Isolates: true}})
	s.want(200, "PUT", "/v1/network", webtest.Admin, `{"subnet": "10.77.0.0/16"}`)
	s.submit(job(`"network": "bridge"`))
	s.want(200, "PUT", "/v1/network", webtest.Admin, `{"subnet": "10.77.0.0/16", "bandwidth": 500}`)
	r := s.want(422, "POST", "/v1/jobs", webtest.Alice, job(`"network": "bridge"`))
	if !strings.Contains(r.text, "cannot limit network cards") {
		t.Error(r.text)
	}
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Why: []cluster.Reason{{Job: 1, Code: cluster.WhyNoNode,
		Values: []int64{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}}}})
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	want := "Let n1 limit network cards, or the network have no bandwidth, or uncordon or add a node that its placement allows."
	if a := o.Attention[len(o.Attention)-1]; a.Job != "j1" || a.Help != want {
		t.Errorf("%+v", a)
	}
}

func TestTheRemedyOfAJobThatPromisesLeaveTooLittleNamesTheirNodes(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"n1", "n2", "n3"} {
		s.Join(t, name, 2000, 1024*cluster.MiB)
	}
	s.submit(job(`"placement": {"nodes": ["n1"]}, "reserve": {"start": "` + inMinutes(s, 2) + `", "duration": "1h"}`))
	s.submit(job(`"placement": {"nodes": ["n1"]}`))
	from := s.Latest().Now + 2*cluster.Minute
	s.Advance(2 * cluster.Minute)
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Why: []cluster.Reason{{Job: 2, Code: cluster.WhyNoNode,
		Values: []int64{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, int64(from + cluster.Hour)}}}})
	var o api.Overview
	s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
	want := "Wait for the end of the promises on n1, or uncordon or add a node that its placement allows."
	if a := o.Attention[len(o.Attention)-1]; a.Job != "j2" || a.Help != want {
		t.Errorf("%+v", a)
	}
}

func TestAStoreTooSmallForTheLargestJobNeedsAttention(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "n1", 2000, 4096*cluster.MiB)
	help := func(left cluster.Bytes) string {
		s.Must(t, cluster.Report{Node: n, FenceAlive: true, StoreProven: true, StoreFree: left})
		var o api.Overview
		s.want(200, "GET", "/v1/overview", webtest.Viewer, "").into(t, &o)
		for _, a := range o.Attention {
			if a.Code == "store_full" {
				return a.Help
			}
		}
		return ""
	}
	s.Run(t, s.submit(small), 500, n)
	if got := help(1500 * cluster.MiB); got != "" {
		t.Errorf("a small job can be paused, and it says %q", got)
	}
	if got := help(900 * cluster.MiB); !strings.Contains(got, "while jobs can still be paused: 1 GiB should be left") {
		t.Errorf("there is little room, but enough for each job, and it says %q", got)
	}
	s.Run(t, s.submit(`{"cpu": "500m", "memory": "1600Mi", "command": ["true"]}`), 500, n)
	if got := help(1500 * cluster.MiB); !strings.Contains(got, "jobs cannot be paused without it") {
		t.Errorf("a large job cannot be paused for want of space, and it says %q", got)
	}
}
