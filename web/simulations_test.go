package web_test

import (
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// fakeSimulations accepts simulations and never runs them.
type fakeSimulations struct {
	orders []web.SimulationOrder
	list   []api.Simulation
	gone   []string
}

func (s *fakeSimulations) Start(o web.SimulationOrder) (api.Simulation, error) {
	s.orders = append(s.orders, o)
	one := api.Simulation{ID: "s" + string(rune('0'+len(s.orders))), By: o.By, State: "waiting", Source: o.Source,
		Policies: o.Policies, Created: time.Unix(1767268800, 0).UTC()}
	s.list = append([]api.Simulation{one}, s.list...)
	return one, nil
}

func (s *fakeSimulations) List() []api.Simulation { return s.list }

func (s *fakeSimulations) Cancel(id string) error { s.gone = append(s.gone, "cancel "+id); return nil }

func (s *fakeSimulations) Remove(id string) error { s.gone = append(s.gone, "remove "+id); return nil }

func (s *fakeSimulations) Report(id string) (api.SimulationReport, error) {
	if id != "s1" {
		return api.SimulationReport{}, web.ErrNoReport
	}
	return api.SimulationReport{Nodes: []string{"n1"}, Runs: []api.SimulationRun{}}, nil
}

func simulating(t *testing.T) (*site, *fakeSimulations) {
	kept := &fakeSimulations{}
	s := &site{Cluster: webtest.New(t), TB: t}
	s.Simulations = kept
	s.Server = s.Serve(t)
	return s, kept
}

const traceOrder = `{"policies": ["FCFS"], "period": "5m", "penalty": "0s", "trace": {"format": "native", "text": "id,…", "nodes": 4}}`

func TestASimulationOfATraceIsOrdered(t *testing.T) {
	s, kept := simulating(t)
	s.want(201, "POST", "/v1/simulations", webtest.Alice, traceOrder, "Idempotency-Key: k1")
	o := kept.orders[0]
	if o.By != "alice" || o.Source != "native" || o.Nodes != 4 || o.Period != 5*cluster.Minute || o.Penalty != 0 ||
		o.Impossible != "skip" || o.Trace != "id,…" || o.Request != "rest/t-alice/k1" {
		t.Errorf("%+v", o)
	}
	large := strings.Replace(traceOrder, "id,…", strings.Repeat("x", 3<<20), 1)
	s.want(201, "POST", "/v1/simulations", webtest.Alice, large)
	beyond := strings.Replace(traceOrder, "id,…", strings.Repeat("x", 41<<20), 1)
	if r := s.want(413, "POST", "/v1/simulations", webtest.Alice, beyond); !strings.Contains(r.text,
		"larger than the limit of 40 MiB") || strings.Contains(r.text, "1 MiB") {
		t.Error(r.text)
	}
	var list api.SimulationList
	s.want(200, "GET", "/v1/simulations", webtest.Viewer, "").into(t, &list)
	if len(list.Simulations) != 2 || list.Simulations[0].ID != "s2" {
		t.Errorf("%+v", list)
	}
}

func TestASimulationOfTheLiveJobsHasTheirProcessors(t *testing.T) {
	s, kept := simulating(t)
	n1 := s.Join(t, "n1", 2500, 1024*cluster.MiB)
	d := s.Latest().Node(n1).Description
	d.Cores = 4
	s.Must(t, cluster.Join{Name: "n1", Boot: "1", Description: d})
	s.submit(`{"tasks": 2, "cpu": "1", "memory": "64Mi", "command": ["true"]}`)
	bound := cluster.Placement{Grant: cluster.Foreground.Grant(800), Nodes: []cluster.NodeID{n1, n1},
		Cores: []cluster.CoreID{2, 1}}
	s.Must(t, cluster.Adopt{Basis: s.Latest().Revision, Set: []cluster.Holding{{Job: 1, Placement: bound}}})
	s.want(201, "POST", "/v1/simulations", webtest.Alice, `{"policies": ["FCFS"], "live": {}}`)
	o := kept.orders[0]
	if p := o.LiveJobs[0].Now.Placement; o.LiveNodes[0].Cores != 2 || p.Core(0) != 2 || p.Core(1) != 1 {
		t.Errorf("%+v with %+v", o.LiveNodes, p)
	}
}

func TestASimulationOfTheLiveJobsTakesWhatIsLeftOfThem(t *testing.T) {
	s, kept := simulating(t)
	s.want(409, "POST", "/v1/simulations", webtest.Alice, `{"policies": ["FCFS"], "live": {}}`)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	s.Join(t, "n2", 1000, 512*cluster.MiB)
	s.submit(`{"cpu": "1", "memory": "64Mi", "command": ["true"], "estimate": "30m"}`)
	s.submit(`{"tasks": 2, "cpu": "500m", "memory": "64Mi", "command": ["true"], "restart": {"onLoss": false}}`)
	s.submit(small)
	s.want(200, "POST", "/v1/jobs/j3/hold", webtest.Alice, "")
	s.want(200, "POST", "/v1/nodes/n2/cordon", webtest.Operator, "")
	s.Run(t, 1, 500, n1)
	s.Advance(20 * cluster.Minute)
	s.want(201, "POST", "/v1/simulations", webtest.Alice, `{"policies": ["FCFS"], "live": {"runtime": "2h"}}`)
	o := kept.orders[0]
	if len(o.LiveNodes) != 2 || o.LiveNodes[0].Condition != cluster.NodeOpen ||
		o.LiveNodes[1].Condition != cluster.NodeClosed || len(o.LiveJobs) != 2 {
		t.Fatalf("%+v", o)
	}
	first, second := o.LiveJobs[0], o.LiveJobs[1]
	if first.Runtime != 20*cluster.Minute || first.Memory != 80*cluster.MiB || second.Runtime != 2*cluster.Hour ||
		second.Tasks != 2 || first.Fails || !second.Fails {
		t.Errorf("%+v", o.LiveJobs)
	}
	if first.Now.Placement == nil || first.Now.Placement.Cap != 500 || first.Now.Placement.Nodes[0] != 1 ||
		first.Now.Virtual != 10*cluster.Minute || first.Now.Age != 20*cluster.Minute {
		t.Errorf("it holds %+v", first.Now)
	}
	if second.Now.Placement != nil || second.Now.Saved || second.Now.Virtual != 0 {
		t.Errorf("one that waits stands at %+v", second.Now)
	}
}

func TestASimulationIsSteeredByWhoStartedItOrAnOperator(t *testing.T) {
	s, kept := simulating(t)
	s.want(201, "POST", "/v1/simulations", webtest.Alice, traceOrder)
	s.want(403, "POST", "/v1/simulations/s1/cancel", webtest.Bob, "")
	s.want(403, "DELETE", "/v1/simulations/s1", webtest.Bob, "")
	s.want(204, "POST", "/v1/simulations/s1/cancel", webtest.Alice, "")
	s.want(204, "DELETE", "/v1/simulations/s1", webtest.Operator, "")
	if got := strings.Join(kept.gone, ", "); got != "cancel s1, remove s1" {
		t.Error(got)
	}
	s.want(200, "GET", "/v1/simulations/s1", webtest.Viewer, "")
	s.want(200, "GET", "/v1/simulations/s1/report", webtest.Viewer, "")
	s.want(201, "POST", "/v1/simulations", webtest.Alice, traceOrder)
	if r := s.want(409, "GET", "/v1/simulations/s2/report", webtest.Viewer, ""); !strings.Contains(r.text, "waiting") {
		t.Error(r.text)
	}
}

func TestSimulationsThatMakeNoSenseAreRefused(t *testing.T) {
	s, _ := simulating(t)
	for body, field := range map[string]string{
		`{"policies": ["FCFS"]}`: "trace",
		`{"policies": ["FCFS"], "live": {}, "trace": {"format": "native", "text": "x", "nodes": 1}}`: "trace",
		`{"policies": [], "live": {}}`:                                                                               "policies",
		`{"policies": ["Guess"], "live": {}}`:                                                                        "policies",
		`{"policies": ["FCFS"], "period": "hunter2", "live": {}}`:                                                    "period",
		`{"policies": ["FCFS"], "period": "1ms", "live": {}}`:                                                        "period",
		`{"policies": ["FCFS"], "penalty": "-1s", "live": {}}`:                                                       "penalty",
		`{"policies": ["FCFS"], "live": {"runtime": "soon"}}`:                                                        "live.runtime",
		`{"policies": ["FCFS"], "estimates": "good", "live": {}}`:                                                    "estimates",
		`{"policies": ["FCFS"], "trace": {"format": "xml", "text": "x", "nodes": 1}}`:                                "trace.format",
		`{"policies": ["FCFS"], "trace": {"format": "swf", "text": "x", "nodes": 0}}`:                                "trace.nodes",
		`{"policies": ["FCFS"], "trace": {"format": "swf", "text": "", "nodes": 1}}`:                                 "trace.text",
		`{"policies": ["FCFS","FCFS","FCFS","FCFS","FCFS","FCFS","FCFS","FCFS","FCFS"], "live": {}}`:                 "policies",
		`{"policies": ["FCFS"], "trace": {"format": "swf", "text": "x", "nodes": 1, "path": "/etc/shadow/hunter2"}}`: "trace.path",
	} {
		r := s.want(422, "POST", "/v1/simulations", webtest.Alice, body)
		var p api.Problem
		r.into(t, &p)
		if p.Field != field || strings.Contains(r.text, secretValue) {
			t.Errorf("%s blames %q: %s", body, p.Field, r.text)
		}
	}
	s.want(403, "POST", "/v1/simulations", webtest.Viewer, traceOrder)
	s.want(404, "GET", "/v1/simulations/s9", webtest.Viewer, "")
	s.want(404, "GET", "/v1/simulations/s9/report", webtest.Viewer, "")
	s.want(404, "DELETE", "/v1/simulations/s9", webtest.Alice, "")
	other := newSite(t)
	other.want(409, "POST", "/v1/simulations", webtest.Alice, traceOrder)
	other.want(200, "GET", "/v1/simulations", webtest.Viewer, "")
}
