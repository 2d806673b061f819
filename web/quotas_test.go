package web_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestAQuotaIsShownWithItsUseAndRefusesWithNumbers(t *testing.T) {
	s := newSite(t)
	s.submit(small)
	s.want(200, "PUT", "/v1/quotas", webtest.Admin, `{"project": "render", "jobs": 2, "memory": "1Gi", "logs": "1Gi"}`)
	s.want(200, "PUT", "/v1/quotas", webtest.Admin, `{"owner": "*", "tasks": 5, "weight": 300}`)
	s.submit(small)
	r := s.want(409, "POST", "/v1/jobs", webtest.Alice, small)
	if !strings.Contains(r.text, "the quota of project render is 2 jobs; its unfinished jobs take 2 jobs, and this one asks for 1 job") {
		t.Error(r.text)
	}
	used := api.Amounts{Jobs: 2, Tasks: 2, CPUMillicores: 1000, MemoryBytes: 128 << 20, LogBytes: 20 << 20}
	render := api.Quota{Project: "render", Most: api.Amounts{Jobs: 2, MemoryBytes: 1 << 30, LogBytes: 1 << 30},
		Used: used, Weight: 100}
	alice := api.Quota{Owner: "alice", Most: api.Amounts{Tasks: 5}, Used: used, Weight: 300}
	every := api.Quota{Owner: "*", Most: api.Amounts{Tasks: 5}, Weight: 300}
	for token, want := range map[string][]api.Quota{
		webtest.Alice: {render, alice}, webtest.Operator: {every, render, alice},
	} {
		var list api.QuotaList
		s.want(200, "GET", "/v1/quotas", token, "").into(t, &list)
		for i := range list.Quotas {
			list.Quotas[i].Used.SpecBytes = 0
		}
		if diff := cmp.Diff(want, list.Quotas); diff != "" {
			t.Errorf("%s (-want +got):\n%s", token, diff)
		}
	}
	s.want(200, "PUT", "/v1/quotas", webtest.Admin, `{"project": "render"}`)
	s.submit(small)
}
