package manager

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aliquot/cluster"
)

// Bootstrap makes known what the first start has made: the administrator's token and, if
// it is not nil, the built-in image. It tries until it succeeds or ctx ends.
func (m *Manager) Bootstrap(ctx context.Context, builtin *cluster.Image, admin cluster.Token) error {
	for {
		err := m.bootstrap(ctx, builtin, admin)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		m.log.Warn().Err(err).Msg("the first steps are tried again")
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (m *Manager) bootstrap(ctx context.Context, builtin *cluster.Image, admin cluster.Token) error {
	state, err := m.store.Read(ctx)
	if err != nil {
		return fmt.Errorf("reading the state: %w", err)
	}
	if builtin != nil && state.Image(builtin.Digest) == nil {
		if err := m.ownAction(ctx, cluster.PutImage{Image: *builtin}); err != nil {
			return fmt.Errorf("registering the built-in image: %w", err)
		}
	}
	for t := range state.Tokens() {
		if t.Hash == admin.Hash {
			return nil
		}
	}
	err = m.ownAction(ctx, cluster.PutToken{Token: admin})
	var refused *cluster.Rejection
	if errors.As(err, &refused) && refused.Code == cluster.CodeConflict {
		return nil // another manager was faster
	}
	if err != nil {
		return fmt.Errorf("registering the administrator's token: %w", err)
	}
	return nil
}

// ownAction proposes what any replica may, whether it leads or not.
func (m *Manager) ownAction(ctx context.Context, a cluster.Action) error {
	at, err := m.stamp(ctx)
	if err != nil {
		return err
	}
	_, err = m.submit(ctx, cluster.Command{At: at, Actor: system, Action: a})
	return err
}
