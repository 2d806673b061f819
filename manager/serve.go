package manager

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"aliquot/cluster"
	"aliquot/manager/store"
	"aliquot/web"
)

var _ web.Manager = (*Manager)(nil)

// Do proposes a user's action.
func (m *Manager) Do(ctx context.Context, actor cluster.Actor, request string, a cluster.Action) (cluster.Result, error) {
	if choice, ok := a.(cluster.SetPolicy); ok {
		p, err := m.canonical(choice)
		if err != nil {
			return cluster.Result{}, err
		}
		a = p
	}
	result, err := m.submit(ctx, cluster.Command{At: m.now(), Actor: actor, Request: request, Action: a})
	return result, fault(err)
}

// canonical checks that the policy exists before everybody has to live with it.
func (m *Manager) canonical(choice cluster.SetPolicy) (cluster.Action, error) {
	if _, err := m.parsePolicy(cluster.PolicyChoice{Name: choice.Name, Period: choice.Period}); err != nil {
		return nil, err
	}
	return choice, nil
}

// fault turns the store's errors into those that REST knows.
func fault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrNoLeader):
		return fmt.Errorf("%w: %w", web.ErrNoLeader, err)
	case errors.Is(err, store.ErrUncertain), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", web.ErrUncertain, err)
	}
	return err
}

// View returns the state with everything in it that was answered before.
func (m *Manager) View(ctx context.Context) (*cluster.View, error) {
	state, err := m.store.Read(ctx)
	if err != nil {
		return nil, fault(err)
	}
	return state.View(m.now()), nil
}

// Latest returns the newest state of this replica.
func (m *Manager) Latest() *cluster.View { return m.store.Latest().View(m.now()) }

// Usage returns the latest sample of the run.
func (m *Manager) Usage(run cluster.RunID) (web.Usage, bool) { return m.usage.get(run) }

// Health tells how this replica is.
func (m *Manager) Health() web.Health {
	leader, _ := m.store.Leader()
	state := m.store.Latest()
	h := web.Health{Replica: m.cfg.Replica, Leads: m.epoch.Load() != 0, Ready: leader != 0, Revision: state.Revision}
	if leader == 0 {
		h.Problem = "no leader is known; a majority of the managers must be reachable"
	}
	return h
}

// PutImage stores the files and registers the image.
func (m *Manager) PutImage(ctx context.Context, actor cluster.Actor, name string, files iter.Seq2[web.ImageFile, error]) (cluster.Image, error) {
	image, err := m.images.Put(name, files)
	if err != nil {
		return cluster.Image{}, err
	}
	if _, err := m.Do(ctx, actor, "", cluster.PutImage{Image: image}); err != nil {
		return cluster.Image{}, err
	}
	return image, nil
}
