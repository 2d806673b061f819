package manager

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aliquot/cluster"
)

// Founding is set by the first start of a cluster. A policy that is set later stays.
type Founding struct {
	Policy  cluster.PolicyChoice
	Builtin *cluster.Image // nil: none
	Admin   cluster.Token
}

// Bootstrap registers the results of the first start: the policy, the built-in image and the administrator's token. A
// cluster that already has a token keeps its policy. Bootstrap retries until it succeeds or ctx ends.
func (m *Manager) Bootstrap(ctx context.Context, f Founding) error {
	for {
		err := m.bootstrap(ctx, f)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		m.log.Warn().Err(err).Msg("cannot set up the new cluster yet; trying again")
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (m *Manager) bootstrap(ctx context.Context, f Founding) error {
	state, err := m.store.Read(ctx)
	if err != nil {
		return fmt.Errorf("read the state: %w", err)
	}
	if f.Builtin != nil && !builtin(state, f.Builtin.Digest) {
		if err := m.ownAction(ctx, cluster.PutImage{Image: *f.Builtin}); err != nil {
			return fmt.Errorf("register the built-in image: %w", err)
		}
	}
	if state, err = m.store.Read(ctx); err != nil { // another manager may have been faster meanwhile
		return fmt.Errorf("read the state: %w", err)
	}
	tokens := slices.Collect(state.Tokens())
	if slices.ContainsFunc(tokens, func(t *cluster.Token) bool { return t.Hash == f.Admin.Hash }) {
		return nil
	}
	if len(tokens) == 0 && state.Policy != f.Policy {
		if err := m.ownAction(ctx, cluster.SetPolicy(f.Policy)); err != nil {
			return fmt.Errorf("set the policy: %w", err)
		}
	}
	err = m.ownAction(ctx, cluster.PutToken{Token: f.Admin})
	var refused *cluster.Rejection
	if errors.As(err, &refused) && refused.Code == cluster.CodeConflict {
		return nil // another manager was faster
	}
	if err != nil {
		return fmt.Errorf("register the administrator's token: %w", err)
	}
	return nil
}

// builtin reports whether the state knows the image as a built-in one. Somebody may have pushed the same files.
func builtin(s *cluster.State, digest string) bool {
	i := s.Image(digest)
	return i != nil && i.Builtin
}

// ownAction proposes an action that any replica may propose, leader or not.
func (m *Manager) ownAction(ctx context.Context, a cluster.Action) error {
	if err := m.learnTime(ctx); err != nil {
		return err
	}
	_, err := m.submit(ctx, m.stamped(system, a))
	return err
}
