package manager

import (
	"context"
	"time"

	"aliquot/manager/store"
)

const (
	backupLook  = time.Minute // between looks whether a backup is due
	backupEvery = 24 * time.Hour
	backupsKept = 14
)

// keepBackups writes a backup of the state every day and removes old ones, until ctx ends. Each manager keeps its own.
func (m *Manager) keepBackups(ctx context.Context) {
	if m.cfg.Backups == "" {
		return
	}
	every(ctx, backupLook, func() {
		if err := m.backUp(ctx); err != nil && ctx.Err() == nil {
			m.log.Warn().Err(err).Msg("cannot keep the daily backups of the state; trying again")
		}
	})
}

// backUp writes a backup if the newest is a day old, and removes the oldest ones.
func (m *Manager) backUp(ctx context.Context) error {
	last, err := store.LastBackup(m.cfg.Backups)
	if err != nil || m.clock().Sub(last).Abs() < backupEvery {
		return err
	}
	folder, err := m.store.Backup(ctx, m.cfg.Backups, m.clock())
	if err != nil {
		return err
	}
	m.log.Info().Str("folder", folder).Msg("wrote the daily backup of the state")
	return store.Prune(m.cfg.Backups, backupsKept)
}
