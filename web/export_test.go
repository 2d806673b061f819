package web

import (
	"net/http"
	"time"

	"aliquot/cluster"
	"aliquot/web/api"
)

// NewHandlerWith is NewHandler with other limits.
func NewHandlerWith(o Options, beat time.Duration, requests, guesses int) http.Handler {
	s, router, _ := build(o)
	s.beat, s.requests, s.guesses = beat, newLimiter(requests), newLimiter(guesses)
	return s.guard(router)
}

// SpecOf is specOf with a finder that finds every image.
func SpecOf(in *api.JobSpec, actor cluster.Actor) (*cluster.Spec, error) {
	return specOf(in, actor, func(string) (string, error) { return "busybox@sha256:00", nil })
}

// SpecJSON is specJSON.
var SpecJSON = specJSON

// Kinds returns the codes of all problems with their statuses.
func Kinds() map[string]int {
	out := map[string]int{}
	for code, kind := range kinds {
		out[code] = kind.status
	}
	return out
}

// SessionCookie returns the Cookie header line of a session that the token's owner began at the given time.
func SessionCookie(key []byte, token *cluster.Token, began time.Time) string {
	session := newPass(sessionPass, token, token.Actor.Role, began, sessionTime)
	return "Cookie: " + passKey(key).cookieName(false) + "=" + passKey(key).seal(session)
}

// OpenAPI returns the OpenAPI 3.1 document, the same bytes for the same program.
func OpenAPI(version string) ([]byte, error) {
	_, _, description := build(Options{Version: version})
	return description.OpenAPI().MarshalJSON()
}
