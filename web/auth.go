package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"

	"aliquot/cluster"
)

// NewSecret returns a new random token secret of 130 bits.
func NewSecret() string { return "alq_" + rand.Text() }

// HashSecret returns the hash that State keeps of a secret. It needs no salt, because secrets are random.
func HashSecret(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

type bearerKey struct{}

// bearer returns the token of the request; nil if the operation needs none.
func bearer(ctx context.Context) *cluster.Token {
	t, _ := ctx.Value(bearerKey{}).(*cluster.Token)
	return t
}

// actor returns the actor of the request.
func actor(ctx context.Context) cluster.Actor { return bearer(ctx).Actor }

// authenticate passes only requests whose token has the operation's role.
func (s *server) authenticate(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	least, _ := ctx.Operation().Metadata[roleKey].(cluster.Role)
	if least == 0 {
		next(ctx)
		return
	}
	token, p := s.identify(r)
	record := recordOf(ctx.Context())
	record.by(token)
	if v := visitOf(ctx.Context()); v.byCookie {
		record.entry.Session = v.session.ID
	}
	if p == nil && token.Actor.Role < least {
		p = newProblem(string(cluster.CodeForbidden), "", "the token %q has the role %v; this needs %v", token.Name,
			token.Actor.Role, least)
		if s.exist(mux.Vars(r)) {
			record.concerns(r)
		}
		if tried, ok := ctx.Operation().Metadata[triedKey].(func(*http.Request) string); ok {
			record.about(tried(r))
		}
	}
	if p == nil {
		p = s.spend(token, time.Now())
	}
	if p != nil {
		p.write(w)
		return
	}
	record.concerns(r)
	s.used(visitOf(ctx.Context()), token, time.Now())
	next(huma.WithValue(ctx, bearerKey{}, token))
}

// exist reports whether the things that a path names are nodes, jobs and images that exist, and indices of tasks. Other
// things may be secrets.
func (s *server) exist(named map[string]string) bool {
	v := s.manager.Latest()
	for key, name := range named {
		switch key {
		case "node":
			if v.NodeNamed(name) == nil {
				return false
			}
		case "job":
			if id, err := jobNumber("job", name); err != nil || jobIn(v, id) == nil {
				return false
			}
		case "task":
			if _, err := strconv.Atoi(name); err != nil {
				return false
			}
		case "image":
			if _, err := imagesOf(v)(name); err != nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// spend counts a request of the token, and returns a problem if it has sent too many.
func (s *server) spend(token *cluster.Token, now time.Time) *problem {
	if s.requests.take(token.ID, now) {
		return nil
	}
	return newProblem(codeRateLimited, "", "this token has sent more than %d requests per second", s.requests.rate)
}

// identify returns the token of the request or of its session, and the problem if it may not be used. It slows down
// guessing.
func (s *server) identify(r *http.Request) (*cluster.Token, *problem) {
	if r.Header.Get("Authorization") == "" {
		return s.byCookie(r)
	}
	secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || secret == "" {
		return nil, newProblem(codeUnauthorized, "", "the request carries no token")
	}
	hash, now := HashSecret(strings.TrimSpace(secret)), time.Now()
	token, p := s.findOrGuess(r.Context(), hash, origin(r), now)
	if p == nil {
		p = usable(token, now)
	}
	return token, p
}

// findOrGuess finds the token of a secret; nil means unknown. Only unknown secrets count as guesses, so guesses from
// the same address never lock out a valid token.
func (s *server) findOrGuess(ctx context.Context, hash [32]byte, from string, now time.Time) (*cluster.Token,
	*problem) {
	if token := findToken(s.manager.Latest(), hash); token != nil {
		return token, nil
	}
	if !s.guesses.take(from, now) {
		return nil, guessed(from)
	}
	return s.findFresh(ctx, hash)
}

func guessed(from string) *problem {
	return newProblem(codeRateLimited, "", "too many unknown tokens came from %s", from)
}

// findFresh looks for a token that was created on another replica a moment ago, or that a manager that has just started
// does not know yet. Without a leader the token may be valid: the request is to be repeated.
func (s *server) findFresh(ctx context.Context, hash [32]byte) (*cluster.Token, *problem) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, problemOf(err)
	}
	return findToken(v, hash), nil
}

// findToken compares with every token in constant time.
func findToken(v *cluster.Snapshot, hash [32]byte) (found *cluster.Token) {
	for t := range v.Tokens() {
		if subtle.ConstantTimeCompare(t.Hash[:], hash[:]) == 1 {
			found = t
		}
	}
	return found
}

// stillValid reports whether the token of a long request is still valid, and its session goes on.
func (s *server) stillValid(ctx context.Context) bool {
	token, at := bearer(ctx), timeOf(time.Now())
	if v := visitOf(ctx); v.byCookie && s.ended(v.session) {
		return false
	}
	now := findToken(s.manager.Latest(), token.Hash)
	return now != nil && now.Valid(at) && token.Valid(at) // a session may end before its token
}

// mayRead reports whether the actor may see the output of the job, and all of its specification.
func mayRead(a cluster.Actor, spec *cluster.Spec) bool {
	return a.Role >= cluster.Operator || a.Project == spec.Project
}

// origin returns the address that sent the request. A socket of this machine has none.
func origin(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return "local socket"
}

func timeOf(t time.Time) cluster.Time { return cluster.Time(t.UnixMicro()) }
