package manager

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"aliquot/cluster"
)

// Bootstrap makes known what the first start has made: the administrator's token and, if
// it is not nil, the built-in image. If there is a file at mark, the state comes from a
// backup; then it opens a new generation first and removes the mark. It tries until it
// succeeds or ctx ends.
func (m *Manager) Bootstrap(ctx context.Context, builtin *cluster.Image, admin cluster.Token, mark string) error {
	for {
		err := m.bootstrap(ctx, builtin, admin, mark)
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

func (m *Manager) bootstrap(ctx context.Context, builtin *cluster.Image, admin cluster.Token, mark string) error {
	state, err := m.store.Read(ctx)
	if err != nil {
		return fmt.Errorf("reading the state: %w", err)
	}
	if err := m.openGeneration(ctx, state, mark); err != nil {
		return fmt.Errorf("opening a new generation after a restore: %w", err)
	}
	if builtin != nil && state.Image(builtin.Digest) == nil {
		if _, err := m.propose(ctx, cluster.PutImage{Image: *builtin}, 0); err != nil {
			return fmt.Errorf("registering the built-in image: %w", err)
		}
	}
	for t := range state.Tokens() {
		if t.Hash == admin.Hash {
			return nil
		}
	}
	_, err = m.propose(ctx, cluster.PutToken{Token: admin}, 0)
	var refused *cluster.Rejection
	if errors.As(err, &refused) && refused.Code == cluster.CodeConflict {
		return nil // another manager was faster
	}
	if err != nil {
		return fmt.Errorf("registering the administrator's token: %w", err)
	}
	return nil
}

// openGeneration makes monitors take the restored state's orders for newer than all that they had.
func (m *Manager) openGeneration(ctx context.Context, state *cluster.State, mark string) error {
	if _, err := os.Stat(mark); err != nil {
		return nil
	}
	generation := uint64(m.clock().Unix()) // above every generation before, which the backup may not know
	if generation > state.Generation {
		if _, err := m.propose(ctx, cluster.Import{Generation: generation}, 0); err != nil {
			return err
		}
	}
	return os.Remove(mark)
}
