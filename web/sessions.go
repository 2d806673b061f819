package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerUsedSessions(to huma.API) {
	register(s, to, operation("list-sessions", "GET", "/v1/sessions", cluster.Viewer, "List sessions",
		"The sessions of your token that are in use, the latest used first; for an admin those of all tokens, or of one. Of each "+
			"token a manager lists the 64 sessions that were used last. The answering manager asks the others."), s.listSessions)
	register(s, to, operation("end-session", "DELETE", "/v1/sessions/{session}", cluster.Viewer, "End a session",
		"It is refused from now on by all managers. Yours, or as an admin any."), s.endSession)
	register(s, to, operation("end-sessions", "DELETE", "/v1/tokens/{token}/sessions", cluster.Viewer,
		"End the sessions of a token", "All sessions and login codes of the token are refused from now on by all managers, also those "+
			"that are not listed. The token stays valid. Your own token's, or as an admin any."), s.endSessions)
}

// used records a use of the token, and of the session of the request if there is one.
func (s *server) used(v visit, token *cluster.Token, now time.Time) {
	if s.uses == nil {
		return
	}
	u := SessionUse{Token: token.ID, From: v.from, Used: now.UTC()}
	if v.peer {
		u.From = "" // the other manager saw the caller's address
	}
	if v.byCookie {
		u.ID, u.Role, u.Expires = v.session.ID, token.Actor.Role.String(), v.session.expires()
		u.Revision, u.Generation = v.session.Revision, v.session.Generation
		if v.session.Issued != 0 {
			u.Since = time.Unix(v.session.Issued, 0).UTC()
		}
	}
	s.uses.Used(u)
}

// ended reports whether the session or login code was ended before its time. A restored state has forgotten which were,
// so those of an earlier generation are ended.
func (s *server) ended(p pass) bool {
	v := s.manager.Latest()
	return v.Done(p.end()) || v.LastRequest(endedBy(p.Token)) > p.Revision ||
		p.Generation != 0 && p.Generation < v.Generation
}

// endedBy returns the sender of the requests that end all sessions of a token.
func endedBy(token string) string { return "logout-all/" + token }

func (s *server) listSessions(ctx context.Context, in *struct {
	Token string `query:"token" maxLength:"64" doc:"Only sessions of the token with this id"`
}) (*body[api.SessionList], error) {
	list, silent := s.sessions(ctx, in.Token)
	return answer(api.SessionList{Sessions: list, Silent: silent}), nil
}

// sessions returns the sessions that the caller may see and all managers know, of one token if it is not "".
func (s *server) sessions(ctx context.Context, token string) ([]api.UsedSession, []api.SilentManager) {
	list := map[string]api.UsedSession{}
	add := func(u api.UsedSession) {
		if known, ok := list[u.ID]; !ok || known.Used.Before(u.Used) {
			list[u.ID] = u
		}
	}
	for _, u := range s.ownSessions(ctx, token) {
		add(u)
	}
	answers, silent := askOthers[api.SessionList](ctx, s, "/v1/sessions", func(uint64) url.Values {
		if token == "" {
			return nil
		}
		return url.Values{"token": {token}}
	})
	for _, told := range answers {
		for _, u := range told.Sessions {
			add(u)
		}
	}
	out := []api.UsedSession{}
	for _, u := range list {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b api.UsedSession) int {
		return cmp.Or(b.Used.Compare(a.Used), strings.Compare(a.ID, b.ID))
	})
	return out, silent
}

// ownSessions returns the sessions that this manager knows and the caller may see.
func (s *server) ownSessions(ctx context.Context, token string) (list []api.UsedSession) {
	if s.uses == nil {
		return nil
	}
	now, names, caller := time.Now(), map[string]string{}, bearer(ctx)
	for t := range s.manager.Latest().Tokens() {
		if t.Valid(timeOf(now)) && mayEnd(caller, t.ID) && (token == "" || token == t.ID) {
			names[t.ID] = t.Name
		}
	}
	v := visitOf(ctx)
	for _, u := range s.uses.Sessions(now) {
		name, shown := names[u.Token]
		if !shown || s.ended(pass{Token: u.Token, ID: u.ID, stamp: stamp{u.Revision, u.Generation}}) {
			continue
		}
		out := api.UsedSession{ID: u.ID, Token: u.Token, TokenName: name, Role: u.Role, From: u.From, Used: u.Used,
			Expires: u.Expires, Own: v.byCookie && v.session.ID == u.ID}
		if !u.Since.IsZero() {
			out.Since = &u.Since
		}
		list = append(list, out)
	}
	return list
}

// mayEnd reports whether the caller may see and end the sessions of the token with that id.
func mayEnd(caller *cluster.Token, token string) bool {
	return caller.Actor.Role >= cluster.Admin || caller.ID == token
}

func (s *server) endSession(ctx context.Context, in *struct {
	Keyed
	ID string `path:"session" maxLength:"64" doc:"Its id"`
}) (*body[api.Accepted], error) {
	list, _ := s.sessions(ctx, "")
	i := slices.IndexFunc(list, func(u api.UsedSession) bool { return u.ID == in.ID })
	if i < 0 {
		return nil, newProblem(string(cluster.CodeNotFound), "session", "no session of that id is listed; end all sessions of the token instead")
	}
	return s.end(ctx, pass{Token: list[i].Token, ID: in.ID}.end())
}

func (s *server) endSessions(ctx context.Context, in *struct {
	Keyed
	ID string `path:"token" maxLength:"64" doc:"Id of the token"`
}) (*body[api.Accepted], error) {
	if !mayEnd(bearer(ctx), in.ID) {
		recordOf(ctx).about("") // it may not exist
		return nil, newProblem(string(cluster.CodeForbidden), "token", "the sessions of another token are for admins")
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	if tokenByID(v, in.ID) == nil {
		return nil, newProblem(string(cluster.CodeNotFound), "token", "there is no token with that id")
	}
	return s.end(ctx, endedBy(in.ID)+"/"+cmp.Or(in.Key, rand.Text()))
}

// end names the request by which sessions end. All managers remember it longer than a session lasts.
func (s *server) end(ctx context.Context, name string) (*body[api.Accepted], error) {
	recordOf(ctx).tried = true
	first, err := s.manager.Once(ctx, name)
	if err != nil {
		return nil, err
	}
	return answer(api.Accepted{Revision: s.manager.Latest().Revision, Repeated: !first}), nil
}
