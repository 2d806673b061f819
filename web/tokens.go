package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
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
		"Without their secrets, which are not stored. The answering manager asks the others for the last uses."), s.listTokens)
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
			Owner: cmp.Or(in.Body.Owner, in.Body.Name), Project: cmp.Or(in.Body.Project, cluster.DefaultProject),
		},
	}
	if lifetime > 0 {
		token.Expires = now + lifetime
	}
	recordOf(ctx).about(token.ID)
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
	used := s.lastUses(ctx)
	for t := range v.Tokens() {
		out := tokenJSON(t)
		if at, ok := used[t.ID]; ok {
			out.Used = &at
		}
		list.Tokens = append(list.Tokens, out)
	}
	return answer(list), nil
}

// lastUses returns the last use of each token at the managers that answer.
func (s *server) lastUses(ctx context.Context) map[string]time.Time {
	used := map[string]time.Time{}
	if s.uses != nil {
		used = s.uses.Tokens()
	}
	answers, _ := askOthers[api.TokenList](ctx, s, "/v1/tokens", func(uint64) url.Values { return nil })
	for _, told := range answers {
		for _, t := range told.Tokens {
			if t.Used != nil && t.Used.After(used[t.ID]) {
				used[t.ID] = *t.Used
			}
		}
	}
	return used
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
