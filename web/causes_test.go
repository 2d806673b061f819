package web_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestALossIsToldWithTheNameOfItsNode(t *testing.T) {
	s := newSite(t)
	n := s.Join(t, "rack7", 2000, 1024*cluster.MiB)
	s.Run(t, s.submit(small), 500, n)
	s.Must(t, cluster.SetHealth{Node: n, Health: cluster.Silent})
	s.want(200, "POST", "/v1/nodes/rack7/confirm-down", webtest.Operator, "")
	const want = "node rack7 is down: confirmed down by operator"
	var j api.Job
	if s.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "").into(t, &j); j.Tasks[0].Exit.Cause != want {
		t.Errorf("its task ended by %q, want %q", j.Tasks[0].Exit.Cause, want)
	}
	var page api.EventPage
	if s.want(200, "GET", "/v1/history?kind=task_lost", webtest.Viewer, "").into(t, &page); page.Events[0].Text != want {
		t.Errorf("the event tells %q, want %q", page.Events[0].Text, want)
	}
}
