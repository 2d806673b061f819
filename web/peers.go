package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"aliquot/web/api"
)

// maxTold bounds the answer of another manager in bytes.
const maxTold = 16 << 20

// credentials are the caller's, for requests to other managers in its name.
type credentials struct {
	authorization string
	session       string // sealed; "": none
}

// credentialsOf returns the credentials of a request.
func (s *server) credentialsOf(r *http.Request) credentials {
	c := credentials{authorization: r.Header.Get("Authorization")}
	if cookie, err := r.Cookie(s.key.cookieName(r.TLS != nil)); err == nil {
		c.session = cookie.Value
	}
	return c
}

// fromPeer reports whether another manager sent the request in a caller's name. Callers cannot claim that, so they
// cannot hide their address.
func (s *server) fromPeer(r *http.Request) bool {
	p, ok := s.key.open(peerPass, r.Header.Get(relayedHeader))
	return ok && time.Now().Before(p.expires())
}

// lend puts the credentials into a request to another manager, which may use TLS or not.
func (s *server) lend(c credentials, to *http.Request) {
	to.Header.Set(relayedHeader, s.key.seal(pass{Kind: peerPass, Expires: time.Now().Add(peerTime).Unix()}))
	if c.authorization != "" {
		to.Header.Set("Authorization", c.authorization)
	}
	if c.session != "" {
		to.AddCookie(&http.Cookie{Name: s.key.cookieName(to.URL.Scheme == "https"), Value: c.session})
	}
}

// askOthers asks all other managers at the same time, with the caller's credentials, and returns the answers by replica
// and the managers that gave none. A request that comes from another manager is answered alone.
func askOthers[T any](ctx context.Context, s *server, path string, query func(replica uint64) url.Values) (
	answers map[uint64]T, silent []api.SilentManager) {
	if visitOf(ctx).relayed {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, relayTime)
	defer cancel()
	own, answers := s.manager.Health().Replica, map[uint64]T{}
	var asking sync.WaitGroup
	var mu sync.Mutex
	for _, r := range s.manager.Replicas() {
		if r.ID == own {
			continue
		}
		asking.Go(func() {
			var told T
			err := s.ask(ctx, r, path, query(r.ID), &told)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				silent = append(silent, api.SilentManager{Replica: r.ID, Problem: err.Error()})
				return
			}
			answers[r.ID] = told
		})
	}
	asking.Wait()
	sortSilent(silent)
	return answers, silent
}

func sortSilent(list []api.SilentManager) {
	slices.SortFunc(list, func(a, b api.SilentManager) int { return cmp.Compare(a.Replica, b.Replica) })
}

// ask asks another manager in the caller's name.
func (s *server) ask(ctx context.Context, r Replica, path string, query url.Values, into any) error {
	if r.URL == "" {
		return fmt.Errorf("its address is unknown here; add it to the managers' setting urls")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL+path+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	s.lend(visitOf(ctx).lent, request)
	response, err := s.peers.Do(request)
	if err != nil {
		return unreachable(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered with status %s", response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxTold)).Decode(into); err != nil {
		return fmt.Errorf("read its answer: %w", err)
	}
	return nil
}
