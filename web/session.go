package web

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"

	"aliquot/cluster"
	"aliquot/web/api"
)

// consoleHeader must be on every cookie-authenticated request that changes something. Other sites cannot set it.
const consoleHeader = "Aliquot-Console"

func (s *server) registerSessions(to huma.API) {
	login := operation("create-session", "POST", "/v1/session", 0, "Log in",
		"Exchanges a login code or a token for a session: an HttpOnly cookie of this site, for 12 h at most. "+
			"Requests with the cookie that change something, this one included, need the header "+consoleHeader+": 1.")
	login.MaxBodyBytes, login.BodyReadTimeout = maxLogin, headerTime
	register(s, to, login, s.createSession)
	register(s, to, operation("get-session", "GET", "/v1/session", cluster.Viewer, "Show the session",
		"Actor, role and expiry of the session or token in use."), s.getSession)
	leave := operation("delete-session", "DELETE", "/v1/session", cluster.Viewer, "Log out",
		"The cookie is refused from now on by all managers, and the browser forgets it. A token stays valid.")
	leave.DefaultStatus = http.StatusNoContent
	register(s, to, leave, s.deleteSession)
	code := operation("create-login-code", "POST", "/v1/login-codes", cluster.Viewer, "Make a login code",
		"For the address /login#code=… of any manager: it lets one browser in, once, within 10 min. It is made with a token, not in a session.")
	code.DefaultStatus = http.StatusCreated
	register(s, to, code, s.createLoginCode)
}

type sessionOutput struct {
	Cookie http.Cookie `header:"Set-Cookie"`
	Body   api.Session
}

// visit describes how a request arrived.
type visit struct {
	from     string // address
	relayed  bool   // it says that another manager sent it
	peer     bool   // another manager did send it
	lent     credentials
	secure   bool // by TLS
	foreign  *problem
	byCookie bool
	session  pass // of the cookie, if byCookie and the cookie is one of ours
}

type visitKey struct{}

func visitOf(ctx context.Context) visit {
	v, _ := ctx.Value(visitKey{}).(visit)
	return v
}

// arrive records how the request arrived.
func (s *server) arrive(ctx huma.Context, next func(huma.Context)) {
	r, _ := humamux.Unwrap(ctx)
	v := visit{from: origin(r), secure: r.TLS != nil, foreign: foreign(r), byCookie: r.Header.Get("Authorization") == "",
		relayed: r.Header.Get(relayedHeader) != "", peer: s.fromPeer(r), lent: s.credentialsOf(r)}
	recordOf(ctx.Context()).begin(ctx.Operation(), v.from)
	if v.byCookie {
		v.session, _ = s.sessionOf(r)
	}
	next(huma.WithValue(ctx, visitKey{}, v))
}

// foreign returns a problem if another site may have sent the request, or nil. Browsers report where a request comes
// from; those too old to do so cannot set our header from another site.
func foreign(r *http.Request) *problem {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			return newProblem(codeCrossSite, "", "another site sent this request")
		}
		return nil
	}
	if http.NewCrossOriginProtection().Check(r) != nil {
		return newProblem(codeCrossSite, "", "another site sent this request")
	}
	if r.Header.Get(consoleHeader) == "" {
		return newProblem(codeCrossSite, consoleHeader, "the header is missing")
	}
	return nil
}

func (s *server) createSession(ctx context.Context, in *struct{ Body api.Login }) (*sessionOutput, error) {
	v := visitOf(ctx)
	if v.foreign != nil {
		return nil, v.foreign
	}
	if (in.Body.Code == "") == (in.Body.Token == "") {
		return nil, newProblem(string(cluster.CodeInvalid), "code", "send either a login code or a token")
	}
	now := time.Now()
	token, role, err := s.admit(ctx, &in.Body, now)
	if err != nil {
		return nil, err
	}
	session := newPass(sessionPass, token, role, now, sessionTime)
	session.stamp = s.present(ctx)
	recordOf(ctx).entry.Session = session.ID
	v.byCookie, v.session = true, session
	s.used(v, session.bearer(token), now)
	return &sessionOutput{s.cookie(v.secure, s.key.seal(session), session.expires()),
		sessionJSON(session.bearer(token), true)}, nil
}

// present returns the stamp of a state that contains every request answered so far; without a leader, that of the
// newest known state.
func (s *server) present(ctx context.Context) stamp {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		v = s.manager.Latest()
	}
	return stamp{Revision: v.Revision, Generation: v.Generation}
}

// admit returns the token of a login, and the highest role of its session.
func (s *server) admit(ctx context.Context, in *api.Login, now time.Time) (*cluster.Token, cluster.Role, error) {
	if in.Token != "" {
		token, p := s.findOrGuess(ctx, HashSecret(in.Token), visitOf(ctx).from, now)
		recordOf(ctx).by(token)
		if p == nil {
			p = s.welcome(token, now)
		}
		if p != nil {
			return nil, 0, p
		}
		return token, token.Actor.Role, nil
	}
	code, ok := s.key.open(codePass, in.Code)
	if !ok && !s.guesses.take(visitOf(ctx).from, now) {
		return nil, 0, guessed(visitOf(ctx).from)
	}
	if !ok || !now.Before(code.expires()) {
		return nil, 0, newProblem(codeUnauthorized, "code",
			"the login code is unknown or has expired; `aliquot console login` makes a new one")
	}
	view, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, 0, err
	}
	token := tokenByID(view, code.Token)
	recordOf(ctx).by(token)
	if p := s.welcome(token, now); p != nil {
		return nil, 0, p
	}
	if code.Revision != 0 && s.ended(code) { // a starting manager makes codes without a state
		return nil, 0, newProblem(codeUnauthorized, "code",
			"the login code was ended with the sessions of its token; `aliquot console login` makes a new one")
	}
	first, err := s.manager.Once(ctx, "login/"+code.Token+"/"+code.ID)
	if err == nil && !first {
		err = newProblem(codeUnauthorized, "code", "the login code has been used; `aliquot console login` makes a new one")
	}
	return token, code.Role, err
}

// welcome returns the problem of a token that cannot log in now, or nil.
func (s *server) welcome(t *cluster.Token, now time.Time) *problem {
	if p := usable(t, now); p != nil {
		return p
	}
	return s.spend(t, now)
}

// usable returns the problem of a token, or nil; a nil token is unknown.
func usable(t *cluster.Token, now time.Time) *problem {
	switch {
	case t == nil:
		return newProblem(codeUnauthorized, "", "the token is unknown")
	case t.Revoked:
		return newProblem(codeUnauthorized, "", "the token %q has been revoked", t.Name)
	case !t.Valid(timeOf(now)):
		return newProblem(codeUnauthorized, "", "the token %q has expired", t.Name)
	}
	return nil
}

func tokenByID(v *cluster.Snapshot, id string) *cluster.Token {
	for t := range v.Tokens() {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// freshByID looks for a token that was created on another replica a moment ago.
func (s *server) freshByID(ctx context.Context, id string) *cluster.Token {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil
	}
	return tokenByID(v, id)
}

// bearer returns the token, limited to the pass's role and time.
func (p pass) bearer(t *cluster.Token) *cluster.Token {
	limited := *t
	limited.Actor.Role = min(t.Actor.Role, p.Role)
	limited.Expires = timeOf(p.expires())
	return &limited
}

// sessionOf returns the session of the request's cookie; false if there is none that a manager has sealed.
func (s *server) sessionOf(r *http.Request) (session pass, ok bool) {
	cookie, err := r.Cookie(s.key.cookieName(r.TLS != nil))
	if err != nil {
		return session, false
	}
	return s.key.open(sessionPass, cookie.Value)
}

// byCookie returns the token behind the session of a request, and the problem if it may not be used.
func (s *server) byCookie(r *http.Request) (*cluster.Token, *problem) {
	cookie, err := r.Cookie(s.key.cookieName(r.TLS != nil))
	if err != nil {
		return nil, newProblem(codeUnauthorized, "", "the request carries no token")
	}
	now := time.Now()
	session, ok := s.key.open(sessionPass, cookie.Value)
	if !ok || !now.Before(session.expires()) {
		return nil, newProblem(codeUnauthorized, "", "the session has expired: log in again")
	}
	token := tokenByID(s.manager.Latest(), session.Token)
	if token == nil {
		token = s.freshByID(r.Context(), session.Token)
	}
	if p := usable(token, now); p != nil {
		return token, p
	}
	if s.ended(session) {
		return token, newProblem(codeUnauthorized, "", "the session was ended: log in again")
	}
	return session.bearer(token), foreign(r)
}

func (s *server) cookie(secure bool, value string, expires time.Time) http.Cookie {
	return http.Cookie{
		Name: s.key.cookieName(secure), Value: value, Path: "/", Expires: expires,
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode,
	}
}

func sessionJSON(t *cluster.Token, byCookie bool) api.Session {
	return api.Session{
		Actor: t.Actor.Name, Role: t.Actor.Role.String(), Owner: t.Actor.Owner, Project: t.Actor.Project,
		Token: t.ID, TokenName: t.Name, Cookie: byCookie, Expires: clockOrNil(t.Expires),
	}
}

func (s *server) getSession(ctx context.Context, _ *struct{}) (*body[api.Session], error) {
	return answer(sessionJSON(bearer(ctx), visitOf(ctx).byCookie)), nil
}

type leaveOutput struct {
	Cookie http.Cookie `header:"Set-Cookie"`
}

// end returns the name of the request that ends the session. It is remembered longer than a session lasts.
func (p pass) end() string { return "logout/" + p.Token + "/" + p.ID }

func (s *server) deleteSession(ctx context.Context, _ *struct{}) (*leaveOutput, error) {
	if v := visitOf(ctx); v.byCookie {
		if _, err := s.manager.Once(ctx, v.session.end()); err != nil {
			return nil, err
		}
	}
	gone := s.cookie(visitOf(ctx).secure, "", time.Unix(1, 0))
	gone.MaxAge = -1
	return &leaveOutput{gone}, nil
}

func (s *server) createLoginCode(ctx context.Context, in *struct{ Body api.NewLoginCode }) (*body[api.LoginCode],
	error) {
	token := bearer(ctx)
	if visitOf(ctx).byCookie {
		return nil, newProblem(string(cluster.CodeForbidden), "",
			"a login code can only be made with a token, not in a session")
	}
	role := token.Actor.Role
	if in.Body.Role != "" {
		role = roleNamed(in.Body.Role)
	}
	if role > token.Actor.Role {
		return nil, newProblem(string(cluster.CodeForbidden), "role",
			"the token %q has the role %v and cannot grant a higher one", token.Name, token.Actor.Role)
	}
	code := newPass(codePass, token, role, time.Now(), codeTime)
	code.stamp = s.present(ctx)
	return answer(api.LoginCode{Code: s.key.seal(code), Role: code.Role.String(), Expires: code.expires()}), nil
}
