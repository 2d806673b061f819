package manager

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"aliquot/cluster"
	"aliquot/guest/folder"
)

// sweepEvery is how often the leader looks for useless files on the store.
const sweepEvery = time.Minute

// keepStore sweeps the store whenever this replica leads, until ctx ends.
func (m *Manager) keepStore(ctx context.Context) {
	every(ctx, sweepEvery, func() {
		if m.epoch.Load() == 0 || m.cfg.StorePath == "" {
			return
		}
		if err := sweep(m.cfg.StorePath, m.store.Latest()); err != nil {
			m.log.Warn().Err(err).
				Msg("cannot remove some files of ended jobs from the store; trying again; check the store's mount")
		}
	})
}

// sweep removes the memory images of ended runs and all files of forgotten jobs from the store. Both stay ended for
// ever, however old the state is. Jobs unknown to the state are left alone.
func sweep(store string, state *cluster.State) error {
	root := filepath.Join(store, "runs")
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	failed := []error{err}
	for _, e := range entries {
		id, err := cluster.ParseJobID(e.Name())
		switch {
		case err != nil:
		case state.Forgotten(id) && state.Ended(id) == nil:
			failed = append(failed, os.RemoveAll(filepath.Join(root, e.Name())))
		default:
			failed = append(failed, sweepJob(store, id, state))
		}
	}
	return errors.Join(failed...)
}

func sweepJob(store string, id cluster.JobID, state *cluster.State) error {
	paths, err := filepath.Glob(filepath.Join(store, "runs", id.String(), "*", "*"))
	failed := []error{err}
	for _, path := range paths {
		index, err1 := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		number, err2 := strconv.Atoi(filepath.Base(path))
		run := cluster.RunID{Job: id, Index: index, Number: number}
		if err1 != nil || err2 != nil || !state.Over(run) {
			continue
		}
		f := folder.Of(store, run)
		for _, image := range []string{f.Saved(), f.Partial(), f.Used()} {
			if err := os.Remove(image); err != nil && !errors.Is(err, fs.ErrNotExist) {
				failed = append(failed, fmt.Errorf("remove an unused memory image: %w", err))
			}
		}
	}
	return errors.Join(failed...)
}
