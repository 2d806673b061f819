package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func (s *site) sessions(token, query string) []api.UsedSession {
	s.Helper()
	var list api.SessionList
	s.want(200, "GET", "/v1/sessions"+query, token, "").into(s, &list)
	return list.Sessions
}

func TestSessionsInUseAreListedForTheirTokenAndForAdmins(t *testing.T) {
	s := newSite(t)
	alice, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	bob, _ := s.login(`{"token": "` + webtest.Bob + `"}`)
	for _, cookie := range []string{alice, bob} {
		s.want(200, "GET", "/v1/jobs", "", "", cookie)
	}
	if list := s.sessions(webtest.Alice, ""); len(list) != 1 || list[0].TokenName != "alice" ||
		list[0].From != "127.0.0.1" || list[0].Role != "user" || list[0].Since == nil ||
		list[0].Used.Before(*list[0].Since) || list[0].Own {
		t.Errorf("alice sees %+v", list)
	}
	if list := s.sessions(webtest.Admin, ""); len(list) != 2 {
		t.Errorf("the admin sees %+v", list)
	}
	if list := s.sessions(webtest.Admin, "?token=t-bob"); len(list) != 1 || list[0].Token != "t-bob" {
		t.Errorf("of bob: %+v", list)
	}
	if list := s.sessions(webtest.Alice, "?token=t-bob"); len(list) != 0 {
		t.Errorf("alice sees %+v", list)
	}
	var own api.SessionList
	s.want(200, "GET", "/v1/sessions", "", "", alice).into(t, &own)
	if len(own.Sessions) != 1 || !own.Sessions[0].Own {
		t.Errorf("her own is %+v", own)
	}
	s.want(204, "DELETE", "/v1/session", "", "", alice, mine)
	if list := s.sessions(webtest.Alice, ""); len(list) != 0 {
		t.Errorf("after logging out: %+v", list)
	}
}

func TestASessionThatIsEndedIsDeadOnAllManagers(t *testing.T) {
	s := newSite(t)
	cookie, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	s.want(200, "GET", "/v1/jobs", "", "", cookie)
	id := s.sessions(webtest.Alice, "")[0].ID
	s.want(404, "DELETE", "/v1/sessions/"+id, webtest.Bob, "")
	s.want(404, "DELETE", "/v1/sessions/nobody", webtest.Admin, "")
	s.want(200, "DELETE", "/v1/sessions/"+id, webtest.Admin, "")
	other := &site{s.Cluster, t, s.Serve(t)}
	for _, on := range []*site{s, other} {
		if r := on.want(401, "GET", "/v1/jobs", "", "", cookie); !strings.Contains(r.text, "session was ended") {
			t.Error(r.text)
		}
	}
	s.login(`{"token": "` + webtest.Alice + `"}`)
}

func TestAllSessionsOfATokenEndAlsoThoseThatNobodyLists(t *testing.T) {
	s := newSite(t)
	quiet := &site{s.Cluster, t, s.serveWithoutUses(t)}
	unseen, _ := quiet.login(`{"token": "` + webtest.Alice + `"}`)
	bob, _ := quiet.login(`{"token": "` + webtest.Bob + `"}`)
	code := s.code(webtest.Alice, `{}`)
	s.want(403, "DELETE", "/v1/tokens/t-alice/sessions", webtest.Bob, "")
	s.want(404, "DELETE", "/v1/tokens/t-nobody/sessions", webtest.Admin, "")
	s.want(200, "DELETE", "/v1/tokens/t-alice/sessions", webtest.Alice, "", "Idempotency-Key: once")
	s.want(401, "GET", "/v1/jobs", "", "", unseen)
	s.want(401, "POST", "/v1/session", "", code, mine)
	s.want(200, "GET", "/v1/jobs", "", "", bob)
	s.want(200, "GET", "/v1/jobs", webtest.Alice, "")
	later, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	s.want(200, "DELETE", "/v1/tokens/t-alice/sessions", webtest.Alice, "", "Idempotency-Key: once") // a repetition
	s.want(200, "GET", "/v1/jobs", "", "", later)
	s.want(200, "DELETE", "/v1/tokens/t-alice/sessions", webtest.Admin, "")
	s.want(401, "GET", "/v1/jobs", "", "", later)
	if list := s.sessions(webtest.Admin, "?token=t-alice"); len(list) != 0 {
		t.Errorf("still listed: %+v", list)
	}
}

func TestARestoreEndsAllSessionsBecauseItForgetsWhichWereEnded(t *testing.T) {
	s := newSite(t)
	before, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	code := s.code(webtest.Alice, `{}`)
	s.Must(t, cluster.Import{Generation: 2})
	if r := s.want(401, "GET", "/v1/jobs", "", "", before); !strings.Contains(r.text, "log in again") {
		t.Error(r.text)
	}
	s.want(401, "POST", "/v1/session", "", code, mine)
	after, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	s.want(200, "GET", "/v1/jobs", "", "", after)
}

func TestACallerWhoClaimsToBeAManagerDoesNotHideItsAddress(t *testing.T) {
	s := newSite(t)
	unseen, _ := (&site{s.Cluster, t, s.serveWithoutUses(t)}).login(`{"token": "` + webtest.Alice + `"}`)
	s.want(200, "GET", "/v1/jobs", "", "", unseen, "Aliquot-Relayed: 1")
	if list := s.sessions(webtest.Alice, ""); len(list) != 1 || list[0].From != "127.0.0.1" {
		t.Errorf("%+v", list)
	}
}

// serveWithoutUses returns a server that notes no session.
func (s *site) serveWithoutUses(t *testing.T) *httptest.Server {
	t.Helper()
	uses := s.Uses
	defer func() { s.Uses = uses }()
	s.Uses = nil
	return s.Serve(t)
}

func TestManagersListEachOthersSessionsAndLastUses(t *testing.T) {
	s := newSite(t)
	other := webtest.New(t)
	other.Replica = 2
	remote := &site{other, t, other.Serve(t)}
	s.Others = []web.Replica{{ID: 2, URL: remote.URL}}
	cookie, _ := remote.login(`{"token": "` + webtest.Alice + `"}`)
	remote.want(200, "GET", "/v1/jobs", "", "", cookie)
	if list := s.sessions(webtest.Admin, ""); len(list) != 1 || list[0].TokenName != "alice" {
		t.Errorf("%+v", list)
	}
	var tokens api.TokenList
	s.want(200, "GET", "/v1/tokens", webtest.Admin, "").into(t, &tokens)
	for _, token := range tokens.Tokens {
		if used := token.Used != nil; used != (token.Name == "alice" || token.Name == "admin") {
			t.Errorf("%s was used at %v", token.Name, token.Used)
		}
	}
}
