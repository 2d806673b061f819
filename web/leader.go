package web

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
)

// relayTime bounds how long the leader is waited for. If it does not answer, this manager does, without what it does not know.
const relayTime = 3 * time.Second

// relayedHeader marks what one manager asks another, which then answers itself.
const relayedHeader = "Aliquot-Relayed"

// measured marks an operation whose answer holds what was measured: the leader alone knows.
func measured(op huma.Operation) huma.Operation {
	op.Metadata[leaderKey] = true
	return op
}

// throughLeader lets the leader answer what it alone knows in full.
func (s *server) throughLeader(ctx huma.Context, next func(huma.Context)) {
	r, w := humamux.Unwrap(ctx)
	if through, _ := ctx.Operation().Metadata[leaderKey].(bool); through && r.Header.Get(relayedHeader) == "" {
		if h := s.manager.Health(); !h.Leads && h.Leader != "" && s.relay(w, r, h.Leader) {
			return
		}
	}
	next(ctx)
}

// relay asks the leader in the name of who asks, and passes on its answer if it is a good one: every other is this manager's own to
// give. It tells whether it has answered.
func (s *server) relay(w http.ResponseWriter, r *http.Request, leader string) bool {
	ctx, cancel := context.WithTimeout(r.Context(), relayTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, leader+r.URL.RequestURI(), nil)
	if err != nil {
		return false
	}
	for _, name := range []string{"Authorization", "Cookie"} {
		if value := r.Header.Get(name); value != "" {
			request.Header.Set(name, value)
		}
	}
	request.Header.Set(relayedHeader, "1")
	response, err := s.peers.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body) // whole: half an answer could not be taken back
	if err != nil || response.StatusCode != http.StatusOK {
		return false
	}
	w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
	_, _ = w.Write(content) // a client that has gone needs no answer
	return true
}
