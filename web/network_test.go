package web_test

import (
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web/webtest"
)

func TestTasksHaveAddressesOfTheSubnetThatAnAdminSet(t *testing.T) {
	s := newSite(t)
	job := `{"cpu": "500m", "memory": "64Mi", "command": ["true"], "tasks": 2, "network": "bridge"}`
	if r := s.want(409, "POST", "/v1/jobs", webtest.Alice, job); !strings.Contains(r.text, "has no subnet") {
		t.Error(r.text)
	}
	s.want(403, "PUT", "/v1/network", webtest.Operator, `{"subnet": "10.77.0.0/16"}`)
	s.want(422, "PUT", "/v1/network", webtest.Admin, `{"subnet": "10.77.0.1/16"}`)
	for body, field := range map[string]string{`{"subnet": "10.77.0.0/16", "bandwidth": 100001}`: "bandwidth",
		`{"subnet": "10.77.0.0/16", "bandwidth": -1}`: "bandwidth", `{"subnet": "", "open": true}`: "none is no subnet"} {
		if r := s.want(422, "PUT", "/v1/network", webtest.Admin, body); !strings.Contains(r.text, field) {
			t.Errorf("%s: %s", body, r.text)
		}
	}
	s.want(200, "PUT", "/v1/network", webtest.Admin, `{"subnet": "10.77.0.0/16"}`)
	s.Must(t, cluster.Join{Name: "n1", Boot: "b", Description: cluster.Description{CPU: 2000, Memory: 1 << 30,
		Bridged: true, Isolates: true, Limits: true}})
	s.Must(t, cluster.Join{Name: "old", Boot: "b", Description: cluster.Description{CPU: 2000, Memory: 1 << 30,
		Bridged: true}})
	id := s.submit(job)
	text := s.want(200, "GET", "/v1/jobs/"+id.String(), webtest.Alice, "").text
	for _, part := range []string{`"network":"bridge"`, `"address":"10.77.0.2"`, `"address":"10.77.0.3"`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	golden(t, "network.json", indented(t, s.want(200, "GET", "/v1/network", webtest.Viewer, "").text))
	s.want(409, "PUT", "/v1/network", webtest.Admin, `{"subnet": ""}`)
	s.want(200, "PUT", "/v1/network", webtest.Admin, `{"subnet": "10.77.0.0/16", "open": true, "bandwidth": 500}`)
	text = s.want(200, "GET", "/v1/network", webtest.Viewer, "").text
	for _, part := range []string{`"open":true`, `"bandwidth":500`, `"nodes":["n1"]`, `"unlimited":["old"]`} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in %s", part, text)
		}
	}
	s.want(422, "POST", "/v1/jobs", webtest.Alice, `{"cpu": "1", "memory": "64Mi", "command": ["x"], "network": "nat"}`)
}
