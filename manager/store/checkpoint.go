package store

import (
	"context"
	"errors"
	"fmt"

	"aliquot/cluster"
)

// mark is the state's hash at one revision, computed in the background.
type mark struct {
	revision uint64
	done     chan struct{}
	hash     [32]byte
}

// busy reports whether the hash is still being computed.
func (k *mark) busy() bool {
	if k == nil {
		return false
	}
	select {
	case <-k.done:
		return false
	default:
		return true
	}
}

// compare carries out a Checkpoint on this replica. An empty one marks the present state; one with the hash of a marked
// state compares it; one without a hash compares nothing and only carries its time. One hash is computed at a time: a
// replica that catches up compares as often as it can, not at every checkpoint. Nothing is compared while an older
// program may take part, because its states hash differently.
func (m *machine) compare(c cluster.Checkpoint) {
	if !m.state.Comparable() {
		return
	}
	if c == (cluster.Checkpoint{}) {
		if m.mark.busy() {
			return
		}
		marked := m.state.Clone()
		k := &mark{revision: marked.Revision, done: make(chan struct{})}
		m.mark = k
		m.work.Go(func() {
			k.hash = marked.Hash()
			close(k.done)
		})
		return
	}
	if k := m.mark; k != nil && k.revision == c.Revision && c.Hash != ([32]byte{}) {
		m.work.Go(func() {
			if <-k.done; k.hash != c.Hash {
				m.halt.because(
					fmt.Errorf(
						"the state at revision %d differs from the leader's, %x… against %x…: remove this replica and add one with a new id and an empty directory",
						k.revision, k.hash[:4], c.Hash[:4]))
			}
		})
	}
}

func (m *machine) marked(revision uint64) *mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mark == nil || m.mark.revision != revision {
		return nil
	}
	return m.mark
}

// Checkpoint makes all replicas compare their states with this one's; those that differ halt. It passes its two
// commands to stamp, which adds actor, epoch and time. It returns the revision of the second.
func (s *Store) Checkpoint(ctx context.Context, stamp func(cluster.Checkpoint) cluster.Command) (uint64, error) {
	r, err := s.Propose(ctx, stamp(cluster.Checkpoint{}))
	if err != nil || r.Rejection != nil {
		return 0, errors.Join(err, refusal(r))
	}
	k := s.machine.marked(r.Revision)
	if k == nil {
		return 0, fmt.Errorf("checkpoint at revision %d: another one interfered or is still being hashed", r.Revision)
	}
	select {
	case <-k.done:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	r, err = s.Propose(ctx, stamp(cluster.Checkpoint{Revision: k.revision, Hash: k.hash}))
	return r.Revision, errors.Join(err, refusal(r))
}

func refusal(r cluster.Result) error {
	if r.Rejection == nil {
		return nil
	}
	return r.Rejection
}
