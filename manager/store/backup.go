package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lni/dragonboat/v4"
	"github.com/lni/dragonboat/v4/tools"
)

// longestBackup limits a backup whose caller sets no limit.
const longestBackup = 10 * time.Minute

// Backup writes everything acknowledged before the call to a folder snapshot-… in dir, which is created if it is
// missing.
func (s *Store) Backup(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, longestBackup)
	defer cancel()
	if err := errors.Join(s.Barrier(ctx), os.MkdirAll(dir, 0o700)); err != nil {
		return fmt.Errorf("back up to %s: %w", dir, err)
	}
	index, err := s.host.SyncRequestSnapshot(ctx, shard, dragonboat.SnapshotOption{Exported: true, ExportPath: dir})
	if err == nil && index == 0 {
		err = errors.New("nothing was written; is the replica being closed?")
	}
	if err != nil {
		return fmt.Errorf("back up to %s: %w", dir, err)
	}
	return nil
}

// Restore replaces the data of the configured replica by the newest backup in dir. The store must not be open. Restore
// all members before any of them is opened. Members in the backup must keep their names; removed members stay removed.
// The replica that then leads must propose Import.
func Restore(cfg Config, dir string) error {
	err := cfg.validate()
	if err == nil {
		err = cfg.restore(dir)
	}
	if err != nil {
		return fmt.Errorf("restore %s from %s: %w", cfg.Dir, dir, err)
	}
	return nil
}

func (c *Config) restore(dir string) error {
	found, err := filepath.Glob(filepath.Join(dir, "snapshot-*"))
	if err != nil || len(found) == 0 {
		return errors.Join(errors.New("it has no folder snapshot-…"), err)
	}
	if err := c.prepare(); err != nil {
		return err
	}
	setRaftLog(c.Log)
	h := c.host()
	h.Expert.NodeRegistryFactory = newRegistry(c)
	h.RaftAddress = c.identity(c.Members[c.Replica]) // the tool finds this member by its identity
	return tools.ImportSnapshot(h, slices.Max(found), c.identities(), c.Replica)
}
