package manager

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"aliquot/cluster"
	"aliquot/guest/folder"
)

// sweepEvery is how often the leader looks for useless files on the store.
const sweepEvery = time.Minute

// settled is the age of a result from which it is not looked at again. Before, a VM that is left over may write to it.
const settled = time.Hour

// keepStore sweeps the store whenever this replica leads, until ctx ends.
func (m *Manager) keepStore(ctx context.Context) {
	s := sweeper{store: m.cfg.StorePath, limits: m.cfg.Results}
	every(ctx, sweepEvery, func() {
		if m.epoch.Load() == 0 || m.cfg.StorePath == "" {
			s.results = nil // another manager may remove some
			return
		}
		if err := s.sweep(m.store.Latest(), m.clock()); err != nil {
			m.log.Warn().Err(err).
				Msg("cannot remove some files of ended jobs from the store; trying again; check the store's mount")
		}
	})
}

// sweeper removes useless files from the store.
type sweeper struct {
	store   string
	limits  ResultLimits
	results map[cluster.JobID]result // of the ended jobs whose files were looked at
}

// sweep removes the memory images and disks of ended runs, and the files of ended jobs beyond the limits. An ended job
// stays ended forever, however old the state is. Jobs unknown to the state are left alone.
func (s *sweeper) sweep(state *cluster.State, now time.Time) error {
	root := filepath.Join(s.store, "runs")
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	failed := []error{err}
	kept := map[cluster.JobID]result{}
	for _, e := range entries {
		id, err := cluster.ParseJobID(e.Name())
		if err != nil {
			continue
		}
		r, known := s.results[id]
		if !known || now.Sub(r.at) < settled {
			failed = append(failed, sweepJob(s.store, id, state))
			r = measured(id, filepath.Join(root, e.Name()))
		}
		if state.Forgotten(id) {
			kept[id] = r
		}
	}
	s.results = kept
	return errors.Join(append(failed, s.prune(root, now))...)
}

// prune removes the results beyond the limits.
func (s *sweeper) prune(root string, now time.Time) error {
	limits, err := s.limits.limitsOn(s.store)
	if err != nil {
		return err
	}
	var failed []error
	for _, r := range surplus(slices.Collect(maps.Values(s.results)), limits, now) {
		failed = append(failed, os.RemoveAll(filepath.Join(root, r.job.String())))
		delete(s.results, r.job)
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
		for _, file := range []string{f.Saved(), f.Partial(), f.Used(), f.Disk(), f.Seed(),
			f.TaskDisk(), f.ControlDisk(), f.OutputDisk(), f.ResultDisk()} {
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				failed = append(failed, fmt.Errorf("remove an unused memory image or disk: %w", err))
			}
		}
	}
	return errors.Join(failed...)
}
