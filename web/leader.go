package web

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// relayTime limits the wait for the leader. Without its answer this manager answers itself, without usage.
const relayTime = 3 * time.Second

// relayedHeader marks a request from one manager to another, which must answer itself.
const relayedHeader = "Aliquot-Relayed"

// measured marks an operation whose answer contains measurements, which only the leader has.
func measured(op huma.Operation) huma.Operation {
	op.Metadata[leaderKey] = true
	return op
}

// throughLeader relays marked operations to the leader.
func (s *server) throughLeader(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	if through, _ := ctx.Operation().Metadata[leaderKey].(bool); through && r.Header.Get(relayedHeader) == "" {
		if h := s.manager.Health(); !h.Leads && h.Leader != "" && s.relay(w, r, h.Leader) {
			return
		}
	}
	next(ctx)
}

// relay sends the request to the leader with the caller's credentials and passes on a successful answer. Otherwise this
// manager must answer itself. It reports whether it has answered.
func (s *server) relay(w http.ResponseWriter, r *http.Request, leader string) bool {
	ctx, cancel := context.WithTimeout(r.Context(), relayTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, leader+r.URL.RequestURI(), nil)
	if err != nil {
		return false
	}
	s.lend(s.credentialsOf(r), request)
	response, err := s.peers.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body) // read it all first: half an answer cannot be undone
	if err != nil || response.StatusCode != http.StatusOK {
		return false
	}
	w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
	_, _ = w.Write(content) // a client that has gone needs no answer
	return true
}
