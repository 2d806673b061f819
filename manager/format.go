package manager

import (
	"context"
	"fmt"
	"math"
	"time"

	"aliquot/cluster"
)

const (
	formatEvery = 10 * time.Second // between questions to the managers, while a higher format is wanted, and other tries
	formatTime  = 5 * time.Second  // for all answers, or for one try
)

// oldFormat is the format assumed for a manager that does not report any.
const oldFormat = 2

// keepFormat does until ctx ends what a higher format needs. While this replica leads, it raises the state's format as
// soon as every manager understands a higher one. It asks the others just before, so that a manager downgraded
// meanwhile is noticed. On every replica, nodes of which the format then in force knows more connect again and say so,
// and the built-in image is registered again.
func (m *Manager) keepFormat(ctx context.Context) {
	var last time.Time
	var registered attempt
	every(ctx, time.Second, func() {
		if at := m.clock(); m.epoch.Load() != 0 && m.store.Latest().Format < cluster.LatestFormat &&
			at.Sub(last).Abs() >= formatEvery {
			last = at
			m.raise(ctx)
		}
		registered = m.keepBuiltinRaised(ctx, registered)
		for _, node := range m.curtailed.outgrown(m.store.Latest().Format) {
			m.link.Recall(node, math.MaxUint64)
		}
	})
}

// raise proposes the highest format that all managers understand, if it is above the format in force.
func (m *Manager) raise(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, formatTime)
	defer cancel()
	format, err := m.understood(ctx)
	if err == nil && format > m.store.Latest().Format {
		_, err = m.propose(ctx, cluster.Raise{Format: format}, m.epoch.Load())
	}
	if err != nil && ctx.Err() == nil {
		m.log.Debug().Err(err).Msg("the state's format is not raised yet")
	}
}

// understood returns the highest format that all managers understand. Every manager must answer, because one that is
// down may come back with an older program.
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
			return 0, fmt.Errorf(
				"ask manager %d for the formats it understands: its address is unknown; add it to the setting urls", id)
		}
		format, err := m.cfg.Format(ctx, url)
		if err != nil {
			return 0, fmt.Errorf("ask manager %d for the formats it understands: %w", id, err)
		}
		least = min(least, max(format, oldFormat))
	}
	return least, nil
}
