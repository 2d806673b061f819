package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// mine is the header that the console sends. A cookie alone changes nothing.
const mine = "Aliquot-Console: 1"

// login logs in and returns the Cookie header line, and the session.
func (s *site) login(body string) (string, api.Session) {
	s.Helper()
	r := s.want(200, "POST", "/v1/session", "", body, mine)
	var session api.Session
	r.into(s, &session)
	cookie, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
	return "Cookie: " + cookie, session
}

func (s *site) code(token, body string) string {
	s.Helper()
	var code api.LoginCode
	s.want(201, "POST", "/v1/login-codes", token, body).into(s, &code)
	return `{"code": "` + code.Code + `"}`
}

// token returns the token of that name.
func (s *site) token(name string) *cluster.Token {
	s.Helper()
	for x := range s.Latest().Tokens() {
		if x.Name == name {
			return x
		}
	}
	s.Fatal(name)
	return nil
}

func TestATokenBecomesACookieThatScriptsAndOtherSitesCannotUse(t *testing.T) {
	s := newSite(t)
	r := s.want(200, "POST", "/v1/session", "", `{"token": "`+webtest.Alice+`"}`, mine)
	cookies := (&http.Response{Header: r.header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Secure ||
		cookies[0].Path != "/" {
		t.Fatalf("cookies %v", cookies)
	}
	if left := time.Until(cookies[0].Expires); left < 11*time.Hour || left > 13*time.Hour {
		t.Errorf("it lasts %v", left)
	}
	if strings.Contains(r.text, webtest.Alice) || strings.Contains(cookies[0].Value, webtest.Alice) {
		t.Error("the token's secret is in the answer")
	}
	cookie, session := s.login(`{"token": "` + webtest.Alice + `"}`)
	if session.Actor != "alice" || session.Role != "user" || session.Project != "render" || !session.Cookie ||
		session.Expires == nil {
		t.Errorf("session %+v", session)
	}
	var again api.Session
	s.want(200, "GET", "/v1/session", "", "", cookie).into(t, &again)
	if again.Token != session.Token || !again.Expires.Equal(*session.Expires) {
		t.Errorf("later it is %+v, first %+v", again, session)
	}
	s.Join(t, "n1", 2000, 512*cluster.MiB)
	s.want(201, "POST", "/v1/jobs", "", small, cookie, mine)
	if s.Latest().Job(1).Spec.Owner != "alice" {
		t.Error("the job is somebody else's")
	}
}

func TestALoginCodeWorksOnceOnAnyReplicaAndGivesNoMoreThanItsRole(t *testing.T) {
	s := newSite(t)
	code := s.code(webtest.Operator, `{"role": "viewer"}`)
	other := s.Serve(t) // another server on the same cluster
	first := s.URL
	s.URL = other.URL
	cookie, session := s.login(code)
	if session.Role != "viewer" || session.Actor != "operator" {
		t.Errorf("session %+v", session)
	}
	s.URL = first
	if r := s.want(401, "POST", "/v1/session", "", code, mine); !strings.Contains(r.text, "has been used") {
		t.Error(r.text)
	}
	s.want(200, "GET", "/v1/jobs", "", "", cookie)
	s.want(403, "POST", "/v1/jobs", "", small, cookie, mine)
	s.want(403, "POST", "/v1/login-codes", "", `{}`, cookie, mine)
	s.want(403, "POST", "/v1/login-codes", webtest.Alice, `{"role": "admin"}`)
}

func TestLoginsThatAreNotValidAreRefused(t *testing.T) {
	s := newSite(t)
	old := web.NewLoginCode(webtest.Key, s.token("admin"), time.Now().Add(-11*time.Minute))
	forged := web.NewLoginCode([]byte("another key"), s.token("admin"), time.Now())
	good := web.NewLoginCode(webtest.Key, s.token("alice"), time.Now())
	unknown := web.NewLoginCode(webtest.Key, &cluster.Token{ID: "t-nobody"}, time.Now())
	cookie, _ := s.login(`{"token": "` + webtest.Viewer + `"}`)
	_, session, _ := strings.Cut(cookie, "=")
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"an old code":        {`{"code": "` + old + `"}`, 401, "has expired"},
		"a forged code":      {`{"code": "` + forged + `"}`, 401, "unknown"},
		"a changed code":     {`{"code": "x` + good[1:] + `"}`, 401, "unknown"},
		"a session as code":  {`{"code": "` + session + `"}`, 401, "unknown"},
		"a token of nobody":  {`{"code": "` + unknown + `"}`, 401, "the token is unknown"},
		"an unknown token":   {`{"token": "alq_hunter2"}`, 401, "unknown"},
		"neither":            {`{}`, 422, "either a login code or a token"},
		"both":               {`{"code": "a", "token": "b"}`, 422, "either a login code or a token"},
		"an unknown field":   {`{"password": "hunter2"}`, 422, "password"},
		"a code far too big": {`{"code": "` + strings.Repeat("x", 600) + `"}`, 422, "code"},
	} {
		s := &site{s.Cluster, t, s.Serve(t)} // a new site counts wrong guesses from zero
		r := s.want(c.status, "POST", "/v1/session", "", c.body, mine)
		if !strings.Contains(r.text, c.says) || strings.Contains(r.text, "hunter2") || r.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %s", name, r.text)
		}
	}
	s.want(200, "POST", "/v1/session", "", `{"code": "`+good+`"}`, mine)
}

func TestLoginsAreGuessedSlowly(t *testing.T) {
	s := newSite(t)
	limited := false
	for range 20 {
		limited = limited || s.call("POST", "/v1/session", "", `{"token": "alq_guess"}`, mine).status == 429
	}
	if !limited {
		t.Error("20 guesses at once were all looked at")
	}
	s.want(200, "POST", "/v1/session", "", `{"token": "`+webtest.Alice+`"}`, mine)
	s.want(200, "POST", "/v1/session", "", s.code(webtest.Alice, `{}`), mine)
	s.want(200, "GET", "/v1/jobs", webtest.Alice, "")
}

func TestACookieAloneChangesNothing(t *testing.T) {
	s := newSite(t)
	s.Join(t, "n1", 2000, 512*cluster.MiB)
	cookie, _ := s.login(`{"token": "` + webtest.Alice + `"}`)
	for name, c := range map[string]struct {
		method, path string
		header       []string
		status       int
	}{
		"without our header":          {"POST", "/v1/jobs", nil, 403},
		"from another site":           {"POST", "/v1/jobs", []string{mine, "Sec-Fetch-Site: cross-site"}, 403},
		"from another port":           {"POST", "/v1/jobs", []string{mine, "Sec-Fetch-Site: same-site"}, 403},
		"from another origin":         {"POST", "/v1/jobs", []string{mine, "Origin: http://evil.example"}, 403},
		"reading from another port":   {"GET", "/v1/jobs", []string{"Sec-Fetch-Site: same-site"}, 403},
		"following from another site": {"GET", "/v1/events", []string{"Sec-Fetch-Site: cross-site"}, 403},
		"from the console": {"POST", "/v1/jobs", []string{mine, "Sec-Fetch-Site: same-origin", "Origin: " +
			s.URL}, 201},
		"from an old browser":          {"POST", "/v1/jobs", []string{mine}, 201},
		"reading from the console":     {"GET", "/v1/jobs", []string{"Sec-Fetch-Site: same-origin"}, 200},
		"reading from the address bar": {"GET", "/v1/jobs", []string{"Sec-Fetch-Site: none"}, 200},
	} {
		body := ""
		if c.method == "POST" {
			body = small
		}
		if r := s.call(c.method, c.path, "", body, append(c.header, cookie)...); r.status != c.status {
			t.Errorf("%s: %d %s", name, r.status, r.text)
		}
	}
	s.want(403, "POST", "/v1/session", "", `{"token": "`+webtest.Alice+`"}`)
	s.want(403, "POST", "/v1/session", "", `{"token": "`+webtest.Alice+`"}`, mine, "Sec-Fetch-Site: cross-site")
	s.want(201, "POST", "/v1/jobs", webtest.Alice, small, "Sec-Fetch-Site: cross-site") // a token is shown on purpose
}

func TestASessionEndsWithItsTokenAndByLoggingOut(t *testing.T) {
	s := newSite(t)
	cookie, _ := s.login(`{"token": "` + webtest.Bob + `"}`)
	other, _ := s.login(`{"token": "` + webtest.Bob + `"}`)
	r := s.want(204, "DELETE", "/v1/session", "", "", cookie, mine)
	if r := s.want(401, "GET", "/v1/session", "", "", cookie); !strings.Contains(r.text, "session was ended") {
		t.Error(r.text)
	}
	s.want(200, "GET", "/v1/session", "", "", other)
	if gone := r.header.Get("Set-Cookie"); !strings.Contains(gone, "Max-Age=0") {
		t.Errorf("logging out sets %q", gone)
	}
	s.want(200, "DELETE", "/v1/tokens/t-bob", webtest.Admin, "")
	if r := s.want(401, "GET", "/v1/session", "", "", other); !strings.Contains(r.text, "revoked") {
		t.Error(r.text)
	}
	soon := cluster.Time(time.Now().Add(time.Hour).UnixMicro())
	s.Must(t, cluster.PutToken{Token: cluster.Token{ID: "t-soon", Name: "soon", Hash: web.HashSecret("alq_soon"),
		Expires: soon,
		Actor:   cluster.Actor{Name: "soon", Owner: "soon", Project: "x", Role: cluster.User}}})
	if _, session := s.login(`{"token": "alq_soon"}`); session.Expires.After(time.Now().Add(61 * time.Minute)) {
		t.Errorf("the session ends at %v, after its token", session.Expires)
	}
}

func TestASessionEndsAfterTwelveHours(t *testing.T) {
	s := newSite(t)
	for began, status := range map[time.Duration]int{-12*time.Hour + time.Minute: 200, -12*time.Hour - time.Second: 401} {
		cookie := web.SessionCookie(webtest.Key, s.token("alice"), time.Now().Add(began))
		if r := s.want(status, "GET", "/v1/session", "", "", cookie); status == 401 &&
			!strings.Contains(r.text, "session has expired") {
			t.Error(r.text)
		}
	}
}

func TestTheSessionOfATokenShowsTheToken(t *testing.T) {
	var session api.Session
	newSite(t).want(200, "GET", "/v1/session", webtest.Viewer, "").into(t, &session)
	if session.Cookie || session.Role != "viewer" || session.TokenName != "viewer" || session.Expires != nil {
		t.Errorf("%+v", session)
	}
}

func TestTheConsoleAnswersAllThatIsNotREST(t *testing.T) {
	s := &site{Cluster: webtest.New(t), TB: t}
	s.Console = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("console " + r.URL.Path))
	})
	s.Server = s.Serve(t)
	for path, want := range map[string]string{"/": "console /", "/jobs/j1": "console /jobs/j1", "/v1x": "console /v1x"} {
		if r := s.want(200, "GET", path, "", ""); r.text != want {
			t.Errorf("%s: %s", path, r.text)
		}
	}
	s.want(404, "GET", "/v1/nothing", webtest.Alice, "")
	s.want(404, "GET", "/v1", webtest.Alice, "")
	s.want(405, "PATCH", "/v1/jobs", webtest.Alice, "{}")
}
