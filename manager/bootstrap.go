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
	if err := m.keepBuiltin(ctx, f.Builtin); err != nil {
		return err
	}
	state, err := m.store.Read(ctx) // another manager may have been faster meanwhile
	if err != nil {
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

// founded is the built-in image that a manager has brought, and the format in force when it was registered last.
type founded struct {
	image  *cluster.Image // nil: none
	format uint32
}

// keepBuiltin registers the built-in image unless the state knows it as that.
func (m *Manager) keepBuiltin(ctx context.Context, image *cluster.Image) error {
	state, err := m.store.Read(ctx)
	if err != nil {
		return fmt.Errorf("read the state: %w", err)
	}
	if image != nil && !builtin(state, image.Digest) {
		if err := m.ownAction(ctx, cluster.PutImage{Image: *image}); err != nil {
			return fmt.Errorf("register the built-in image: %w", err)
		}
	}
	m.founded.Store(&founded{image, state.Format})
	return nil
}

// attempt is the last try to register the built-in image in a raised format.
type attempt struct {
	at   time.Time // zero: none yet
	told string    // the failure that was logged; "": none
}

// keepBuiltinRaised registers the built-in image again when a higher format is in force. Below it, one that somebody
// had pushed may have stayed an ordinary one. It tries every formatEvery, each time for formatTime at most, and logs
// each new reason of a failure once.
func (m *Manager) keepBuiltinRaised(ctx context.Context, last attempt) attempt {
	f, at := m.founded.Load(), m.clock()
	if f == nil || f.image == nil || f.format >= m.store.Latest().Format || at.Sub(last.at).Abs() < formatEvery {
		return last
	}
	limited, cancel := context.WithTimeout(ctx, formatTime)
	defer cancel()
	err := m.keepBuiltin(limited, f.image)
	if err == nil || ctx.Err() != nil {
		return attempt{at: at}
	}
	if err.Error() != last.told {
		m.log.Warn().Err(err).Msg("the built-in image is not registered in the raised format yet; trying again")
	}
	return attempt{at, err.Error()}
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
