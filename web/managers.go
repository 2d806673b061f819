package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

// healthTime limits the wait for another manager.
const healthTime = 2 * time.Second

func (s *server) registerManagers(to huma.API) {
	register(s, to, operation("list-managers", "GET", "/v1/managers", cluster.Viewer, "List the managers",
		"All replicas by number, with role, applied revision and health. The answering manager asks the others."),
		s.listManagers)
}

func (s *server) listManagers(ctx context.Context, _ *struct{}) (*body[api.ManagerList], error) {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	replicas := s.manager.Replicas()
	list := api.ManagerList{Managers: make([]api.Manager, len(replicas))}
	var asking sync.WaitGroup
	for i, r := range replicas {
		asking.Go(func() { list.Managers[i] = s.managerJSON(ctx, r) })
	}
	asking.Wait()
	compareRevisions(list.Managers)
	return answer(list), nil
}

// managerJSON asks the manager for its health.
func (s *server) managerJSON(ctx context.Context, r Replica) api.Manager {
	out := api.Manager{Replica: r.ID, Address: r.URL}
	own := s.health()
	if out.Answers = own.Replica == r.ID; out.Answers {
		return told(out, own)
	}
	if r.URL == "" {
		out.Status, out.Problem = "unknown", "its address is unknown here; add it to the managers' setting urls"
		return out
	}
	health, err := AskHealth(ctx, s.peers, r.URL)
	if err != nil {
		out.Status, out.Problem = "unreachable", err.Error()
		return out
	}
	return told(out, health)
}

func told(m api.Manager, h api.Health) api.Manager {
	m.Status, m.Leads, m.Revision, m.Problem, m.Version = h.Status, h.Leads, &h.Revision, h.Problem, h.Version
	m.Format, m.LatestFormat = h.Format, h.LatestFormat
	return m
}

// AskHealth asks another manager, whose REST is at base, for its health.
func AskHealth(ctx context.Context, peers *http.Client, base string) (h api.Health, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/v1/health", nil)
	if err != nil {
		return h, err
	}
	response, err := peers.Do(request)
	if err != nil {
		return h, unreachable(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&h); err != nil || h.Status == "" {
		return h, fmt.Errorf("the answer with status %s is not from a manager", response.Status)
	}
	return h, nil
}

// unreachable shortens an error by the part that is shown beside it.
func unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("it has not answered within %.0f s", healthTime.Seconds())
	}
	return err
}

// compareRevisions sets how far each manager is behind the newest.
func compareRevisions(managers []api.Manager) {
	var newest uint64
	for _, m := range managers {
		if m.Revision != nil {
			newest = max(newest, *m.Revision)
		}
	}
	for i := range managers {
		if at := managers[i].Revision; at != nil {
			behind := newest - *at
			managers[i].Behind = &behind
		}
	}
}
