package manager

import (
	"context"
	"errors"
	"time"

	"aliquot/cluster"
)

const (
	compareEvery = 10 * time.Minute // between comparisons of the replicas' states, by the machine's clock
	compareTime  = time.Minute      // limit of one comparison, including the hashing of a million jobs
)

// comparison is the last comparison of the replicas' states that this replica requested.
type comparison struct {
	at       time.Time
	revision uint64 // revision after it
}

// due reports whether the states should be compared: the interval is over and the state has changed.
func (c comparison) due(at time.Time, revision uint64) bool {
	return at.Sub(c.at) >= compareEvery && revision != c.revision
}

// keepCompared compares the replicas' states periodically while this one leads, until ctx ends. It is not part of the
// leader's loop, so no decision waits for a hash.
func (m *Manager) keepCompared(ctx context.Context) {
	last := comparison{at: m.clock()}
	every(ctx, time.Second, func() { last = m.compare(ctx, last, m.clock()) })
}

// compare proposes a checkpoint if one is due and this replica leads. It retries a failed one only when the next is
// due, because lost leadership is the usual cause.
func (m *Manager) compare(ctx context.Context, last comparison, at time.Time) comparison {
	epoch, state := m.epoch.Load(), m.store.Latest()
	if epoch == 0 || !state.Comparable() || !last.due(at, state.Revision) {
		return last
	}
	ctx, cancel := context.WithTimeout(ctx, compareTime)
	defer cancel()
	revision, err := m.store.Checkpoint(ctx, func(c cluster.Checkpoint) cluster.Command {
		command := m.stamped(system, c)
		command.Epoch = epoch
		return command
	})
	if err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		m.log.Warn().Err(err).Msg("cannot compare the replicas' states; trying again at the next interval")
	}
	return comparison{at, revision}
}
