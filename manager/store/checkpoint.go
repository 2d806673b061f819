package store

import (
	"context"
	"errors"
	"fmt"

	"aliquot/cluster"
)

// mark is the state at one revision and its hash, which is computed aside.
type mark struct {
	revision uint64
	done     chan struct{}
	hash     [32]byte
}

// busy tells whether the hash is still being computed.
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

// compare does what a Checkpoint asks of each replica. An empty one marks the state as it is; one with the hash
// of a marked state says what it must be; one without a hash compares nothing, only its time counts. One hash is
// computed at a time: a replica that catches up compares as often as it can, not each state on the way. Nothing is
// compared while an older program may take part, which walks over the state in another way.
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
				m.halt.because(fmt.Errorf("the state at revision %d differs from the leader's, %x… against %x…: remove this replica and add one with a new id and an empty directory",
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

// Checkpoint lets all replicas compare their states with this one's; those that differ halt. It gives each of its two
// commands to stamp, which adds actor, epoch and time, and returns the revision of the second.
func (s *Store) Checkpoint(ctx context.Context, stamp func(cluster.Checkpoint) cluster.Command) (uint64, error) {
	r, err := s.Propose(ctx, stamp(cluster.Checkpoint{}))
	if err != nil || r.Rejection != nil {
		return 0, errors.Join(err, refusal(r))
	}
	k := s.machine.marked(r.Revision)
	if k == nil {
		return 0, fmt.Errorf("checkpoint at revision %d: another one came in between, or is still being hashed", r.Revision)
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
