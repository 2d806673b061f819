package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/manager/audit"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func words(e *api.AuditEntry) string {
	return strings.Join(strings.Fields(fmt.Sprintln(e.Actor, e.Operation, e.Object, e.Outcome, e.Code)), " ")
}

// trail returns the entries that the query selects, the oldest first, each as a few words.
func (s *site) trail(query string) (lines []string) {
	s.Helper()
	var page api.AuditPage
	s.want(200, "GET", "/v1/audit"+query, webtest.Admin, "").into(s, &page)
	for _, e := range page.Entries {
		lines = append([]string{words(&e)}, lines...)
	}
	return lines
}

func TestChangesLoginsRefusalsAndReadsOfSecretsAreInTheAuditLog(t *testing.T) {
	s := newSite(t)
	n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
	id := s.submit(small)
	s.Run(t, id, 500, n1)
	s.Print(cluster.RunID{Job: id, Number: 1}, "hello")
	for _, c := range []struct {
		status                    int
		method, path, token, body string
		want                      string
	}{
		{201, "POST", "/v1/jobs", webtest.Alice, small, "alice submit-job j2 accepted"},
		{422, "POST", "/v1/jobs", webtest.Alice, `{"name": "x"}`, "alice submit-job refused invalid"},
		{400, "POST", "/v1/jobs", webtest.Alice, `{`, "alice submit-job refused malformed"},
		{403, "POST", "/v1/jobs", webtest.Viewer, small, "viewer submit-job refused forbidden"},
		{403, "DELETE", "/v1/jobs/j2", webtest.Bob, "", "bob cancel-job j2 refused forbidden"},
		{404, "DELETE", "/v1/jobs/j9", webtest.Bob, "", "bob cancel-job refused not_found"},
		{200, "DELETE", "/v1/jobs/j2", webtest.Alice, "", "alice cancel-job j2 accepted"},
		{403, "DELETE", "/v1/jobs/j2", webtest.Viewer, "", "viewer cancel-job j2 refused forbidden"},
		{409, "POST", "/v1/jobs/j2/hold", webtest.Alice, "", "alice hold-job j2 refused conflict"},
		{403, "POST", "/v1/nodes/n1/drain", webtest.Viewer, "", "viewer drain-node n1 refused forbidden"},
		{403, "POST", "/v1/nodes/alq_n9/drain", webtest.Viewer, "", "viewer drain-node refused forbidden"},
		{403, "DELETE", "/v1/jobs/j1", webtest.Viewer, "", "viewer cancel-job j1 refused forbidden"},
		{403, "GET", "/v1/jobs/j1/tasks/0/exec", webtest.Viewer, "", "viewer exec-command j1 0 refused forbidden"},
		{403, "GET", "/v1/jobs/j1/tasks/alq_0/exec", webtest.Viewer, "", "viewer exec-command refused forbidden"},
		{403, "DELETE", "/v1/tokens/t-bob", webtest.Viewer, "", "viewer revoke-token refused forbidden"},
		{401, "GET", "/v1/jobs", "alq_guess", "", "list-jobs refused unauthorized"},
		{200, "GET", "/v1/jobs/j1/logs", webtest.Operator, "", "operator get-logs j1 accepted"},
		{403, "GET", "/v1/jobs/j1/logs", webtest.Bob, "", "bob get-logs j1 refused forbidden"},
		{200, "GET", "/v1/debug/view", webtest.Admin, "", "admin get-debug-view accepted"},
		{403, "GET", "/v1/audit", webtest.Operator, "", "operator list-audit refused forbidden"},
		{200, "PUT", "/v1/quotas", webtest.Admin, `{"project": "render", "jobs": 9}`, "admin set-quota render accepted"},
		{200, "PUT", "/v1/network", webtest.Admin, `{"subnet": "10.77.0.0/16", "open": true, "bandwidth": 500}`,
			"admin set-network 10.77.0.0/16, open, 500 Mbit/s accepted"},
		{403, "PUT", "/v1/policy", webtest.Operator, `{"name": "FCFS"}`, "operator set-policy FCFS refused forbidden"},
		{403, "PUT", "/v1/policy", webtest.Operator, `{"name": "alq_x"}`, "operator set-policy refused forbidden"},
		{403, "PUT", "/v1/policy", webtest.Operator, `{`, "operator set-policy refused forbidden"},
		{200, "PUT", "/v1/policy", webtest.Admin, `{"name": "FCFS"}`, "admin set-policy FCFS accepted"},
		{200, "POST", "/v1/nodes/n1/drain", webtest.Operator, "", "operator drain-node n1 accepted"},
		{200, "DELETE", "/v1/tokens/t-bob", webtest.Admin, "", "admin revoke-token t-bob accepted"},
		{401, "GET", "/v1/jobs", webtest.Bob, "", "bob list-jobs refused unauthorized"},
	} {
		s.want(c.status, c.method, c.path, c.token, c.body)
		var page api.AuditPage
		s.want(200, "GET", "/v1/audit?limit=4", webtest.Admin, "").into(t, &page)
		found := false
		for _, e := range page.Entries {
			line := words(&e)
			found = found || line == c.want && e.Status == c.status && e.From == "127.0.0.1"
		}
		if !found {
			t.Errorf("%s %s: no %q in %+v", c.method, c.path, c.want, page.Entries)
		}
	}
	before := len(s.trail("?limit=1000"))
	s.want(200, "GET", "/v1/jobs", webtest.Alice, "")
	s.want(200, "GET", "/v1/tokens", webtest.Admin, "")
	s.want(200, "GET", "/v1/sessions", webtest.Admin, "")
	s.want(422, "GET", "/v1/jobs?limit=0", webtest.Alice, "")
	s.want(404, "GET", "/v1/nothing", webtest.Alice, "")
	if after := s.trail("?limit=1000"); len(after) != before {
		t.Errorf("reading is recorded: %v", after[before:])
	}
}

func TestLoginsAreInTheAuditLogWithTheirSession(t *testing.T) {
	s := newSite(t)
	cookie, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	s.call("POST", "/v1/session", "", `{"token": "alq_guess"}`, mine)
	s.want(403, "POST", "/v1/jobs", "", small, cookie)
	want := []string{"alice create-session accepted", "create-session refused unauthorized",
		"alice submit-job refused cross_site"}
	if diff := cmp.Diff(want, s.trail("")); diff != "" {
		t.Error(diff)
	}
	var page api.AuditPage
	s.want(200, "GET", "/v1/audit?who=t-alice", webtest.Admin, "").into(t, &page)
	if len(page.Entries) != 2 || page.Entries[0].Session == "" || page.Entries[0].Session != page.Entries[1].Session {
		t.Errorf("%+v", page.Entries)
	}
}

// operations returns the method and the path of each operation.
func operations(t *testing.T) (list []struct{ method, path string }) {
	t.Helper()
	text, err := web.OpenAPI("test")
	if err != nil {
		t.Fatal(err)
	}
	var described struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	for path, methods := range described.Paths {
		for method := range methods {
			list = append(list, struct{ method, path string }{strings.ToUpper(method), path})
		}
	}
	return list
}

func TestNoSecretOfARequestIsInTheAuditLog(t *testing.T) {
	s := newSite(t)
	dir := t.TempDir()
	log, err := audit.Open(dir, audit.Limits{Age: 24 * 3600e9, Bytes: 1 << 30, Segment: audit.Segment}, nil, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	s.Audit = log
	s.Server = s.Serve(t)
	cookie, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	s.want(201, "POST", "/v1/tokens", webtest.Admin, `{"name": "x", "role": "admin"}`)
	for _, r := range wrongs {
		if !strings.HasPrefix(r.path, "/v1/events") { // here its cursor is good, and the stream would not end
			s.call(r.method, r.path, r.token, r.body)
		}
	}
	for _, o := range operations(t) {
		if o.path == "/v1/events" {
			continue // its stream would not end
		}
		path := regexp.MustCompile(`{.*?}`).ReplaceAllString(o.path, secretValue+"!") // no name of anything
		for _, token := range []string{webtest.Admin, webtest.Viewer, "alq_" + secretValue, ""} {
			for _, body := range []string{`{"env": ["A=` + secretValue + `"]}`, `{"code": "` + secretValue + `"}`} {
				s.call(o.method, path+"?search="+secretValue, token, body, "User-Agent: "+secretValue, cookie, mine)
				s.call(o.method, path, token, body, "Idempotency-Key: "+secretValue, cookie, mine)
			}
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	_, sealed, _ := strings.Cut(cookie, "=")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{secretValue, "alq_", sealed} {
			if i := bytes.Index(text, []byte(secret)); i >= 0 {
				t.Errorf("%s is in %s", secret, text[max(0, i-200):min(len(text), i+50)])
			}
		}
	}
}

func TestADoubtfulChangeIsRecordedWithItsObject(t *testing.T) {
	s := newSite(t)
	s.Fault = func(cluster.Action) error { return web.ErrUncertain }
	s.want(504, "DELETE", "/v1/tokens/t-bob", webtest.Admin, "")
	s.want(404, "DELETE", "/v1/tokens/"+web.NewSecret(), webtest.Admin, "")
	want := []string{"admin revoke-token t-bob failed outcome_unknown", "admin revoke-token refused not_found"}
	if diff := cmp.Diff(want, s.trail("")); diff != "" {
		t.Error(diff)
	}
}

// undecided is a manager whose majority does not answer in time.
type undecided struct{ *webtest.Cluster }

func (undecided) Snapshot(context.Context) (*cluster.Snapshot, error) { return nil, web.ErrUncertain }

func TestANameThatWasNeverLookedUpIsNotRecordedBecauseItMayBeASecret(t *testing.T) {
	s := newSite(t)
	server := httptest.NewServer(web.NewHandler(web.Options{Manager: undecided{s.Cluster}, Audit: s.Audit}))
	defer server.Close()
	lost := &site{s.Cluster, t, server}
	lost.want(504, "DELETE", "/v1/tokens/"+web.NewSecret(), webtest.Admin, "")
	s.want(201, "POST", "/v1/nodes/n1/invitation", webtest.Operator, `{}`, "Idempotency-Key: once")
	s.want(422, "POST", "/v1/nodes/"+web.NewSecret()+"/invitation", webtest.Operator, `{}`, "Idempotency-Key: once")
	want := []string{"admin revoke-token failed outcome_unknown", "operator invite-node n1 accepted",
		"operator invite-node refused invalid"}
	if diff := cmp.Diff(want, s.trail("")); diff != "" {
		t.Error(diff)
	}
}

func TestThePagesOfTheAuditLogsOfAllManagersMissNothing(t *testing.T) {
	s := newSite(t)
	other := webtest.New(t)
	other.Replica = 2
	remote := other.Serve(t)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	s.Others = []web.Replica{{ID: 2, URL: remote.URL}, {ID: 3, URL: gone.URL}, {ID: 4, URL: s.URL}}
	first := s.URL
	for i := range 30 {
		if s.URL = first; i%3 == 0 {
			s.URL = remote.URL
		}
		s.want(200, "PUT", "/v1/quotas", webtest.Admin, `{"project": "p`+string(rune('a'+i%26))+`", "jobs": 9}`)
	}
	s.URL = first
	ids, at := map[string]bool{}, ""
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		var page api.AuditPage
		s.want(200, "GET", "/v1/audit?operation=set-*&limit=7&cursor="+cursor, webtest.Admin, "").into(t, &page)
		if len(page.Silent) != 2 || page.Silent[0].Replica != 3 || page.Silent[0].Problem == "" ||
			!strings.Contains(page.Silent[1].Problem, "another manager answers") {
			t.Errorf("silent: %+v", page.Silent)
		}
		for _, e := range page.Entries {
			if now := e.At.Format("15:04:05.000000"); at != "" && now > at {
				t.Errorf("%s comes after %s", now, at)
			} else {
				at = now
			}
			ids[e.ID] = true
		}
		if cursor = page.Next; pages > 20 {
			t.Fatal("the pages do not end")
		}
	}
	if len(ids) != 30 {
		t.Errorf("%d of 30 entries", len(ids))
	}
}

func TestFiltersOfTheAuditLogThatAreWrongAreRefused(t *testing.T) {
	s := newSite(t)
	for _, query := range []string{"?operation=[", "?outcome=maybe", "?from=yesterday", "?limit=0", "?limit=5000",
		"?cursor=x", "?cursor=1", "?cursor=1.2.3", "?cursor=1.-2", "?who=" + strings.Repeat("x", 200), "?colour=red"} {
		s.want(422, "GET", "/v1/audit"+query, webtest.Admin, "")
	}
	s.want(401, "GET", "/v1/audit", "", "")
	s.want(403, "GET", "/v1/audit", webtest.Operator, "")
}

func TestTheAuditLogIsCountedInMetrics(t *testing.T) {
	s := newSite(t)
	s.want(201, "POST", "/v1/tokens", webtest.Admin, `{"name": "x", "role": "user"}`)
	text := s.want(200, "GET", "/v1/metrics", webtest.Viewer, "").text
	for _, line := range []string{"aliquot_audit_entries_total 1", `aliquot_audit_dropped_total{where="disk"} 0`,
		`aliquot_audit_dropped_total{where="syslog"} 0`, "aliquot_audit_repeated_total 0", "aliquot_audit_bytes "} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s", line)
		}
	}
}

func TestAManagerWithoutAnAuditLogSendsToAnother(t *testing.T) {
	s := newSite(t)
	server := httptest.NewServer(web.NewHandler(web.Options{Manager: s.Cluster}))
	defer server.Close()
	var p api.Problem
	(&site{s.Cluster, t, server}).want(404, "GET", "/v1/audit", webtest.Admin, "").into(t, &p)
	if want := "Ask another manager."; p.Help != want {
		t.Errorf("%s, want %s", p.Help, want)
	}
}
