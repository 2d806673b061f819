package manager

import (
	"context"
	"fmt"
	"time"

	"aliquot/cluster"
)

const (
	formatEvery = 10 * time.Second // the managers are asked what they understand, as long as a higher format is waited for
	formatTime  = 5 * time.Second  // for all of them to answer
)

// oldFormat is what a manager understands that does not say so.
const oldFormat = 2

// keepFormat raises the state's format as soon as every manager understands a higher one, while this replica leads, until
// ctx ends. What the others understand is asked just before, so that no manager is overlooked that was changed since.
func (m *Manager) keepFormat(ctx context.Context) {
	var last time.Time
	every(ctx, time.Second, func() {
		if at := m.clock(); m.epoch.Load() != 0 && m.store.Latest().Format < cluster.LatestFormat && at.Sub(last).Abs() >= formatEvery {
			last = at
			m.raise(ctx)
		}
	})
}

// raise proposes the highest format that all managers understand, if it is above the one in force.
func (m *Manager) raise(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, formatTime)
	defer cancel()
	format, err := m.understood(ctx)
	if err == nil && format > m.store.Latest().Format {
		_, err = m.propose(ctx, cluster.Raise{Format: format}, m.epoch.Load())
	}
	if err != nil && ctx.Err() == nil {
		m.log.Debug().Err(err).Msg("the format stays as it is")
	}
}

// understood returns the highest format that all managers understand. Every one must say so: one that is down may come
// back with an older program.
func (m *Manager) understood(ctx context.Context) (uint32, error) {
	ids, err := m.store.Replicas(ctx)
	if err != nil {
		return 0, err
	}
	least := uint32(cluster.LatestFormat)
	for _, id := range ids {
		if id == m.cfg.Replica {
			continue
		}
		url := m.cfg.RESTs[id]
		if url == "" {
			return 0, fmt.Errorf("asking manager %d which formats it understands: its address is not known; the setting urls names it", id)
		}
		format, err := m.cfg.Format(ctx, url)
		if err != nil {
			return 0, fmt.Errorf("asking manager %d which formats it understands: %w", id, err)
		}
		least = min(least, max(format, oldFormat))
	}
	return least, nil
}
