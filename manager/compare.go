package manager

import (
	"context"
	"errors"
	"time"

	"aliquot/cluster"
)

const (
	compareEvery = 10 * time.Minute // the replicas' states, by the machine's clock
	compareTime  = time.Minute      // for one comparison, hashing of a million jobs included
)

// comparison is when the replicas last compared their states, as far as this one asked for it.
type comparison struct {
	at       time.Time
	revision uint64 // that it has left behind
}

// due tells whether the states are to be compared: it is time, and something has happened since.
func (c comparison) due(at time.Time, revision uint64) bool {
	return at.Sub(c.at) >= compareEvery && revision != c.revision
}

// keepCompared lets the replicas compare their states now and then while this one leads, until ctx ends. It is no part
// of the leader's loop, so that no decision waits for a hash.
func (m *Manager) keepCompared(ctx context.Context) {
	last := comparison{at: m.clock()}
	every(ctx, time.Second, func() { last = m.compare(ctx, last, m.clock()) })
}

// compare proposes a checkpoint if one is due and this replica leads. One that fails is not tried again before the next
// is due: a lost lead is the usual cause.
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
		m.log.Warn().Err(err).Msg("the replicas' states were not compared")
	}
	return comparison{at, revision}
}
