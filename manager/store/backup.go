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

// longestBackup bounds a backup whose caller sets no bound.
const longestBackup = 10 * time.Minute

// Backup writes all that was acknowledged before the call as a folder snapshot-… in dir, which is made if need be.
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

// Restore makes the newest backup in dir the content of the configured replica, whose store must not be open, in place
// of what it has. It is to be done for each of the members before any is opened. Members that the backup knows must
// keep their names, those that were removed stay so. The one that then leads must propose Import.
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
		return errors.Join(errors.New("there is no folder snapshot-… in it"), err)
	}
	if err := c.prepare(); err != nil {
		return err
	}
	setRaftLog(c.Log)
	h := c.host()
	h.Expert.NodeRegistryFactory = newRegistry(c)
	h.RaftAddress = c.identity(c.Members[c.Replica]) // that is how the tool finds this member
	return tools.ImportSnapshot(h, slices.Max(found), c.identities(), c.Replica)
}
