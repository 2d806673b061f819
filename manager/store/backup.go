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

// busyAgain is the time between tries while another snapshot is being taken.
const busyAgain = 20 * time.Millisecond

// dated is the form of the name of a backup's folder, whose order is that of time.
const dated = "20060102T150405Z"

// Backup writes everything acknowledged before the call to a new folder in dir, named by the given time, and says there
// what it holds. It returns the new folder.
func (s *Store) Backup(ctx context.Context, dir string, at time.Time) (folder string, err error) {
	ctx, cancel := context.WithTimeout(ctx, longestBackup)
	defer cancel()
	folder = filepath.Join(dir, at.UTC().Format(dated))
	if err := s.Barrier(ctx); err != nil {
		return folder, fmt.Errorf("back up to %s: %w", folder, err)
	}
	err = errors.Join(os.MkdirAll(dir, 0o700), os.Mkdir(folder, 0o700))
	if err == nil {
		if err = s.export(ctx, folder, contents(s.Latest(), at)); err != nil {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	if err != nil {
		return folder, fmt.Errorf("back up to %s: %w", folder, err)
	}
	return folder, nil
}

func (s *Store) export(ctx context.Context, folder string, contents []byte) error {
	index, err := s.snapshot(ctx, dragonboat.SnapshotOption{Exported: true, ExportPath: folder})
	if err == nil && index == 0 {
		err = errors.New("nothing was written; is the replica being closed?")
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, contentsFile), contents, 0o600)
}

// snapshot takes a snapshot after any other that is being taken, for which the host rejects it.
func (s *Store) snapshot(ctx context.Context, o dragonboat.SnapshotOption) (uint64, error) {
	for {
		index, err := s.host.SyncRequestSnapshot(ctx, shard, o)
		if !errors.Is(err, dragonboat.ErrRejected) {
			return index, err
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("another snapshot is being taken: %w", ctx.Err())
		case <-time.After(busyAgain):
		}
	}
}

// Backups returns the folders of the finished backups in dir, from the oldest to the newest.
func Backups(dir string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "*", contentsFile))
	for i := range found {
		found[i] = filepath.Dir(found[i])
	}
	slices.Sort(found)
	return found, err
}

// LastBackup returns the time of the newest backup in dir; zero if there is none.
func LastBackup(dir string) (time.Time, error) {
	found, err := Backups(dir)
	if err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	at, err := time.Parse(dated, filepath.Base(found[len(found)-1]))
	if err != nil {
		return at, fmt.Errorf("find the newest backup: %w", err)
	}
	return at, nil
}

// Prune removes all backups in dir but the newest ones.
func Prune(dir string, keep int) error {
	found, err := Backups(dir)
	for _, old := range found[:max(0, len(found)-keep)] {
		err = errors.Join(err, os.RemoveAll(old))
	}
	if err != nil {
		return fmt.Errorf("remove old backups: %w", err)
	}
	return nil
}

// Restore replaces the data of the configured replica by a backup: the one in the folder dir, or the newest below it.
// The store must not be open. Restore all members before any of them is opened. Members in the backup must keep their
// names; removed members stay removed. The replica that then leads must propose Import.
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
	backup, err := newest(dir)
	if err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	setRaftLog(c.Log)
	h := c.host()
	h.Expert.NodeRegistryFactory = newRegistry(c)
	h.RaftAddress = c.identity(c.Members[c.Replica]) // the tool finds this member by its identity
	return tools.ImportSnapshot(h, backup, c.identities(), c.Replica)
}

// newest returns the snapshot of the backup in dir, or of the newest backup below it. An earlier version wrote several
// snapshots into one folder.
func newest(dir string) (string, error) {
	if below, _ := Backups(dir); len(below) > 0 { // a bad pattern is the only error
		return newest(below[len(below)-1])
	}
	found, err := filepath.Glob(filepath.Join(dir, "snapshot-*"))
	if err != nil || len(found) == 0 {
		return "", errors.Join(errors.New("it has no backup: no folder snapshot-…"), err)
	}
	return slices.Max(found), nil
}
