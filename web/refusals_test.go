package web_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// A wrong request is paired with the problem that it must cause.
type wrong struct {
	method, path, token, body string
	status                    int
	code, field               string
}

const (
	post, get, put, del = "POST", "GET", "PUT", "DELETE"
	jobs                = "/v1/jobs"
)

// secretValue is in every refused value that might be a secret; no answer may repeat it.
const secretValue = "hunter2"

func job(fields string) string {
	base := `{"name": "x", "cpu": "500m", "memory": "64Mi", "command": ["true"]`
	if fields != "" {
		base += ", " + fields
	}
	return base + "}"
}

var wrongs = []wrong{
	// Login and roles.
	{get, jobs, "", "", 401, "unauthorized", ""},
	{get, jobs, "alq_" + secretValue, "", 401, "unauthorized", ""},
	{get, jobs, "alq_revoked", "", 401, "unauthorized", ""},
	{get, jobs, "alq_expired", "", 401, "unauthorized", ""},
	{post, jobs, webtest.Viewer, small, 403, "forbidden", ""},
	{post, "/v1/nodes/n1/drain", webtest.Alice, "", 403, "forbidden", ""},
	{post, "/v1/tokens", webtest.Operator, `{"name": "x", "role": "admin"}`, 403, "forbidden", ""},
	{put, "/v1/policy", webtest.Operator, `{"name": "FCFS"}`, 403, "forbidden", ""},
	{put, "/v1/theta", webtest.Alice, `{"theta": 0.2}`, 403, "forbidden", ""},
	{put, "/v1/quotas", webtest.Operator, `{"project": "x", "jobs": 1}`, 403, "forbidden", ""},
	{put, "/v1/time", webtest.Operator, `{"time": "2026-11-24T16:30:00Z"}`, 403, "forbidden", ""},
	{get, "/v1/debug/view", webtest.Operator, "", 403, "forbidden", ""},
	{del, "/v1/jobs/j1", webtest.Bob, "", 403, "forbidden", ""},
	{post, "/v1/jobs/j1/hold", webtest.Bob, "", 403, "forbidden", ""},
	{get, "/v1/jobs/j1/logs", webtest.Bob, "", 403, "forbidden", ""},
	{post, "/v1/plan/apply", webtest.Alice, `{"basis": 1, "hypothesis": {"drain": "n1"}}`, 403, "forbidden", ""},
	{post, "/v1/plan/apply", webtest.Operator, `{"basis": 1, "hypothesis": {"policy": {"name": "FCFS"}}}`, 403,
		"forbidden", "hypothesis"},
	// Methods, paths and bodies.
	{get, "/v1/nothing", webtest.Alice, "", 404, "not_found", ""},
	{get, "/", "", "", 404, "not_found", ""},
	{"PATCH", jobs, webtest.Alice, small, 405, "method_not_allowed", ""},
	{get, "/v1/jobs?colour=red", webtest.Alice, "", 422, "invalid", "colour"},
	{get, "/v1/jobs?limit=0", webtest.Alice, "", 422, "invalid", "limit"},
	{get, "/v1/jobs?limit=many", webtest.Alice, "", 422, "invalid", "limit"},
	{get, "/v1/jobs?cursor=hunter2", webtest.Alice, "", 422, "invalid", "cursor"},
	{get, "/v1/jobs?state=sleeping", webtest.Alice, "", 422, "invalid", "state"},
	{get, "/v1/jobs?label=red", webtest.Alice, "", 422, "invalid", "label"},
	{get, "/v1/jobs?name=%5Ba", webtest.Alice, "", 422, "invalid", "name"},
	{get, "/v1/jobs?sort=colour", webtest.Alice, "", 422, "invalid", "sort"},
	{get, "/v1/jobs?order=up", webtest.Alice, "", 422, "invalid", "order"},
	{get, "/v1/jobs?offset=-1", webtest.Alice, "", 422, "invalid", "offset"},
	{get, "/v1/jobs?sort=name&cursor=j1", webtest.Alice, "", 422, "invalid", "cursor"},
	{get, "/v1/jobs?node=n9", webtest.Alice, "", 404, "not_found", "node"},
	{get, "/v1/jobs?search=" + strings.Repeat("x", 200), webtest.Alice, "", 422, "invalid", "search"},
	{get, "/v1/map?node=n9", webtest.Alice, "", 404, "not_found", "node"},
	{get, "/v1/map?limit=100000", webtest.Alice, "", 422, "invalid", "limit"},
	{get, "/v1/series?from=2026-01-01T12:00:00Z&to=2026-01-01T11:00:00Z", webtest.Alice, "", 422, "invalid", "from"},
	{get, "/v1/series?from=2020-01-01T12:00:00Z", webtest.Alice, "", 422, "invalid", "from"},
	{get, "/v1/series?from=hunter2", webtest.Alice, "", 422, "invalid", "from"},
	{get, "/v1/series?rows=5000", webtest.Alice, "", 422, "invalid", "rows"},
	{get, "/v1/series", "", "", 401, "unauthorized", ""},
	{get, "/v1/nodes/n9/series", webtest.Alice, "", 404, "not_found", "node"},
	{get, "/v1/jobs/j99/usage", webtest.Alice, "", 404, "not_found", "job"},
	{get, "/v1/jobs/j1/usage?first=-1", webtest.Alice, "", 422, "invalid", "first"},
	{get, "/v1/jobs/j99/timeline", webtest.Alice, "", 404, "not_found", "job"},
	{get, "/v1/jobs/j1/timeline?cursor=hunter2", webtest.Alice, "", 422, "invalid", "cursor"},
	{get, "/v1/timeline?limit=20000", webtest.Alice, "", 422, "invalid", "limit"},
	{get, "/v1/timeline?node=n9", webtest.Alice, "", 404, "not_found", "node"},
	{get, "/v1/timeline?job=hunter2", webtest.Alice, "", 422, "invalid", "job"},
	{get, "/v1/overview", "", "", 401, "unauthorized", ""},
	{get, "/v1/history/export?format=xml", webtest.Alice, "", 422, "invalid", "format"},
	{get, "/v1/history/export?kind=hunter2", webtest.Alice, "", 422, "invalid", "kind"},
	{get, "/v1/history/export?from=hunter2", webtest.Alice, "", 422, "invalid", "from"},
	{get, "/v1/history?from=hunter2", webtest.Alice, "", 422, "invalid", "from"},
	{get, "/v1/jobs/17", webtest.Alice, "", 422, "invalid", "job"},
	{get, "/v1/jobs/j99", webtest.Alice, "", 404, "not_found", "job"},
	{del, "/v1/jobs/j99", webtest.Alice, "", 404, "not_found", "job"},
	{get, "/v1/jobs/j1/logs?task=5", webtest.Alice, "", 404, "not_found", "task"},
	{get, "/v1/jobs/j1/logs?run=5", webtest.Alice, "", 404, "not_found", "run"},
	{get, "/v1/jobs/j1/logs", webtest.Alice, "", 404, "no_logs", ""},
	{get, "/v1/jobs/j1/logs?stream=stdin", webtest.Alice, "", 422, "invalid", "stream"},
	{get, "/v1/nodes/n9", webtest.Alice, "", 404, "not_found", "node"},
	{post, "/v1/nodes/n1/confirm-down", webtest.Operator, "", 409, "conflict", "node"},
	{post, "/v1/nodes/n1/strays", webtest.Operator, `{"run": "j1/0", "action": "adopt"}`, 422, "invalid", "run"},
	{post, "/v1/nodes/n1/strays", webtest.Operator, `{"run": "j1/0/1", "action": "keep"}`, 422, "invalid", "action"},
	{post, "/v1/nodes/n1/strays", webtest.Operator, `{"run": "j1/0/1", "action": "adopt"}`, 404, "not_found", "run"},
	{del, "/v1/jobs/j2", webtest.Alice, "", 409, "conflict", ""},
	{get, "/v1/events?since=yesterday", webtest.Alice, "", 422, "invalid", "since"},
	{get, "/v1/events?since=1", webtest.Alice, "", 410, "resume_too_old", "since"},
	{get, "/v1/history?job=j9", webtest.Alice, "", 404, "not_found", "job"},
	{get, "/v1/events?job=j9", webtest.Alice, "", 404, "not_found", "job"},
	{get, "/v1/history?job=seven", webtest.Alice, "", 422, "invalid", "job"},
	{get, "/v1/history?cursor=-1", webtest.Alice, "", 422, "invalid", "cursor"},
	{get, "/v1/history?kind=%5B", webtest.Alice, "", 422, "invalid", "kind"},
	{get, "/v1/history?kind=hunter2", webtest.Alice, "", 422, "invalid", "kind"},
	{get, "/v1/history?kind=job_ended,nodes_*", webtest.Alice, "", 422, "invalid", "kind"},
	{get, "/v1/events?kind=node_drained", webtest.Alice, "", 422, "invalid", "kind"},
	// Jobs that are malformed…
	{post, jobs, webtest.Alice, "", 400, "malformed", ""},
	{post, jobs, webtest.Alice, `{"name": `, 400, "malformed", ""},
	{post, jobs, webtest.Alice, small + small, 400, "malformed", ""},
	{post, jobs, webtest.Alice, `[]`, 422, "invalid", ""},
	{post, jobs, webtest.Alice, `{"name": "` + strings.Repeat("x", 2<<20) + `"}`, 413, "too_large", ""},
	{post, jobs, webtest.Alice, `{"memory": "64Mi", "command": ["true"]}`, 422, "invalid", "cpu"},
	{post, jobs, webtest.Alice, job(`"memroy": "64Mi"`), 422, "invalid", "memroy"},
	{post, jobs, webtest.Alice, `{"CPU": "500m", "memory": "64Mi", "command": ["true"]}`, 422, "invalid", "CPU"},
	{post, jobs, webtest.Alice, `{"cpu": 500, "memory": "64Mi", "command": ["true"]}`, 422, "invalid", "cpu"},
	{post, jobs, webtest.Alice, `{"cpu": "hunter2", "memory": "64Mi", "command": ["true"]}`, 422, "invalid", "cpu"},
	{post, jobs, webtest.Alice, `{"cpu": "0", "memory": "64Mi", "command": ["true"]}`, 422, "invalid", "cpu"},
	{post, jobs, webtest.Alice, `{"cpu": "-1", "memory": "64Mi", "command": ["true"]}`, 422, "invalid", "cpu"},
	{post, jobs, webtest.Alice, `{"cpu": "1", "memory": "64M", "command": ["true"]}`, 422, "invalid", "memory"},
	{post, jobs, webtest.Alice, `{"cpu": "1", "memory": "1Mi", "command": ["true"]}`, 422, "invalid", "memory"},
	{post, jobs, webtest.Alice, job(`"tasks": 0`), 422, "invalid", "tasks"},
	{post, jobs, webtest.Alice, job(`"reserve": {"start": "hunter2", "duration": "1h"}`), 422, "invalid", "reserve.start"},
	{post, jobs, webtest.Alice, job(`"reserve": {"start": "2001-01-01T00:00:00Z", "duration": "1h"}`), 422, "invalid",
		"reserve.start"},
	{post, jobs, webtest.Alice, job(`"reserve": {"start": "2999-01-01T00:00:00Z", "duration": "1h"}`), 422, "invalid",
		"reserve"},
	{post, jobs, webtest.Alice, job(`"reserve": {"start": "2999-01-01T00:00:00Z", "duration": "0s"}`), 422, "invalid",
		"reserve.duration"},
	{post, jobs, webtest.Alice, job(`"reserve": {"duration": "1h"}`), 422, "invalid", "reserve.start"},
	{post, jobs, webtest.Alice, job(`"tasks": 100000`), 422, "invalid", "tasks"},
	{post, jobs, webtest.Alice, job(`"tasks": 1.5`), 422, "invalid", "tasks"},
	{post, jobs, webtest.Alice, `{"name": "-x-", "cpu": "1", "memory": "64Mi", "command": ["true"]}`, 422,
		"invalid", "name"},
	{post, jobs, webtest.Alice, job(`"env": {"PASSWORD": 7, "OTHER": ["hunter2"]}`), 422, "invalid", "env.OTHER"},
	{post, jobs, webtest.Alice, job(`"env": {"hunter2=": "x"}`), 422, "invalid", "env"},
	{post, jobs, webtest.Alice, job(`"restart": "always"`), 422, "invalid", "restart"},
	{post, jobs, webtest.Alice, job(`"restart": {"onFailure": -1}`), 422, "invalid", "restart.onFailure"},
	{post, jobs, webtest.Alice, job(`"limits": {"runtime": "soon"}`), 422, "invalid", "limits.runtime"},
	{post, jobs, webtest.Alice, job(`"limits": {"logBytes": "lots"}`), 422, "invalid", "limits.logBytes"},
	{post, jobs, webtest.Alice, job(`"limits": {"memory": "1Gi"}`), 422, "invalid", "limits.memory"},
	{post, jobs, webtest.Alice, job(`"estimate": "-5m"`), 422, "invalid", "estimate"},
	{post, jobs, webtest.Alice, job(`"type": "a b"`), 422, "invalid", "type"},
	// …and jobs that could never run.
	{post, jobs, webtest.Alice, job(`"image": "debian"`), 422, "unknown_image", "image"},
	{post, jobs, webtest.Alice, job(`"image": "debian@sha256:00"`), 422, "unknown_image", "image"},
	{post, jobs, webtest.Alice, `{"cpu": "1", "memory": "64Mi"}`, 422, "invalid", "command"},
	{post, jobs, webtest.Alice, `{"cpu": "64", "memory": "64Mi", "command": ["true"]}`, 422, "need_exceeds_every_node",
		"cpu"},
	{post, jobs, webtest.Alice, `{"cpu": "1", "memory": "64Gi", "command": ["true"]}`, 422, "memory_exceeds_every_node",
		"memory"},
	{post, jobs, webtest.Alice, job(`"tasks": 100`), 422, "tasks_exceed_cluster", "tasks"},
	{post, jobs, webtest.Alice, job(`"placement": {"nodes": ["n9"]}`), 422, "no_allowed_node", "placement"},
	{post, jobs, webtest.Alice, job(`"tasks": 2, "placement": {"spread": true}`), 422, "tasks_exceed_cluster", "placement"},
	// Plans, policies, images, tokens.
	{post, "/v1/plan", webtest.Alice, `{"drain": "n9"}`, 404, "not_found", "node"},
	{post, "/v1/plan", webtest.Alice, `{"drain": "n1", "policy": {"name": "FCFS"}}`, 422, "invalid", ""},
	{post, "/v1/plan", webtest.Alice, `{"submit": {"cpu": "x", "memory": "64Mi", "command": ["true"]}}`, 422, "invalid",
		"submit.cpu"},
	{post, "/v1/plan", webtest.Alice, `{"policy": {"name": "Guess"}}`, 422, "invalid", "policy.name"},
	{post, "/v1/plan", webtest.Alice, `{}`, 503, "no_leader", ""},
	{post, "/v1/plan/apply", webtest.Operator, `{"basis": 1, "hypothesis": {"drain": "n1"}}`, 409, "stale_basis", "basis"},
	{put, "/v1/policy", webtest.Admin, `{"name": "Guess"}`, 422, "invalid", "name"},
	{put, "/v1/policy", webtest.Admin, `{"name": "FCFS", "period": "1ms"}`, 422, "invalid", "period"},
	{put, "/v1/policy", webtest.Admin, `{}`, 422, "invalid", "name"},
	{put, "/v1/theta", webtest.Operator, `{}`, 422, "invalid", "theta"},
	{put, "/v1/theta", webtest.Operator, `{"theta": -1}`, 422, "invalid", "theta"},
	{put, "/v1/theta", webtest.Operator, `{"theta": 0.0005}`, 422, "invalid", "theta"},
	{put, "/v1/theta", webtest.Operator, `{"theta": 101}`, 422, "invalid", "theta"},
	{put, "/v1/theta", webtest.Operator, `{"theta": "NaN"}`, 422, "invalid", "theta"},
	{put, "/v1/quotas", webtest.Admin, `{"jobs": 1}`, 422, "invalid", ""},
	{put, "/v1/quotas", webtest.Admin, `{"project": "a b", "jobs": 1}`, 422, "invalid", "project"},
	{put, "/v1/quotas", webtest.Admin, `{"project": "x", "cpu": "much"}`, 422, "invalid", "cpu"},
	{put, "/v1/quotas", webtest.Admin, `{"owner": "x", "logs": "much"}`, 422, "invalid", "logs"},
	{put, "/v1/time", webtest.Admin, `{"time": "noon"}`, 422, "invalid", "time"},
	{put, "/v1/time", webtest.Admin, `{"time": "1960-01-01T00:00:00Z"}`, 422, "invalid", "time"},
	{post, "/v1/images?name=x", webtest.Operator, `{}`, 415, "unsupported_media_type", "Content-Type"},
	{post, "/v1/images", webtest.Operator, `{}`, 422, "invalid", "name"},
	{del, "/v1/images/abc", webtest.Operator, "", 404, "not_found", "image"},
	{del, "/v1/images/" + webtest.Digest, webtest.Operator, "", 409, "conflict", "image"},
	{post, "/v1/tokens", webtest.Admin, `{"name": "x", "role": "system"}`, 422, "invalid", "role"},
	{post, "/v1/tokens", webtest.Admin, `{"name": "x", "role": "user", "expires": "never"}`, 422, "invalid", "expires"},
	{del, "/v1/tokens/t-nobody", webtest.Admin, "", 404, "not_found", "token"},
	{del, "/v1/tokens/t-admin", webtest.Admin, "", 409, "last_admin", "token"},
}

// flawed is a site with a job, an ended job and a node, where wrong requests may do harm.
func flawed(t *testing.T) *site {
	s := newSite(t)
	s.Join(t, "n1", 2000, 512*cluster.MiB)
	s.submit(small)
	s.submit(small)
	s.want(200, "DELETE", "/v1/jobs/j2", webtest.Alice, "")
	for secret, token := range map[string]cluster.Token{
		"alq_revoked": {ID: "t-revoked", Name: "revoked"},
		"alq_expired": {ID: "t-expired", Name: "expired", Expires: webtest.Start},
	} {
		token.Hash, token.Actor = web.HashSecret(secret), cluster.Actor{Name: token.Name, Owner: "x", Project: "x",
			Role: cluster.User}
		s.Must(t, cluster.PutToken{Token: token})
		if token.ID == "t-revoked" {
			token.Revoked = true
			s.Must(t, cluster.PutToken{Token: token})
		}
	}
	s.Keep = s.Latest().Revision - 1
	return s
}

func TestWrongRequestsAreRefusedClearlyAndChangeNothing(t *testing.T) {
	s := flawed(t)
	before := s.fingerprint()
	var story strings.Builder
	for _, w := range wrongs {
		name := fmt.Sprintf("%s %s %.60s", w.method, w.path, w.body)
		r := s.call(w.method, w.path, w.token, w.body)
		var p api.Problem
		r.into(t, &p)
		if r.status != w.status || p.Status != w.status || p.Code != w.code || p.Field != w.field {
			t.Errorf("%s\nanswered %d %s, field %q: %s\nwant     %d %s, field %q", name, r.status, p.Code, p.Field, p.Detail,
				w.status, w.code, w.field)
		}
		if p.Help == "" || p.Detail == "" || p.Title == "" || r.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s\nanswered an incomplete problem as %s: %s", name, r.header.Get("Content-Type"), r.text)
		}
		if strings.Contains(r.text, secretValue) {
			t.Errorf("%s\nrepeats the value: %s", name, r.text)
		}
		if after := s.fingerprint(); !bytes.Equal(before, after) {
			t.Fatalf("%s\nchanged the state", name)
		}
		fmt.Fprintf(&story, "%s\n  %d %s %s: %s\n", name, p.Status, p.Code, p.Field, p.Detail)
	}
	golden(t, "refusals.txt", story.String())
	if len(wrongs) < 40 {
		t.Errorf("%d wrong requests, want at least 40", len(wrongs))
	}
}

func TestEveryCodeHasAStatusOfAnErrorAndIsDocumented(t *testing.T) {
	for _, code := range []cluster.Code{
		cluster.CodeNotFound, cluster.CodeForbidden, cluster.CodeInvalid, cluster.CodeConflict, cluster.CodeStaleEpoch,
		cluster.CodeStaleBasis, cluster.CodeNeedsMoreCPU, cluster.CodeNeedsMoreMem, cluster.CodeTooManyTasks,
		cluster.CodeNoAllowedNode, cluster.CodeImageInUse, cluster.CodeUnknownImage, cluster.CodeLimit,
		cluster.CodeInternalBug,
	} {
		if _, ok := web.Kinds()[string(code)]; !ok {
			t.Errorf("%s has no status", code)
		}
	}
	page := readFile(t, "../docs/api.md")
	for code, status := range web.Kinds() {
		if status < 400 {
			t.Errorf("%s has status %d", code, status)
		}
		if !strings.Contains(page, fmt.Sprintf("| `%s` | %d |", code, status)) {
			t.Errorf("docs/api.md lacks the line | `%s` | %d |", code, status)
		}
	}
}

func TestWhatIsNotFoundIsToBeLookedForAmongItsKind(t *testing.T) {
	s := flawed(t)
	for request, want := range map[[2]string]string{
		{get, "/v1/jobs/j99"}:             "List the jobs; ended ones are forgotten after a while.",
		{del, "/v1/jobs/j99"}:             "List the jobs; ended ones are forgotten after a while.",
		{get, "/v1/nodes/n9"}:             "List the nodes.",
		{del, "/v1/images/none"}:          "List the images.",
		{del, "/v1/tokens/none"}:          "List the tokens.",
		{del, "/v1/sessions/none"}:        "List the sessions.",
		{get, "/v1/jobs/j1/logs?task=99"}: "Show the job with its tasks.",
		{get, "/v1/workflows/w9999"}:      "List the workflows; they are forgotten with their jobs.",
		{del, "/v1/nodes/n1/maintenance"}: "Show the node with its planned maintenance.",
		{del, "/v1/standing/s1"}:          "List the standing reservations; those that are over are not kept.",
		{get, "/v1/nothing"}:              "See /v1/docs for the existing paths.",
	} {
		var p api.Problem
		s.want(404, request[0], request[1], webtest.Admin, "").into(t, &p)
		if p.Help != want {
			t.Errorf("%v: %s, want %s", request, p.Help, want)
		}
	}
}

func TestAJobToWaitForIsToBeLookedForAmongTheJobs(t *testing.T) {
	var p api.Problem
	newSite(t).want(404, post, jobs, webtest.Admin, job(`"after": ["j999"]`)).into(t, &p)
	if want := "List the jobs; ended ones are forgotten after a while."; p.Help != want {
		t.Errorf("%s, want %s", p.Help, want)
	}
}

func TestTheFormOfAValueIsToldInWords(t *testing.T) {
	s := newSite(t)
	for request, want := range map[wrong]string{
		{method: post, path: jobs, body: job(`"reserve": {"start": "10m", "duration": "1h"}`)}: "expected a time with its " +
			"zone, like 2026-11-26T14:00:00Z",
		{method: post, path: jobs, body: job(`"bogus": 1`)}: "there is no such field",
		{method: post, path: "/v1/images?name=b%20ad"}: "expected string to be of small letters, digits and ._-, with a " +
			"letter or digit at both ends",
	} {
		var p api.Problem
		s.want(422, request.method, request.path, webtest.Admin, request.body).into(t, &p)
		if p.Detail != want {
			t.Errorf("%+v: %s, want %s", request, p.Detail, want)
		}
	}
}

// The help for a wrong field also appears below the fields of the console's forms.
func TestTheHelpForAWrongFieldDoesNotTalkOfREST(t *testing.T) {
	var p api.Problem
	newSite(t).want(422, get, "/v1/jobs?limit=0", webtest.Admin, "").into(t, &p)
	if want := "Correct it and try again."; p.Help != want {
		t.Errorf("%s, want %s", p.Help, want)
	}
}

func TestMethodNotAllowedNamesTheMethods(t *testing.T) {
	s := newSite(t)
	r := s.want(405, "PATCH", "/v1/jobs/j1", webtest.Alice, "{}")
	if got := strings.Join(r.header.Values("Allow"), ", "); got != "GET, DELETE" {
		t.Errorf("Allow: %s", got)
	}
}

func TestUnauthorizedNamesTheScheme(t *testing.T) {
	r := newSite(t).want(401, "GET", "/v1/jobs", "", "")
	if got := r.header.Get("WWW-Authenticate"); got != `Bearer realm="aliquot"` {
		t.Errorf("WWW-Authenticate: %s", got)
	}
}

func TestNothingIsDoneWithoutALeader(t *testing.T) {
	s := newSite(t)
	s.SetDown(true)
	for _, w := range []wrong{{method: post, path: jobs, body: small}, {method: get, path: jobs},
		{method: del, path: "/v1/jobs/j1"}} {
		r := s.want(503, w.method, w.path, webtest.Alice, w.body)
		if r.header.Get("Retry-After") == "" || !strings.Contains(r.text, "no_leader") {
			t.Errorf("%s %s: %v %s", w.method, w.path, r.header, r.text)
		}
	}
	s.want(503, "GET", "/v1/health", "", "")
}

func TestATokenIsNotCalledUnknownWithoutALeader(t *testing.T) {
	s := newSite(t)
	s.want(401, "GET", jobs, "alq_new", "")
	s.SetDown(true) // another replica may know the token
	if r := s.want(503, "GET", jobs, "alq_new", ""); !strings.Contains(r.text, "no_leader") {
		t.Error(r.text)
	}
}

func TestUnknownOutcomeIsSaid(t *testing.T) {
	s := newSite(t)
	s.Fault = func(cluster.Action) error { return fmt.Errorf("propose: %w", web.ErrUncertain) }
	if r := s.want(504, "POST", "/v1/jobs", webtest.Alice, small); !strings.Contains(r.text, "Idempotency-Key") {
		t.Error(r.text)
	}
}

func TestBugsDoNotShowTheirStack(t *testing.T) {
	s := newSite(t)
	s.Fault = func(cluster.Action) error {
		return &cluster.Rejection{Code: cluster.CodeInternalBug,
			Detail: "revision 7, cluster.Submit: boom\ngoroutine 1 [running]"}
	}
	r := s.want(500, "POST", "/v1/jobs", webtest.Alice, small)
	if strings.Contains(r.text, "goroutine") || !strings.Contains(r.text, "revision 7") {
		t.Error(r.text)
	}
}
