package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestAllManagersAreListedWithHowTheyAre(t *testing.T) {
	follower, halted := webtest.New(t), webtest.New(t)
	follower.Following = true
	halted.SetDown(true)
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	s := newSite(t)
	s.submit(small)
	s.Others = []web.Replica{
		{ID: 2, URL: follower.Serve(t).URL}, {ID: 3, URL: halted.Serve(t).URL}, {ID: 4, URL: "http://127.0.0.1:1"}, {ID: 5},
		{ID: 6, URL: stranger.URL},
	}
	var list api.ManagerList
	s.want(200, "GET", "/v1/managers", webtest.Viewer, "").into(t, &list)
	newest := s.Latest().Revision
	for i, want := range []struct {
		status, problem string
		answers, leads  bool
		behind          int // -1: the manager did not report it
	}{
		{"ok", "", true, true, 0},
		{"ok", "", false, false, 1},
		{"unavailable", "no manager leads", false, false, 1},
		{"unreachable", "connection refused", false, false, -1},
		{"unknown", "its address is unknown here", false, false, -1},
		{"unreachable", "404 Not Found is not from a manager", false, false, -1},
	} {
		m := list.Managers[i]
		if m.Replica != uint64(i+1) || m.Status != want.status || !strings.Contains(m.Problem, want.problem) ||
			m.Answers != want.answers || m.Leads != want.leads {
			t.Errorf("%+v, want %+v", m, want)
		}
		if said := want.behind >= 0; (m.Revision != nil) != said || said && (*m.Behind != uint64(want.behind) ||
			*m.Revision != newest-*m.Behind || m.Version != "test") {
			t.Errorf("%+v, want it %d behind %d", m, want.behind, newest)
		}
	}
	if len(list.Managers) != 6 || list.Managers[1].Address != s.Others[0].URL {
		t.Errorf("%d managers: %+v", len(list.Managers), list.Managers)
	}
}

func TestAllPoliciesAreListedByName(t *testing.T) {
	var list api.PolicyList
	newSite(t).want(200, "GET", "/v1/policies", webtest.Viewer, "").into(t, &list)
	if len(list.Policies) != 2 || list.Policies[1] != (api.PolicyLine{Name: "GreedyPM */per", Family: "dfrs",
		About: "greedy, and MCB8 at every tick"}) {
		t.Errorf("%+v", list)
	}
}

// pair returns a leader that has usage samples, and a follower with the same state.
func pair(t *testing.T) (leader, follower *site) {
	leader, follower = newSite(t), newSite(t)
	for _, s := range []*site{leader, follower} {
		n1 := s.Join(t, "n1", 2000, 1024*cluster.MiB)
		s.Run(t, s.submit(small), 500, n1)
	}
	leader.SetUsage(cluster.RunID{Job: 1, Number: 1}, 400, 0)
	for range 3 {
		leader.Advance(cluster.Minute)
		leader.Sample()
	}
	follower.Following, follower.Leader = true, leader.URL
	return leader, follower
}

const sampled = "?from=2026-01-01T12:00:00Z&to=2026-01-01T12:05:00Z"

func TestAnyManagerTellsWhatTheLeaderHasMeasured(t *testing.T) {
	leader, follower := pair(t)
	for _, path := range []string{"/v1/overview", "/v1/map", "/v1/nodes", "/v1/nodes/n1", "/v1/jobs/j1",
		"/v1/jobs/j1/usage" + sampled} {
		want := leader.want(200, "GET", path, webtest.Alice, "")
		got := follower.want(200, "GET", path, webtest.Alice, "")
		if got.text != want.text || got.header.Get("Content-Type") != "application/json" ||
			!strings.Contains(got.text, "usedMillicores") {
			t.Errorf("%s\nthe leader: %sthe follower: %s %s", path, want.text, got.header, got.text)
		}
		if got.header.Get("Aliquot-Leader") != leader.URL {
			t.Errorf("%s does not name the leader: %v", path, got.header)
		}
	}
}

func TestASessionAtOneManagerIsGoodForWhatTheLeaderMeasured(t *testing.T) {
	_, follower := pair(t)
	login := follower.want(200, "POST", "/v1/session", "", `{"token": "`+webtest.Viewer+`"}`, "Aliquot-Console: 1")
	cookie, _, _ := strings.Cut(login.header.Get("Set-Cookie"), ";")
	if r := follower.want(200, "GET", "/v1/jobs/j1", "", "", "Cookie: "+cookie); !strings.Contains(r.text,
		`"usedMillicores":400`) {
		t.Error(r.text)
	}
}

func TestAManagerAnswersItselfWhatTheLeaderDoesNot(t *testing.T) {
	_, follower := pair(t)
	for what, leader := range map[string]http.HandlerFunc{
		"fails": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"breaks off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "9")
			_, _ = w.Write([]byte("{"))
		},
		"refuses": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
	} {
		server := httptest.NewServer(leader)
		follower.Leader = server.URL
		if r := follower.want(200, "GET", "/v1/jobs/j1", webtest.Alice, ""); !strings.Contains(r.text, `"id":"j1"`) ||
			strings.Contains(r.text, "usedMillicores") {
			t.Errorf("a leader that %s: %s", what, r.text)
		}
		server.Close()
	}
	if r := follower.want(404, "GET", "/v1/jobs/j9", webtest.Alice, ""); !strings.Contains(r.text, "there is no job j9") {
		t.Errorf("with no leader there: %s", r.text)
	}
}

// Each of the two managers takes the other for the leader, as may happen for a moment after an election.
func TestManagersDoNotSendARequestRound(t *testing.T) {
	one, other := pair(t)
	one.Following, one.Leader = true, other.URL
	other.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "")
	one.want(200, "GET", "/v1/jobs/j1", webtest.Alice, "")
}

func TestNobodyIsAnsweredThroughTheLeaderWithoutAToken(t *testing.T) {
	_, follower := pair(t)
	follower.want(401, "GET", "/v1/jobs/j1", "", "")
	follower.want(401, "GET", "/v1/jobs/j1", "alq_wrong", "")
}
