package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerTokens(to huma.API) {
	create := operation("create-token", "POST", "/v1/tokens", cluster.Admin, "Create a token",
		"Only this answer shows the secret.")
	create.DefaultStatus = http.StatusCreated
	register(s, to, create, s.createToken)
	register(s, to, operation("list-tokens", "GET", "/v1/tokens", cluster.Admin, "List tokens",
		"Without their secrets, which are not stored."), s.listTokens)
	register(s, to, operation("revoke-token", "DELETE", "/v1/tokens/{token}", cluster.Admin, "Revoke a token",
		"It is refused from now on, and open streams that use it end. The last valid token of an admin cannot be revoked."),
		s.revokeToken)
}

func tokenJSON(t *cluster.Token) api.Token {
	return api.Token{
		ID: t.ID, Name: t.Name, Role: t.Actor.Role.String(), Owner: t.Actor.Owner, Project: t.Actor.Project,
		Created: clock(t.Created), Expires: clockOrNil(t.Expires), Revoked: t.Revoked,
	}
}

func (s *server) createToken(ctx context.Context, in *struct {
	Keyed
	Body api.NewToken
}) (*body[api.CreatedToken], error) {
	lifetime, err := duration("expires", in.Body.Expires)
	if err != nil {
		return nil, err
	}
	secret, now := NewSecret(), timeOf(time.Now())
	token := cluster.Token{
		ID: strings.ToLower(rand.Text()[:12]), Name: in.Body.Name, Hash: HashSecret(secret), Created: now,
		Actor: cluster.Actor{
			Name: in.Body.Name, Role: roleNamed(in.Body.Role),
			Owner: cmp.Or(in.Body.Owner, in.Body.Name), Project: cmp.Or(in.Body.Project, "default"),
		},
	}
	if lifetime > 0 {
		token.Expires = now + lifetime
	}
	result, err := s.do(ctx, in.Key, cluster.PutToken{Token: token})
	if err != nil {
		return nil, err
	}
	if result.Repeated {
		return nil, newProblem(string(cluster.CodeConflict), "Idempotency-Key",
			"an earlier request with this key created the token and nobody can show its secret again; revoke it and create another")
	}
	return answer(api.CreatedToken{Token: tokenJSON(&token), Secret: secret}), nil
}

// roleNamed is the inverse of Role.String for the roles that a token may have; 0 for others.
func roleNamed(name string) cluster.Role {
	for r := cluster.Viewer; r <= cluster.Admin; r++ {
		if r.String() == name {
			return r
		}
	}
	return 0
}

func (s *server) listTokens(ctx context.Context, _ *struct{}) (*body[api.TokenList], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	list := api.TokenList{Tokens: []api.Token{}}
	for t := range v.Tokens() {
		list.Tokens = append(list.Tokens, tokenJSON(t))
	}
	return answer(list), nil
}

func (s *server) revokeToken(ctx context.Context, in *struct {
	Keyed
	ID string `path:"token" maxLength:"64" doc:"Its id"`
}) (*body[api.Accepted], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	for t := range v.Tokens() {
		if t.ID != in.ID {
			continue
		}
		if isLastAdmin(v, t) {
			return nil, newProblem(codeLastAdmin, "token",
				"this is the last valid token of an admin: without it nobody could set the policy or create tokens")
		}
		revoked := *t
		revoked.Revoked = true
		result, err := s.do(ctx, in.Key, cluster.PutToken{Token: revoked})
		return accepted(result), err
	}
	return nil, newProblem(string(cluster.CodeNotFound), "token", "there is no token with that id")
}

// isLastAdmin reports whether it is the only valid token of an admin.
func isLastAdmin(v *cluster.Snapshot, token *cluster.Token) bool {
	now := timeOf(time.Now())
	last := false
	for t := range v.Tokens() {
		switch {
		case t.Actor.Role != cluster.Admin || !t.Valid(now):
		case t.ID == token.ID:
			last = true
		default:
			return false
		}
	}
	return last
}
